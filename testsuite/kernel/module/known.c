// SPDX-License-Identifier: GPL-2.0
/* A module whose function classify() is called a known number of times. */
#include <linux/init.h>
#include <linux/module.h>

static int calls;
module_param(calls, int, 0);

static noinline int classify(int n)
{
	if (n % 3 == 0 && n > 10)
		return 1;
	if (n & 1)
		return 2;
	return 3;
}

static int __init known_init(void)
{
	int i, sum = 0;

	for (i = 0; i < calls; i++)
		sum += classify(i);
	return sum < 0;
}

static void __exit known_exit(void)
{
	classify(1);
}

module_init(known_init);
module_exit(known_exit);
MODULE_LICENSE("GPL");
