/* SPDX-License-Identifier: GPL-2.0 */
/* Imitates the parts of Linux that packaging/linux/kernel/fs.c uses, for tests in a program. */
#ifndef IMITATION_H
#define IMITATION_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef long long position_t;
#define loff_t position_t
#define ssize_t long
#define U32_MAX UINT32_MAX
#define __user
#define __init
#define GFP_KERNEL 0
#define THIS_MODULE NULL
#define NOTIFY_OK 1
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define pr_warn(format, ...) fprintf(stderr, pr_fmt(format), __VA_ARGS__)
#define fs_initcall(function) int (*const initcall)(void) = function

struct list_head {
	struct list_head *next, *prev;
};
#define LIST_HEAD(name) struct list_head name = { &(name), &(name) }
#define entry_of(pointer, type) ((type *)((char *)(pointer) - offsetof(type, list)))
#define list_for_each_entry(at, head, member)                                  \
	for (at = entry_of((head)->next, typeof(*at)); &at->member != (head);  \
	     at = entry_of(at->member.next, typeof(*at)))
#define list_for_each_entry_safe(at, after, head, member)                      \
	for (at = entry_of((head)->next, typeof(*at));                         \
	     after = entry_of(at->member.next, typeof(*at)),                   \
	    &at->member != (head);                                             \
	     at = after)

static inline void list_add_tail(struct list_head *added, struct list_head *head)
{
	added->next = head;
	added->prev = head->prev;
	head->prev->next = added;
	head->prev = added;
}

static inline void list_del(struct list_head *removed)
{
	removed->prev->next = removed->next;
	removed->next->prev = removed->prev;
}

#define DEFINE_MUTEX(name) bool name
static inline void mutex_lock(bool *mutex)
{
	if (*mutex)
		abort();
	*mutex = true;
}

static inline void mutex_unlock(bool *mutex)
{
	*mutex = false;
}

/* Number of allocations that succeed. */
static int num_allocations = 1000;

static inline void *vmalloc(size_t size)
{
	return num_allocations-- > 0 ? malloc(size) : NULL;
}
#define kmalloc(size, flags) vmalloc(size)
#define vfree(memory) free(memory)
#define kfree(memory) free(memory)

static inline void *kzalloc(size_t size, int flags)
{
	void *memory = kmalloc(size, flags);

	return memory ? memset(memory, 0, size) : NULL;
}

static inline void strscpy(char *to, const char *from, size_t size)
{
	snprintf(to, size, "%s", from);
}

static inline int stop_machine(int (*function)(void *), void *data, void *cpus)
{
	return cpus ? -1 : function(data);
}

struct inode;
struct file {
	void *private_data;
};
struct file_operations {
	const void *owner;
	int (*open)(struct inode *inode, struct file *file);
	long (*read)(struct file *file, char *to, size_t size, loff_t *position);
	long (*write)(struct file *file, const char *from, size_t size,
		      loff_t *position);
	int (*release)(struct inode *inode, struct file *file);
	void *llseek;
};
#define default_llseek NULL

static inline int nonseekable_open(struct inode *inode, struct file *file)
{
	return inode || !file;
}

static inline long simple_read_from_buffer(char *to, size_t size,
					   loff_t *position, const void *from,
					   size_t available)
{
	size = min_t(size_t, size, available - (size_t)*position);
	memcpy(to, (const char *)from + *position, size);
	*position += (loff_t)size;
	return (long)size;
}

/* The files that the code has created in debugfs. */
static const struct file_operations *raw_file, *reset_file;

struct dentry;
#define debugfs_create_dir(name, parent) NULL
static inline void debugfs_create_file(const char *name, int mode,
				       struct dentry *folder, void *data,
				       const struct file_operations *operations)
{
	if (folder || data)
		abort();
	*(mode == 0400 && !strcmp(name, "raw") ? &raw_file : &reset_file) =
		operations;
}

enum { MODULE_STATE_COMING = 1, MODULE_STATE_GOING = 2 };

struct module {
	char name[56];
	const struct pathprof_unit *pathprof_units;
	unsigned int num_pathprof_units;
};

struct notifier_block {
	int (*notifier_call)(struct notifier_block *block, unsigned long state,
			     void *data);
};

static struct notifier_block *notifier;

static inline void register_module_notifier(struct notifier_block *block)
{
	notifier = block;
}

#endif
