/* A flexible array that says how many elements it has: what asks for its size reads the count, and bounds are checked. */
/* EXPECT-SINCE: 15 */
/* EXPECT-OPTIONS: */
/* EXPECT-OPTIONS: -fsanitize=bounds */
/* EXPECT-OPTIONS: -D_FORTIFY_SOURCE=3 */
#include <stdlib.h>
#include <string.h>

struct List
{
  int count;
  char values[] __attribute__ ((counted_by (count)));
};

static volatile int sink;

static __attribute__ ((noinline)) void
hit (int n)
{
  sink = n;
}

/* EXPECT-LINE odd: 5 */
/* EXPECT-LINE sized: 1 */
static __attribute__ ((noinline)) void
fill (struct List *list)
{
  memset (list->values, 0, (size_t) list->count);
  for (int i = 0; i < list->count; i++)
    {
      list->values[i] = (char) i;
      if (i % 2)
        hit (i); /* @odd */
    }
  if (__builtin_dynamic_object_size (list->values, 1) >= 10)
    hit (20); /* @sized */
}

int
main (void)
{
  struct List *list = malloc (sizeof *list + 10);
  list->count = 10;
  fill (list);
  free (list);
  return 0;
}
