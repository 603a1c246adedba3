/* pgmfilter.c - filters for grey images in binary PGM format (P5).

   Usage: pgmfilter FILTER [--radius R] [FILE] > OUT.pgm
          pgmfilter generate WxH > OUT.pgm

   FILTER is blur, sharpen, edges, median, or threshold=N.  Each output pixel depends on a square
   window of 3x3 (radius 1, the default) or 5x5 (radius 2) input pixels; a threshold needs only the
   pixel in the middle.  The window is gathered first.  At the border of the image, the coordinates
   are clamped, which repeats the border pixels; in the interior, no clamping is necessary.
   Blur, sharpen and edges are convolutions with integer kernels, and the median is found by
   partitioning the window.

   "generate" writes a test image of gradients, shapes and noise that depends only on the size.  */

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RADIUS = 2, MAX_SIDE = 2 * MAX_RADIUS + 1, MAX_WINDOW = MAX_SIDE * MAX_SIDE };
enum { MAX_DIMENSION = 30000, MAX_VALUE = 65535 };

struct image {
  int width, height;
  int max_value;
  uint16_t *pixels;
};

/* The result of a kernel is the weighted sum of the window divided by DIVISOR.  */
struct kernel {
  int weights[MAX_WINDOW];
  int divisor;
};

enum filter { BLUR, SHARPEN, EDGES, MEDIAN, THRESHOLD };

struct settings {
  enum filter filter;
  int radius;
  int threshold;
};

static _Noreturn void fail(const char *message) {
  fprintf(stderr, "pgmfilter: %s\n", message);
  exit(1);
}

static _Noreturn void usage(void) {
  fprintf(stderr, "usage: pgmfilter blur|sharpen|edges|median|threshold=N [--radius 1|2] [FILE]"
                  " > OUT.pgm, or pgmfilter generate WxH > OUT.pgm\n");
  exit(2);
}

/* Images.  */

static struct image new_image(int width, int height, int max_value) {
  struct image image = {width, height, max_value, NULL};
  image.pixels = calloc((size_t)width * (size_t)height, sizeof *image.pixels);
  if (image.pixels == NULL)
    fail("out of memory");
  return image;
}

static uint16_t *row_of(const struct image *image, int y) {
  return image->pixels + (size_t)y * (size_t)image->width;
}

/* Skip white space and comments in the header, and return the next byte.  */
static int skip_space(FILE *in) {
  int c = getc(in);

  while (c == '#' || isspace(c)) {
    if (c == '#')
      while (c != '\n' && c != EOF)
        c = getc(in);
    else
      c = getc(in);
  }
  return c;
}

/* Read a number from 1 to LIMIT and the byte of white space after it.  */
static int read_number(FILE *in, int limit, const char *message) {
  int c = skip_space(in);
  int value = 0;

  for (; isdigit(c); c = getc(in)) {
    value = value * 10 + (c - '0');
    if (value > limit)
      fail(message);
  }
  if (value == 0 || !isspace(c))
    fail(message);
  return value;
}

static void read_row(FILE *in, const struct image *image, int y) {
  uint16_t *row = row_of(image, y);

  for (int x = 0; x < image->width; x++) {
    int c = getc(in);
    int value = c;
    if (image->max_value > 255) {
      c = getc(in);
      value = value * 256 + c;
    }
    if (c == EOF)
      fail(ferror(in) ? "cannot read the input" : "unexpected end of file in the pixels");
    if (value > image->max_value)
      fail("pixel above the maximum in the header");
    row[x] = (uint16_t)value;
  }
}

static struct image read_image(FILE *in) {
  if (getc(in) != 'P' || getc(in) != '5')
    fail(ferror(in) ? "cannot read the input" : "the input is not a binary PGM image");
  int width = read_number(in, MAX_DIMENSION, "bad width in the header");
  int height = read_number(in, MAX_DIMENSION, "bad height in the header");
  int max_value = read_number(in, MAX_VALUE, "bad maximum in the header");
  struct image image = new_image(width, height, max_value);
  for (int y = 0; y < height; y++)
    read_row(in, &image, y);
  return image;
}

static void write_image(FILE *out, const struct image *image) {
  fprintf(out, "P5\n%d %d\n%d\n", image->width, image->height, image->max_value);
  for (int y = 0; y < image->height; y++) {
    const uint16_t *row = row_of(image, y);
    for (int x = 0; x < image->width; x++) {
      if (image->max_value > 255)
        putc(row[x] >> 8, out);
      putc(row[x] & 0xff, out);
    }
  }
  if (fflush(out) != 0 || ferror(out))
    fail("cannot write the output");
}

/* Windows, which are stored row by row.  */

