/* tinybc.h - the bytecode of tinybc, shared by the compiler and the interpreter.

   An instruction is an opcode byte and an operand of 0, 1 or 2 bytes (big-endian).  Operands of the
   stack machine are 64-bit integers that wrap around.  The first slots of a function's frame contain
   its parameters and local variables, and the operands are above them.  Function 0 is the top level
   of the program.  */

#ifndef TINYBC_H
#define TINYBC_H

#include <stdint.h>

/* -DCOMBINED adds an instruction for a frequent sequence: x % y == constant.  */
#ifdef COMBINED
#define COMBINED_OPCODES(X) X(MOD_CONST_EQ, 2, -1) /* like MOD, CONST and EQ */
#else
#define COMBINED_OPCODES(X)
#endif

/* X (opcode, bytes of operand, change of the stack depth).  For OP_CALL, that change does not include
   the arguments, which are popped, too.  */
#define OPCODES(X)                                                                                 \
  X(CONST, 2, 1)      /* push constants[operand] */                                                \
  X(LOAD_LOCAL, 1, 1) /* push a slot of the frame */                                               \
  X(LOAD_GLOBAL, 1, 1)                                                                             \
  X(STORE_LOCAL, 1, -1) /* pop to a slot of the frame */                                           \
  X(STORE_GLOBAL, 1, -1)                                                                           \
  X(ADD, 0, -1)                                                                                    \
  X(SUB, 0, -1)                                                                                    \
  X(MUL, 0, -1)                                                                                    \
  X(DIV, 0, -1)                                                                                    \
  X(MOD, 0, -1)                                                                                    \
  X(EQ, 0, -1)                                                                                     \
  X(NE, 0, -1)                                                                                     \
  X(LT, 0, -1)                                                                                     \
  X(LE, 0, -1)                                                                                     \
  X(GT, 0, -1)                                                                                     \
  X(GE, 0, -1)                                                                                     \
  X(NEG, 0, 0)                                                                                     \
  X(NOT, 0, 0)                                                                                     \
  X(JUMP, 2, 0)          /* jump to an address */                                                  \
  X(JUMP_IF_ZERO, 2, -1) /* pop, and jump to an address if it was 0 */                             \
  X(AND, 2, -1)          /* jump to an address if the top is 0, pop otherwise */                   \
  X(OR, 2, -1)           /* jump to an address if the top is not 0, pop otherwise */               \
  X(CALL, 1, 1)          /* call functions[operand] */                                             \
  X(RETURN, 0, -1)       /* pop the result and the frame, push the result */                       \
  X(POP, 0, -1)                                                                                    \
  X(PRINT, 1, -1) /* pop and print a number, then the operand as a character */                    \
  COMBINED_OPCODES(X)                                                                              \
  X(HALT, 0, 0)

#define OPCODE_NAME(name, operand, effect) OP_##name,
enum opcode { OPCODES(OPCODE_NAME) OPCODE_COUNT };
#undef OPCODE_NAME

enum { MAX_CODE = 65535, MAX_CONSTANTS = 4096, MAX_FUNCTIONS = 256, MAX_VARIABLES = 256 };

/* A substring of the source.  */
struct name {
  const char *start;
  int length;
};

struct function {
  struct name name;
  uint32_t address;
  int parameters;
  int slots;     /* Number of parameters and local variables.  */
  int max_depth; /* Maximum number of operands above them.  */
  int line;      /* Line of the first reference.  */
  int defined;
};

struct program {
  uint8_t code[MAX_CODE];
  int line[MAX_CODE]; /* Source line of each byte of the code.  */
  uint32_t code_size;
  int64_t constants[MAX_CONSTANTS];
  int constant_count;
  struct function functions[MAX_FUNCTIONS];
  int function_count;
};

/* Print "tinybc: FILE:LINE: message" and exit with status 1.  */
_Noreturn void error_at(int line, const char *format, ...);

/* Compile SOURCE, or exit with an error message (compile.c).  */
void compile(const char *source, struct program *program);

#endif
