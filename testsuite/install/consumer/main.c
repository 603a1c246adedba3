#include <stdio.h>

int sides(int shape);

int main(void) {
  int sum = 0;
  for (int shape = 0; shape < 9; shape++)
    sum += sides(shape % 3);
  printf("%d\n", sum);
  return 0;
}