static int clamp(int value, int low, int high) {
  if (value < low)
    return low;
  return value > high ? high : value;
}

static void gather_interior(const struct image *image, int x, int y, int radius, int *window) {
  for (int dy = -radius; dy <= radius; dy++) {
    const uint16_t *from = row_of(image, y + dy) + x;
    for (int dx = -radius; dx <= radius; dx++)
      *window++ = from[dx];
  }
}

static void gather_border(const struct image *image, int x, int y, int radius, int *window) {
  for (int dy = -radius; dy <= radius; dy++) {
    const uint16_t *from = row_of(image, clamp(y + dy, 0, image->height - 1));
    for (int dx = -radius; dx <= radius; dx++)
      *window++ = from[clamp(x + dx, 0, image->width - 1)];
  }
}

/* Kernels.  */

static const int smooth[MAX_RADIUS + 1][MAX_SIDE] = {{1}, {1, 2, 1}, {1, 4, 6, 4, 1}};
static const int slope[MAX_RADIUS + 1][MAX_SIDE] = {{0}, {-1, 0, 1}, {-1, -2, 0, 2, 1}};

/* Return the kernel with the product of the vectors COLUMN and ROW as weights.  */
static struct kernel product_kernel(const int *column, const int *row, int radius) {
  struct kernel kernel = {.divisor = 0};
  int side = 2 * radius + 1;

  for (int y = 0; y < side; y++) {
    for (int x = 0; x < side; x++) {
      int weight = column[y] * row[x];
      kernel.weights[y * side + x] = weight;
      if (weight > 0)
        kernel.divisor += weight;
    }
  }
  return kernel;
}

/* Convert a blurring kernel to a kernel that adds the difference between the image and its blur.  */
static struct kernel sharpen_kernel(struct kernel kernel, int radius) {
  int side = 2 * radius + 1;

  for (int i = 0; i < side * side; i++)
    kernel.weights[i] = -kernel.weights[i];
  kernel.weights[side * side / 2] += 2 * kernel.divisor;
  return kernel;
}

/* Return the weighted sum of a window of SIZE pixels, not yet divided.  */
static int convolve(const struct kernel *kernel, const int *window, int size) {
  int sum = 0;
  for (int i = 0; i < size; i++)
    sum += kernel->weights[i] * window[i];
  return sum;
}

/* Median.  */

/* Return the median of WINDOW, and reorder the window.  Each round partitions the part of the window
   that contains the middle element by a pivot; the other part needs no further work.  */
static int median(int *window, int size) {
  int middle = size / 2, left = 0, right = size - 1;

  while (left < right) {
    int pivot = window[middle];
    int i = left, j = right;
    while (i <= j) {
      while (window[i] < pivot)
        i++;
      while (window[j] > pivot)
        j--;
      if (i <= j) {
        int swapped = window[i];
        window[i++] = window[j];
        window[j--] = swapped;
      }
    }
    if (j < middle)
      left = i;
    if (i > middle)
      right = j;
  }
  return window[middle];
}

/* Filters.  */

struct job {
  struct settings settings;
  struct kernel kernel;   /* For blur and sharpen, or the horizontal slope for edges.  */
  struct kernel vertical; /* The vertical slope for edges.  */
  int max_value;
};

static struct job prepare(struct settings settings, int max_value) {
  struct job job = {.settings = settings, .max_value = max_value};
  int radius = settings.radius;

  job.kernel = product_kernel(smooth[radius], smooth[radius], radius);
  if (settings.filter == SHARPEN) {
    job.kernel = sharpen_kernel(job.kernel, radius);
  } else if (settings.filter == EDGES) {
    job.kernel = product_kernel(smooth[radius], slope[radius], radius);
    job.vertical = product_kernel(slope[radius], smooth[radius], radius);
  }
  return job;
}

/* Return the filtered value of the pixel in the middle of WINDOW.  */
static int filter_window(const struct job *job, int *window) {
  int side = 2 * job->settings.radius + 1;
  int size = side * side;
  int half = job->kernel.divisor / 2;
  int sum = 0;

  switch (job->settings.filter) {
  case BLUR:
  case SHARPEN:
    sum = convolve(&job->kernel, window, size);
    break;
  case EDGES:
    sum = abs(convolve(&job->kernel, window, size)) + abs(convolve(&job->vertical, window, size));
    break;
  case MEDIAN:
    return median(window, size);
  case THRESHOLD:
    return window[size / 2] >= job->settings.threshold ? job->max_value : 0;
  }
  if (sum < 0)
    return 0;
  sum = (sum + half) / job->kernel.divisor;
  return sum > job->max_value ? job->max_value : sum;
}

