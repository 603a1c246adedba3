/* A program with a memcpy of its own, which the runtime calls too while it takes the counts: how often is
   not the program's business, but what it counts must agree with itself. */
/* EXPECT-OPTIONS: -fno-builtin */
typedef __SIZE_TYPE__ size_t;

void *
memcpy (void *to, const void *from, size_t n)
{
  volatile char *out = to;
  const char *in = from;
  for (size_t i = 0; i < n; i++)
    if (in[i])
      out[i] = in[i];
    else
      out[i] = 0;
  return to;
}

/* EXPECT-LINE a: 1 */
int
main (void)
{
  char text[] = "paths", copy[sizeof text];
  memcpy (copy, text, sizeof text);
  return copy[1] != 'a'; /* @a */
}
