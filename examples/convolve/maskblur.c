/* maskblur.c - blurs the parts of a grey image in binary PGM format (P5) that a mask selects.

   Usage: maskblur MASK.pgm [--passes N] [--unrolled] [FILE] > OUT.pgm
          maskblur generate disc|dots WxH > MASK.pgm

   Pixels whose mask is 0 do not change.  In each pass, every other pixel becomes the weighted mean of
   the 3x3 pixels around it.  The border of the image does not change.  With --unrolled, the filter
   examines RUN elements of the mask at once; the result is the same.

   "generate" writes a mask that selects half of the pixels: those inside a circle (disc), or as many
   random ones (dots).  The mask depends only on its kind and size.  */

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMENSION = 30000, MAX_PASSES = 1000 };
enum { RUN = 8 }; /* Bytes in a uint64_t.  */

struct image {
  int width, height;
  uint8_t *pixels;
};

static _Noreturn void fail(const char *message) {
  fprintf(stderr, "maskblur: %s\n", message);
  exit(1);
}

static _Noreturn void usage(void) {
  fprintf(stderr, "usage: maskblur MASK.pgm [--passes N] [--unrolled] [FILE] > OUT.pgm, or"
                  " maskblur generate disc|dots WxH > MASK.pgm\n");
  exit(2);
}

/* Images.  */

static size_t size_of(const struct image *image) {
  return (size_t)image->width * (size_t)image->height;
}

static struct image new_image(int width, int height) {
  struct image image = {width, height, NULL};
  image.pixels = calloc((size_t)width, (size_t)height);
  if (image.pixels == NULL)
    fail("out of memory");
  return image;
}

/* Read a number from 1 to LIMIT, preceded by white space and followed by one byte of white space.  */
static int read_number(FILE *in, int limit, const char *message) {
  int value = 0;
  int c = getc(in);

  while (isspace(c))
    c = getc(in);
  for (; isdigit(c); c = getc(in)) {
    value = value * 10 + (c - '0');
    if (value > limit)
      fail(message);
  }
  if (value == 0 || !isspace(c))
    fail(message);
  return value;
}

static struct image read_image(FILE *in) {
  if (getc(in) != 'P' || getc(in) != '5')
    fail(ferror(in) ? "cannot read the input" : "the input is not a binary PGM image");
  int width = read_number(in, MAX_DIMENSION, "bad width in the header");
  int height = read_number(in, MAX_DIMENSION, "bad height in the header");
  read_number(in, 255, "bad maximum in the header");
  struct image image = new_image(width, height);
  if (fread(image.pixels, 1, size_of(&image), in) != size_of(&image))
    fail(ferror(in) ? "cannot read the input" : "unexpected end of file in the pixels");
  return image;
}

static struct image read_file(const char *name) {
  FILE *in = fopen(name, "rb");

  if (in == NULL) {
    fprintf(stderr, "maskblur: %s: %s\n", name, strerror(errno));
    exit(1);
  }
  struct image image = read_image(in);
  fclose(in);
  return image;
}

static void write_image(FILE *out, const struct image *image) {
  fprintf(out, "P5\n%d %d\n255\n", image->width, image->height);
  fwrite(image->pixels, 1, size_of(image), out);
  if (fflush(out) != 0 || ferror(out))
    fail("cannot write the output");
}

/* Filter.  */

/* Return the weighted mean of the 3x3 pixels around P in an image with rows of STRIDE bytes.  */
static inline uint8_t blurred(const uint8_t *p, int stride) {
  const uint8_t *above = p - stride, *below = p + stride;
  int corners = above[-1] + above[1] + below[-1] + below[1];
  int sides = above[0] + p[-1] + p[1] + below[0];
  return (uint8_t)((corners + 2 * sides + 4 * p[0] + 8) >> 4);
}

/* Filter COUNT pixels of a row, from IN to OUT.  */
static void filter_plain(uint8_t *restrict out, const uint8_t *restrict in,
                         const uint8_t *restrict mask, int count, int stride) {
  for (int x = 0; x < count; x++) {
    if (mask[x])
      out[x] = blurred(in + x, stride);
    else
      out[x] = in[x];
  }
}

