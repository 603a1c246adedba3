/* The function of the pictures: six blocks, a loop with one decision in it.  */
int odd, rest;

void six (int n)
{
  while (n > 0)
    {
      if (n & 1)
        odd++;
      n--;
    }
  rest = n;
}

int main (void)
{
  for (int i = 0; i < 10; i++)
    six (i);
}
