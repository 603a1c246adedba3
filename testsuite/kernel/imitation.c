// SPDX-License-Identifier: GPL-2.0
/*
 * Tests packaging/linux/kernel/fs.c in a program, which imitates a kernel with
 * the function app() and a module with the function kind(). Each argument is
 * a step of the test.
 */
#define CONFIG_MODULES
#include "imitation.h"

#include "packaging/linux/kernel/fs.c"

extern const struct pathprof_unit __start_module_units[];
extern const struct pathprof_unit __stop_module_units[];
int app(void);
int kind(int n);
void repeat(void (*callback)(void));

static struct module known = { .name = "known" };

static void change_module(unsigned long state)
{
	notifier->notifier_call(notifier, state, &known);
}

/* Sets all bytes of the module's counters. */
static void set_counters(int byte)
{
	for (unsigned int i = 0; i < known.num_pathprof_units; i++)
		memset((void *)known.pathprof_units[i].counters, byte,
		       known.pathprof_units[i].counters_size);
}

/* Reads pathprof/raw in small parts, and writes it to a file. */
static int save(const char *name)
{
	FILE *output;
	struct file file;
	loff_t position = 0;
	char part[100];
	long size;
	int error = raw_file->open(NULL, &file);

	if (error)
		return error;
	app(); /* does not change the snapshot */
	output = fopen(name, "wb");
	while ((size = raw_file->read(&file, part, sizeof(part), &position)) > 0)
		fwrite(part, 1, (size_t)size, output);
	fclose(output);
	return raw_file->release(NULL, &file);
}

static void reset(void)
{
	reset_file->write(NULL, "1", 1, NULL);
}

static int step(const char *text)
{
	const char *argument = strchr(text, '=');
	int number = argument ? atoi(argument + 1) : 0;

	if (!strcmp(text, "app"))
		app();
	else if (!strcmp(text, "load"))
		change_module(MODULE_STATE_COMING);
	else if (!strcmp(text, "unload"))
		change_module(MODULE_STATE_GOING);
	else if (!strcmp(text, "zero"))
		set_counters(0); /* a module is loaded with zeros */
	else if (!strcmp(text, "fill"))
		set_counters(0xff);
	else if (!strcmp(text, "reset"))
		reset();
	else if (!strcmp(text, "reset-in-loop"))
		repeat(reset);
	else if (!strncmp(text, "kind", 4))
		for (int i = 0; i < number; i++)
			kind(i);
	else if (!strncmp(text, "allocations", 11))
		num_allocations = number;
	else if (!strncmp(text, "save", 4))
		printf("%d\n", save(argument + 1));
	else
		return 1;
	return 0;
}

int main(int argc, char **argv)
{
	known.pathprof_units = __start_module_units;
	known.num_pathprof_units =
		(unsigned int)(__stop_module_units - __start_module_units);
	initcall();
	for (int i = 1; i < argc; i++)
		if (step(argv[i]))
			return i;
	return 0;
}