/* Same as filter_plain, but processes RUN pixels at once if they have the same mask.  */
static void filter_unrolled(uint8_t *restrict out, const uint8_t *restrict in,
                            const uint8_t *restrict mask, int count, int stride) {
  int x = 0;

  for (; count - x >= RUN; x += RUN) {
    uint64_t run;
    memcpy(&run, mask + x, RUN);
    if (run == UINT64_MAX) {
      uint8_t pixels[RUN]; /* GCC knows that these do not overlap.  */
      for (int i = 0; i < RUN; i++)
        pixels[i] = blurred(in + x + i, stride);
      memcpy(out + x, pixels, RUN);
    } else if (run == 0) {
      memcpy(out + x, in + x, RUN);
    } else {
      filter_plain(out + x, in + x, mask + x, RUN, stride);
    }
  }
  filter_plain(out + x, in + x, mask + x, count - x, stride);
}

/* Filter IMAGE once into OUTPUT, which already contains the border.  */
static void filter_image(const struct image *output, const struct image *image,
                         const struct image *mask, int unrolled) {
  int count = image->width - 2;

  for (int y = 1; y < image->height - 1; y++) {
    size_t start = (size_t)y * (size_t)image->width + 1;
    uint8_t *out = output->pixels + start;
    const uint8_t *in = image->pixels + start, *mask_row = mask->pixels + start;
    if (unrolled)
      filter_unrolled(out, in, mask_row, count, image->width);
    else
      filter_plain(out, in, mask_row, count, image->width);
  }
}

static void filter_passes(struct image *image, const struct image *mask, int passes, int unrolled) {
  struct image output = new_image(image->width, image->height);

  memcpy(output.pixels, image->pixels, size_of(image));
  for (int i = 0; i < passes; i++) {
    filter_image(&output, image, mask, unrolled);
    uint8_t *pixels = image->pixels;
    image->pixels = output.pixels;
    output.pixels = pixels;
  }
  free(output.pixels);
}

/* Masks.  */

static struct image generate(int width, int height, int dots) {
  struct image mask = new_image(width, height);
  uint8_t *pixel = mask.pixels;
  long long radius = width < height ? width : height;
  uint32_t random = 12345;

  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      long long dx = 2LL * x - width, dy = 2LL * y - height;
      random = random * 1664525u + 1013904223u;
      int inside = dots ? random < 0x80000000u : 25 * (dx * dx + dy * dy) < 16 * radius * radius;
      *pixel++ = inside ? 255 : 0;
    }
  }
  return mask;
}

/* Command line.  */

/* Parse a number from 1 to LIMIT at *TEXT and advance *TEXT.  */
static int parse_number(const char **text, int limit) {
  const char *p = *text;
  int value = 0;

  for (; isdigit((unsigned char)*p); p++) {
    value = value * 10 + (*p - '0');
    if (value > limit)
      usage();
  }
  if (value == 0)
    usage();
  *text = p;
  return value;
}

static int parse_last_number(const char *text, int limit) {
  int value = parse_number(&text, limit);
  if (*text != '\0')
    usage();
  return value;
}

static struct image parse_and_generate(const char *kind, const char *size) {
  int dots = strcmp(kind, "dots") == 0;
  if (!dots && strcmp(kind, "disc") != 0)
    usage();
  int width = parse_number(&size, MAX_DIMENSION);
  if (*size++ != 'x')
    usage();
  return generate(width, parse_last_number(size, MAX_DIMENSION), dots);
}

static struct image parse_and_filter(int argc, char **argv) {
  int passes = 1, unrolled = 0, i = 2;

  if (argc - i >= 2 && strcmp(argv[i], "--passes") == 0) {
    passes = parse_last_number(argv[i + 1], MAX_PASSES);
    i += 2;
  }
  if (i < argc && strcmp(argv[i], "--unrolled") == 0) {
    unrolled = 1;
    i++;
  }
  if (argv[1][0] == '-' || argc - i > 1 || (i < argc && argv[i][0] == '-'))
    usage();
  struct image mask = read_file(argv[1]);
  struct image image = i < argc ? read_file(argv[i]) : read_image(stdin);
  if (image.width != mask.width || image.height != mask.height)
    fail("the mask and the image differ in size");
  for (size_t p = 0; p < size_of(&mask); p++)
    mask.pixels[p] = mask.pixels[p] ? 255 : 0;
  filter_passes(&image, &mask, passes, unrolled);
  free(mask.pixels);
  return image;
}

int main(int argc, char **argv) {
  struct image image;

  if (argc == 4 && strcmp(argv[1], "generate") == 0)
    image = parse_and_generate(argv[2], argv[3]);
  else if (argc >= 2)
    image = parse_and_filter(argc, argv);
  else
    usage();
  write_image(stdout, &image);
  free(image.pixels);
  return 0;
}