static struct image filter_image(const struct image *input, struct settings settings) {
  struct job job = prepare(settings, input->max_value);
  struct image output = new_image(input->width, input->height, input->max_value);
  int window[MAX_WINDOW];
  int r = settings.radius;

  for (int y = 0; y < input->height; y++) {
    uint16_t *row = row_of(&output, y);
    for (int x = 0; x < input->width; x++) {
      if (x >= r && x < input->width - r && y >= r && y < input->height - r)
        gather_interior(input, x, y, r, window);
      else
        gather_border(input, x, y, r, window);
      row[x] = (uint16_t)filter_window(&job, window);
    }
  }
  return output;
}

/* Test image.  */

/* Return the value without noise: a ring over a checkerboard, stripes, and two gradients.  */
static int shape_at(const struct image *image, int x, int y) {
  long long dx = 2LL * x - image->width, dy = 2LL * y - image->height;
  long long radius = image->width < image->height ? image->width : image->height;
  long long distance = 16 * (dx * dx + dy * dy); /* Squared and scaled distance from the centre.  */

  if (distance < 9 * radius * radius && distance > 4 * radius * radius)
    return 230;
  if (dx < 0 && dy < 0)
    return (x / 8 + y / 8) % 2 ? 40 : 200;
  if (dx >= 0 && dy >= 0)
    return (x + 2 * y) % 24 < 12 ? 90 : 160;
  if (dx < 0)
    return 255 * x / image->width;
  return 255 * y / image->height;
}

static struct image generate(int width, int height) {
  struct image image = new_image(width, height, 255);
  uint32_t random = 12345;

  for (int y = 0; y < height; y++) {
    uint16_t *row = row_of(&image, y);
    for (int x = 0; x < width; x++) {
      random = random * 1664525u + 1013904223u;
      int noise = (int)(random >> 24); /* One pixel of 32 becomes black or white.  */
      if (noise < 8)
        row[x] = noise < 4 ? 0 : 255;
      else
        row[x] = (uint16_t)clamp(shape_at(&image, x, y) + noise % 9 - 4, 0, 255);
    }
  }
  return image;
}

/* Command line.  */

/* Parse a number up to LIMIT at *TEXT and advance *TEXT.  */
static int parse_number(const char **text, int limit) {
  const char *p = *text;
  int value = 0;

  if (!isdigit((unsigned char)*p))
    usage();
  for (; isdigit((unsigned char)*p); p++) {
    value = value * 10 + (*p - '0');
    if (value > limit)
      usage();
  }
  *text = p;
  return value;
}

static int parse_last_number(const char *text, int limit) {
  int value = parse_number(&text, limit);
  if (*text != '\0')
    usage();
  return value;
}

static struct image parse_and_generate(const char *size) {
  int width = parse_number(&size, MAX_DIMENSION);
  if (*size++ != 'x')
    usage();
  int height = parse_last_number(size, MAX_DIMENSION);
  if (width == 0 || height == 0)
    usage();
  return generate(width, height);
}

static struct settings parse_filter(const char *name) {
  static const char *const names[] = {"blur", "sharpen", "edges", "median"};
  static const char prefix[] = "threshold=";
  struct settings settings = {.filter = BLUR, .radius = 1, .threshold = 0};

  if (strncmp(name, prefix, strlen(prefix)) == 0) {
    settings.filter = THRESHOLD;
    settings.threshold = parse_last_number(name + strlen(prefix), MAX_VALUE);
    return settings;
  }
  while (strcmp(name, names[settings.filter]) != 0)
    if (++settings.filter == THRESHOLD)
      usage();
  return settings;
}

int main(int argc, char **argv) {
  struct image image;

  if (argc == 3 && strcmp(argv[1], "generate") == 0) {
    image = parse_and_generate(argv[2]);
  } else if (argc >= 2) {
    struct settings settings = parse_filter(argv[1]);
    FILE *in = stdin;
    int i = 2;
    if (argc - i >= 2 && strcmp(argv[i], "--radius") == 0) {
      settings.radius = parse_last_number(argv[i + 1], MAX_RADIUS);
      i += 2;
    }
    if (settings.radius == 0 || argc - i > 1 || (i < argc && argv[i][0] == '-'))
      usage();
    if (i < argc && (in = fopen(argv[i], "rb")) == NULL) {
      fprintf(stderr, "pgmfilter: %s: %s\n", argv[i], strerror(errno));
      return 1;
    }
    struct image input = read_image(in);
    if (in != stdin)
      fclose(in);
    image = filter_image(&input, settings);
    free(input.pixels);
  } else {
    usage();
  }
  write_image(stdout, &image);
  free(image.pixels);
  return 0;
}
