/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing hash table with chains: insertions, look-ups and deletions.  Argument: rounds.  */
#include <stdio.h>
#include <stdlib.h>

struct entry {
  struct entry *next;
  unsigned key;
  unsigned value;
};

static struct entry **slots;
static unsigned num_slots, num_entries;

static struct entry **find(unsigned key)
{
  struct entry **at = &slots[(key * 2654435761u) & (num_slots - 1)];
  while (*at && (*at)->key != key)
    at = &(*at)->next;
  return at;
}

static void grow(void)
{
  struct entry **old = slots;
  unsigned old_slots = num_slots;
  num_slots = old_slots ? 2 * old_slots : 16;
  slots = calloc(num_slots, sizeof *slots);
  if (!slots)
    abort();
  for (unsigned i = 0; i < old_slots; i++)
    for (struct entry *entry = old[i], *next; entry; entry = next) {
      struct entry **at = find(entry->key);
      next = entry->next;
      entry->next = NULL;
      *at = entry;
    }
  free(old);
}

static void add(unsigned key, unsigned value)
{
  if (num_entries >= num_slots)
    grow();
  struct entry **at = find(key);
  if (*at) {
    (*at)->value += value;
    return;
  }
  struct entry *entry = malloc(sizeof *entry);
  if (!entry)
    abort();
  *entry = (struct entry){NULL, key, value};
  *at = entry;
  num_entries++;
}

static int take(unsigned key)
{
  if (num_slots == 0)
    return 0;
  struct entry **at = find(key);
  struct entry *entry = *at;
  if (!entry)
    return 0;
  *at = entry->next;
  free(entry);
  num_entries--;
  return 1;
}

int main(int argc, char **argv)
{
  unsigned random = 3;
  unsigned taken = 0;
  for (int rounds = argc > 1 ? atoi(argv[1]) : 1; rounds > 0; rounds--)
    for (int i = 0; i < 100000; i++) {
      random = random * 1664525u + 1013904223u;
      unsigned key = (random >> 12) % 20000;
      if (random >> 31)
        taken += (unsigned)take(key);
      else
        add(key, random & 15);
    }
  printf("%u %u\n", taken, num_entries);
  return 0;
}
