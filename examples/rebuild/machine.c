/* An interpreter of one small program, in which each operation is almost always followed by the same operation.  */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum op { LOAD, ADD, STORE, XOR, SHIFT, DEC, LOOP, MUL, SUB, SWAP, NOT, NEG, HALT };

__attribute__ ((noinline)) uint32_t
run (const uint8_t *code, uint32_t n)
{
  uint32_t a = 1, b = 2, c = 3, pc = 0;
  for (;;)
    switch (code[pc++])
      {
      case LOAD: a = b + code[pc++]; break;
      case ADD: a += c; break;
      case STORE: b = a; break;
      case XOR: c ^= a; break;
      case SHIFT: c = c << 3 | c >> 29; break;
      case DEC: n--; break;
      case LOOP: pc = n ? 0 : pc; break;
      case MUL: a *= b; break;
      case SUB: a -= b; break;
      case SWAP: { uint32_t t = a; a = b; b = t; break; }
      case NOT: a = ~a; break;
      case NEG: a = -a; break;
      default: return a ^ b ^ c;
      }
}

int
main (int argc, char **argv)
{
  static const uint8_t code[] = { LOAD, 5, ADD, XOR, SHIFT, STORE, LOAD, 9, ADD, XOR, SHIFT, STORE, LOAD, 2, ADD, XOR, SHIFT, STORE, DEC, LOOP, MUL, SUB, SWAP, NOT, NEG, HALT };
  uint32_t rounds = argc > 1 ? atoi (argv[1]) : 1000;
  printf ("%u\n", run (code, rounds));
  return 0;
}
