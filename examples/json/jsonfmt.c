/* jsonfmt.c - checks and reformats JSON text.

   Usage: jsonfmt [--indent N | --compact] [FILE] > OUT

   The input must be one value in the syntax of RFC 8259, in UTF-8.  Only the white space between
   tokens changes; strings and numbers are copied verbatim.  The text is formatted while it is read,
   so the required memory does not depend on its size.  Instead of building a tree, the program keeps
   a stack with one byte per open array or object, and a state that determines which tokens may come
   next.  At the first error, the program stops with a message that contains the line and the column
   (in characters), and the output so far must be discarded.  In addition to syntax errors, the
   program rejects a \u escape for a surrogate that is not part of a pair, and more than MAX_DEPTH
   levels.  */

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 16, MAX_DEPTH = 512, MAX_INDENT = 16, DEFAULT_INDENT = 2 };

struct reader {
  FILE *file;
  const char *name;
  unsigned char buffer[BUFFER_SIZE];
  size_t next, end;
  unsigned long line, column; /* Position of the next character, from 1.  */
};

struct writer {
  char buffer[BUFFER_SIZE];
  size_t size;
  int indent; /* Columns per level, or -1 for compact output.  */
};

/* Tokens that may come next.  */
enum state {
  WANT_VALUE,        /* A value.  */
  WANT_FIRST_VALUE,  /* A value, or the end of the array.  */
  WANT_FIRST_KEY,    /* A member name, or the end of the object.  */
  WANT_KEY,          /* A member name.  */
  WANT_COMMA_OR_END, /* After a value inside an array or object.  */
  WANT_NOTHING       /* After the outermost value.  */
};

static struct reader in;
static struct writer out;
static char stack[MAX_DEPTH]; /* The closing bracket of each open array or object.  */
static int depth;

/* Errors.  */

static _Noreturn void fail(const char *subject, const char *message) {
  fprintf(stderr, "jsonfmt: %s: %s\n", subject, message);
  exit(1);
}

/* Report an error at the next character.  */
static _Noreturn void syntax_error(const char *format, ...) {
  va_list arguments;

  fprintf(stderr, "jsonfmt: %s:%lu:%lu: ", in.name, in.line, in.column);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(1);
}

/* Report that the character C at the current position is not WANTED.  */
static _Noreturn void unexpected(int c, const char *wanted) {
  if (c == EOF)
    syntax_error("unexpected end of the text, expected %s", wanted);
  if (c > 0x20 && c < 0x7f)
    syntax_error("unexpected '%c', expected %s", c, wanted);
  syntax_error("unexpected byte 0x%02x, expected %s", (unsigned)c, wanted);
}

/* Input.  */

/* Return the next byte, or EOF, without consuming it.  */
static int peek(void) {
  if (in.next == in.end) {
    in.next = 0;
    in.end = fread(in.buffer, 1, BUFFER_SIZE, in.file);
    if (ferror(in.file))
      fail(in.name, "cannot read the file");
    if (in.end == 0)
      return EOF;
  }
  return in.buffer[in.next];
}

/* Consume the byte that peek returned.  */
static void skip(void) {
  unsigned char c = in.buffer[in.next++];

  if (c == '\n') {
    in.line++;
    in.column = 1;
  } else if ((c & 0xc0) != 0x80) { /* Not inside a UTF-8 sequence.  */
    in.column++;
  }
}

/* Output.  */

static void flush(void) {
  if (fwrite(out.buffer, 1, out.size, stdout) != out.size || fflush(stdout) != 0)
    fail("stdout", "cannot write the output");
  out.size = 0;
}

static void put(int c) {
  if (out.size == BUFFER_SIZE)
    flush();
  out.buffer[out.size++] = (char)c;
}

/* Consume the byte C and write it.  */
static void copy(int c) {
  put(c);
  skip();
}

static void new_line(void) {
  if (out.indent < 0)
    return;
  put('\n');
  for (int i = depth * out.indent; i > 0; i--)
    put(' ');
}

/* Strings.  */

