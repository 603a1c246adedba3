/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary trees: allocation, recursion and release.  Argument: rounds.  */
#include <stdio.h>
#include <stdlib.h>

struct tree {
  struct tree *left, *right;
};

static struct tree *build(int depth)
{
  struct tree *tree = malloc(sizeof *tree);
  if (!tree)
    abort();
  tree->left = depth > 0 ? build(depth - 1) : NULL;
  tree->right = depth > 0 ? build(depth - 1) : NULL;
  return tree;
}

static long count(const struct tree *tree)
{
  return tree->left ? 1 + count(tree->left) + count(tree->right) : 1;
}

static void release(struct tree *tree)
{
  if (tree->left) {
    release(tree->left);
    release(tree->right);
  }
  free(tree);
}

int main(int argc, char **argv)
{
  long nodes = 0;
  for (int rounds = argc > 1 ? atoi(argv[1]) : 1; rounds > 0; rounds--)
    for (int depth = 4; depth <= 14; depth += 2) {
      struct tree *tree = build(depth);
      nodes += count(tree);
      release(tree);
    }
  printf("%ld\n", nodes);
  return 0;
}
