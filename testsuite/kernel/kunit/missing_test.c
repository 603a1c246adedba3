// SPDX-License-Identifier: GPL-2.0
/*
 * Two tests for lib/sort.c. They execute the first paths that 'pathdump
 * coverage --missing' lists, which KUnit's own test of sort() does not execute.
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sort.h>

/* Compares two numbers in the order that the flag requests. */
static int compare_in_order(const void *a, const void *b, const void *is_descending)
{
	int order = *(const int *)a - *(const int *)b;

	return *(const bool *)is_descending ? -order : order;
}

/* do_cmp() passes the last argument of sort_r() to the comparison. */
static void test_comparison_with_argument(struct kunit *test)
{
	int numbers[] = { 5, -2, 9, 0, 9, 3 };
	bool is_descending = true;
	int i;

	sort_r(numbers, ARRAY_SIZE(numbers), sizeof(numbers[0]),
	       compare_in_order, NULL, &is_descending);
	for (i = 0; i + 1 < ARRAY_SIZE(numbers); i++)
		KUNIT_EXPECT_GE(test, numbers[i], numbers[i + 1]);
}

struct entry {
	u32 key;
	u32 copies[2];
};

static int compare_keys(const void *a, const void *b)
{
	u32 one = ((const struct entry *)a)->key;
	u32 other = ((const struct entry *)b)->key;

	return one < other ? -1 : one > other;
}

/* swap_words_32() exchanges elements of several words. */
static void test_elements_of_several_words(struct kunit *test)
{
	struct entry entries[7];
	int i;

	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		u32 key = (i * 4) % ARRAY_SIZE(entries);

		entries[i] = (struct entry){ key, { key, key } };
	}
	sort(entries, ARRAY_SIZE(entries), sizeof(entries[0]), compare_keys, NULL);
	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		KUNIT_EXPECT_EQ(test, entries[i].key, (u32)i);
		KUNIT_EXPECT_EQ(test, entries[i].copies[0], (u32)i);
		KUNIT_EXPECT_EQ(test, entries[i].copies[1], (u32)i);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_comparison_with_argument),
	KUNIT_CASE(test_elements_of_several_words),
	{}
};

static struct kunit_suite suite = {
	.name = "pathprof-missing",
	.test_cases = cases,
};

kunit_test_suites(&suite);
MODULE_LICENSE("GPL");