/* Copy the four digits of a \u escape and return their value.  */
static unsigned copy_hex4(void) {
  unsigned value = 0;

  for (int i = 0; i < 4; i++) {
    int c = peek();
    if (c >= '0' && c <= '9')
      value = value << 4 | (unsigned)(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value << 4 | (unsigned)(c - 'a' + 10);
    else if (c >= 'A' && c <= 'F')
      value = value << 4 | (unsigned)(c - 'A' + 10);
    else
      unexpected(c, "a hexadecimal digit");
    copy(c);
  }
  return value;
}

/* Copy the character C, which must come next.  */
static void copy_expected(int c, const char *wanted) {
  if (peek() != c)
    unexpected(peek(), wanted);
  copy(c);
}

static void copy_unicode_escape(void) {
  unsigned value = copy_hex4();

  if (value >= 0xdc00 && value <= 0xdfff)
    syntax_error("low surrogate \\u%04x without a preceding high surrogate", value);
  if (value >= 0xd800 && value <= 0xdbff) {
    copy_expected('\\', "a low surrogate");
    copy_expected('u', "a low surrogate");
    value = copy_hex4();
    if (value < 0xdc00 || value > 0xdfff)
      syntax_error("\\u%04x is not the low surrogate of a pair", value);
  }
}

/* Copy the rest of an escape sequence after the backslash.  */
static void copy_escape(void) {
  int c = peek();

  switch (c) {
  case '"':
  case '\\':
  case '/':
  case 'b':
  case 'f':
  case 'n':
  case 'r':
  case 't':
    copy(c);
    break;
  case 'u':
    copy(c);
    copy_unicode_escape();
    break;
  default:
    unexpected(c, "an escape character");
  }
}

/* Copy a character of two to four bytes, the first of which is C.  After some first bytes, the range
   of the second byte is smaller; this excludes overlong forms, surrogates, and values that are too
   large.  */
static void copy_utf8(int c) {
  int low = 0x80, high = 0xbf, more;

  if (c >= 0xc2 && c <= 0xdf) {
    more = 1;
  } else if (c >= 0xe0 && c <= 0xef) {
    more = 2;
    if (c == 0xe0)
      low = 0xa0;
    else if (c == 0xed)
      high = 0x9f;
  } else if (c >= 0xf0 && c <= 0xf4) {
    more = 3;
    if (c == 0xf0)
      low = 0x90;
    else if (c == 0xf4)
      high = 0x8f;
  } else {
    unexpected(c, "UTF-8");
  }
  put(c);
  for (in.next++; more > 0; more--, in.next++) {
    c = peek();
    if (c < low || c > high)
      unexpected(c, "the rest of a UTF-8 character");
    put(c);
    low = 0x80;
    high = 0xbf;
  }
  in.column++;
}

static void copy_string(void) {
  copy('"');
  for (;;) {
    int c = peek();
    if (c == '"') {
      copy(c);
      return;
    }
    if (c == '\\') {
      copy(c);
      copy_escape();
    } else if (c >= 0x80) {
      copy_utf8(c);
    } else if (c >= 0x20) {
      copy(c);
    } else {
      unexpected(c, c == EOF ? "the end of a string" : "an escape for a control character");
    }
  }
}

/* Numbers and literal names.  */

static bool is_digit(int c) {
  return c >= '0' && c <= '9';
}

/* Copy one or more digits.  */
static void copy_digits(void) {
  int c = peek();

  if (!is_digit(c))
    unexpected(c, "a digit");
  do {
    copy(c);
    c = peek();
  } while (is_digit(c));
}

/* With SEEDED_BUG, the sign of an exponent is lost, but only in a negative number without a fraction.  Many passing
   runs also execute each of these lines (see examples/failing).  */
static void copy_number(void) {
#ifdef SEEDED_BUG
  int sign = 0;
#endif

  if (peek() == '-') {
#ifdef SEEDED_BUG
    sign = '-';
#endif
    copy('-');
  }
  if (peek() == '0') {
    copy('0');
    if (is_digit(peek()))
      syntax_error("leading zero in a number");
  } else {
    copy_digits();
  }
  if (peek() == '.') {
#ifdef SEEDED_BUG
    sign = 0;
#endif
    copy('.');
    copy_digits();
  }
  if (peek() == 'e' || peek() == 'E') {
    copy(peek());
    if (peek() == '+' || peek() == '-') {
#ifdef SEEDED_BUG
      if (sign)
        skip();
      else
#endif
        copy(peek());
    }
    copy_digits();
  }
}

static void copy_name(const char *name) {
  for (const char *p = name; *p != '\0'; p++)
    copy_expected(*p, name);
}

/* Structure.  */

static int skip_space(void) {
  int c;

  while ((c = peek()) == ' ' || c == '\n' || c == '\r' || c == '\t')
    skip();
  return c;
}

static enum state after_value(void) {
  return depth > 0 ? WANT_COMMA_OR_END : WANT_NOTHING;
}

static enum state open_bracket(int c) {
  if (depth == MAX_DEPTH)
    syntax_error("more than %d levels", MAX_DEPTH);
  stack[depth++] = c == '[' ? ']' : '}';
  copy(c);
  return c == '[' ? WANT_FIRST_VALUE : WANT_FIRST_KEY;
}

static enum state close_bracket(int c, bool empty) {
  depth--;
  if (!empty)
    new_line();
  copy(c);
  return after_value();
}

/* Copy a value that starts with C.  For an array or an object, this is only the bracket.  */
static enum state copy_value(int c) {
  switch (c) {
  case '{':
  case '[':
    return open_bracket(c);
  case '"':
    copy_string();
    break;
  case 't':
    copy_name("true");
    break;
  case 'f':
    copy_name("false");
    break;
  case 'n':
    copy_name("null");
    break;
  default:
    if (c != '-' && !is_digit(c))
      unexpected(c, "a value");
    copy_number();
  }
  return after_value();
}

static enum state copy_key(int c) {
  if (c != '"')
    unexpected(c, "a member name");
  new_line();
  copy_string();
  c = skip_space();
  if (c != ':')
    unexpected(c, "':'");
  copy(c);
  if (out.indent >= 0)
    put(' ');
  return WANT_VALUE;
}

/* Handle C after a value inside an array or object.  */
static enum state copy_comma_or_end(int c) {
  bool in_array = stack[depth - 1] == ']';

  if (c == stack[depth - 1])
    return close_bracket(c, false);
  if (c != ',')
    unexpected(c, in_array ? "',' or ']'" : "',' or '}'");
  copy(c);
  if (!in_array)
    return WANT_KEY;
  new_line();
  return WANT_VALUE;
}

static void reformat(void) {
  enum state state = WANT_VALUE;
  int c;

  while ((c = skip_space()) != EOF || state != WANT_NOTHING) {
    switch (state) {
    case WANT_VALUE:
      state = copy_value(c);
      break;
    case WANT_FIRST_VALUE:
      if (c == ']') {
        state = close_bracket(c, true);
      } else {
        new_line();
        state = copy_value(c);
      }
      break;
    case WANT_FIRST_KEY:
      state = c == '}' ? close_bracket(c, true) : copy_key(c);
      break;
    case WANT_KEY:
      state = copy_key(c);
      break;
    case WANT_COMMA_OR_END:
      state = copy_comma_or_end(c);
      break;
    case WANT_NOTHING:
      unexpected(c, "the end of the text");
    }
  }
  put('\n');
  flush();
}

/* Command line.  */

static _Noreturn void usage(void) {
  fprintf(stderr, "usage: jsonfmt [--indent N | --compact] [FILE] > OUT\n");
  exit(2);
}

static int parse_indent(const char *text) {
  char *end;
  long value;

  if (text == NULL || !is_digit(*text))
    usage();
  value = strtol(text, &end, 10);
  if (*end != '\0' || value > MAX_INDENT)
    usage();
  return (int)value;
}

int main(int argc, char **argv) {
  int i = 1;

  out.indent = DEFAULT_INDENT;
  for (; i < argc && argv[i][0] == '-'; i++) {
    if (strcmp(argv[i], "--compact") == 0)
      out.indent = -1;
    else if (strcmp(argv[i], "--indent") == 0)
      out.indent = parse_indent(argv[++i]);
    else
      usage();
  }
  if (argc - i > 1)
    usage();
  in.file = stdin;
  in.name = "stdin";
  if (i < argc) {
    in.name = argv[i];
    in.file = fopen(in.name, "rb");
    if (in.file == NULL)
      fail(in.name, strerror(errno));
  }
  in.line = in.column = 1;
  reformat();
  if (in.file != stdin)
    fclose(in.file);
  return 0;
}
