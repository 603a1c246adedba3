/* A loop, and a decision before it.  */
int odd, big;

void led (int n)
{
  if (n > 5)
    big++;
  while (n > 0)
    {
      if (n & 1)
        odd++;
      n--;
    }
}

int main (void)
{
  for (int i = 0; i < 10; i++)
    led (i);
}
