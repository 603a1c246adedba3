/* tinybc.c - an interpreter for a small language of integers, variables and functions.

   Usage: tinybc [FILE]

   compile.c compiles the program to the bytecode of tinybc.h, and this file executes the bytecode in
   a loop around one switch.  The compiler computes the maximum stack depth of each function, so stack
   overflow is checked only when a function is called.  */

#include "tinybc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_SIZE = 1 << 16, MAX_FRAMES = 4096 };

struct frame {
  uint32_t return_address;
  int64_t *slots;
};

static const char *file_name = "stdin";

static _Noreturn void fail(const char *message) {
  fprintf(stderr, "tinybc: %s: %s\n", file_name, message);
  exit(1);
}

_Noreturn void error_at(int line, const char *format, ...) {
  va_list arguments;

  fflush(stdout);
  fprintf(stderr, "tinybc: %s:%d: ", file_name, line);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(1);
}

/* Arithmetic with wrap-around.  */

static int64_t add(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}
static int64_t subtract(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a - (uint64_t)b);
}
static int64_t multiply(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a * (uint64_t)b);
}
static int64_t divide(int64_t a, int64_t b) {
  return b == -1 ? subtract(0, a) : a / b;
}
static int64_t modulo(int64_t a, int64_t b) {
  return b == -1 ? 0 : a % b;
}

/* Execute the program.  TOP points to the most recently pushed operand.  */
static void run(const struct program *p) {
  static int64_t stack[STACK_SIZE];
  static int64_t globals[MAX_VARIABLES];
  static struct frame frames[MAX_FRAMES];
  const uint8_t *code = p->code;
  struct frame *frame = frames;
  int64_t *top = stack + p->functions[0].slots;
  uint32_t pc = 0;

  frame->slots = stack + 1;
  for (;;) {
    switch (code[pc++]) {
    case OP_CONST:
      *++top = p->constants[code[pc] << 8 | code[pc + 1]];
      pc += 2;
      break;
    case OP_LOAD_LOCAL:
      *++top = frame->slots[code[pc++]];
      break;
    case OP_LOAD_GLOBAL:
      *++top = globals[code[pc++]];
      break;
    case OP_STORE_LOCAL:
      frame->slots[code[pc++]] = *top--;
      break;
    case OP_STORE_GLOBAL:
      globals[code[pc++]] = *top--;
      break;
    case OP_ADD:
      top--;
      top[0] = add(top[0], top[1]);
      break;
    case OP_SUB:
      top--;
      top[0] = subtract(top[0], top[1]);
      break;
    case OP_MUL:
      top--;
      top[0] = multiply(top[0], top[1]);
      break;
    case OP_DIV:
      top--;
      if (top[1] == 0)
        error_at(p->line[pc - 1], "division by zero");
      top[0] = divide(top[0], top[1]);
      break;
    case OP_MOD:
      top--;
      if (top[1] == 0)
        error_at(p->line[pc - 1], "division by zero");
      top[0] = modulo(top[0], top[1]);
      break;
    case OP_EQ:
      top--;
      top[0] = top[0] == top[1];
      break;
    case OP_NE:
      top--;
      top[0] = top[0] != top[1];
      break;
    case OP_LT:
      top--;
      top[0] = top[0] < top[1];
      break;
    case OP_LE:
      top--;
      top[0] = top[0] <= top[1];
      break;
    case OP_GT:
      top--;
      top[0] = top[0] > top[1];
      break;
    case OP_GE:
      top--;
      top[0] = top[0] >= top[1];
      break;
    case OP_NEG:
      *top = subtract(0, *top);
      break;
    case OP_NOT:
      *top = *top == 0;
      break;
    case OP_JUMP:
      pc = (uint32_t)code[pc] << 8 | code[pc + 1];
      break;
    case OP_JUMP_IF_ZERO:
      if (*top-- == 0)
        pc = (uint32_t)code[pc] << 8 | code[pc + 1];
      else
        pc += 2;
      break;
    case OP_AND:
      if (*top == 0) {
        pc = (uint32_t)code[pc] << 8 | code[pc + 1];
      } else {
        top--;
        pc += 2;
      }
      break;
    case OP_OR:
      if (*top != 0) {
        pc = (uint32_t)code[pc] << 8 | code[pc + 1];
      } else {
        top--;
        pc += 2;
      }
      break;
    case OP_CALL: {
      const struct function *f = &p->functions[code[pc++]];
      int locals = f->slots - f->parameters;
      if (frame == frames + MAX_FRAMES - 1 || stack + STACK_SIZE - top <= locals + f->max_depth)
        error_at(p->line[pc - 1], "stack overflow in a call of '%.*s'", f->name.length,
                 f->name.start);
      frame++;
      frame->return_address = pc;
      frame->slots = top + 1 - f->parameters;
      memset(top + 1, 0, (size_t)locals * sizeof *top);
      top += locals;
      pc = f->address;
      break;
    }
    case OP_RETURN: {
      int64_t result = *top;
      top = frame->slots;
      *top = result;
      pc = frame->return_address;
      frame--;
      break;
    }
    case OP_POP:
      top--;
      break;
    case OP_PRINT:
      printf("%lld%c", (long long)*top--, code[pc++]);
      break;
#ifdef COMBINED
    case OP_MOD_CONST_EQ:
      top--;
      if (top[1] == 0)
        error_at(p->line[pc - 1], "division by zero");
      top[0] = modulo(top[0], top[1]) == p->constants[code[pc] << 8 | code[pc + 1]];
      pc += 2;
      break;
#endif
    case OP_HALT:
      return;
    }
  }
}

/* Return the contents of a file as a string.  */
static char *read_source(FILE *in) {
  size_t size = 0, capacity = 4096, got;
  char *text = malloc(capacity);

  while (text != NULL && (got = fread(text + size, 1, capacity - size, in)) > 0) {
    size += got;
    if (size == capacity)
      text = realloc(text, capacity *= 2);
  }
  if (text == NULL)
    fail("out of memory");
  if (ferror(in))
    fail("cannot read the file");
  text[size] = '\0';
  if (strlen(text) != size)
    fail("not a text file");
  return text;
}

int main(int argc, char **argv) {
  static struct program program;
  FILE *in = stdin;

  if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
    fprintf(stderr, "usage: tinybc [FILE]\n");
    return 2;
  }
  if (argc == 2) {
    file_name = argv[1];
    in = fopen(file_name, "r");
    if (in == NULL)
      fail(strerror(errno));
  }
  char *source = read_source(in);
  if (in != stdin)
    fclose(in);
  compile(source, &program);
  run(&program);
  free(source);
  if (fflush(stdout) != 0 || ferror(stdout))
    fail("cannot write the output");
  return 0;
}
