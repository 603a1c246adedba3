// SPDX-License-Identifier: GPL-2.0
/*
 * Delivers the counters of instrumented kernel code to user space.
 *
 * The pathprof plugin adds a record (struct pathprof_unit) and counters to each
 * instrumented object file. Instrumented code only increments counters. This
 * file provides two files in debugfs:
 *
 *   pathprof/raw	all counters, as 'pathdump import' of pathprof reads them
 *   pathprof/reset	a write sets all counters to zero
 *
 * pathprof/raw contains a stream of the kernel and a stream of each module that
 * has been loaded since the last reset, even if the module was unloaded. The
 * file doc/format.md of pathprof specifies the streams. All CPUs are stopped
 * while the counters are copied, so that the counts are those of one moment.
 */
#define pr_fmt(fmt) "pathprof: " fmt

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/stop_machine.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/vmalloc.h>

#define UNIT_VERSION	0x50460100	/* + size of a counter */
#define MAGIC_SIZE	8
#define KERNEL_MAGIC	"\x89PATHFS\n"
#define MODULE_MAGIC	"\x89PATHFM\n"
#define RESET_MAGIC	"\x89PATHFR\n"
#define NAME_SIZE	64
#define HASH_START	0x811c9dc5
#define HASH_FACTOR	0x01000193

/* The record of an object file. */
struct pathprof_unit {
	unsigned long version;		/* UNIT_VERSION + size of a counter */
	unsigned long key;
	unsigned long notes;		/* offset in .pathprof_notes */
	unsigned long notes_size;
	unsigned long counters;		/* address, or 0 */
	unsigned long counters_size;	/* in bytes */
};

/* The part of a module's stream between the magic and the records. */
struct module_header {
	char name[NAME_SIZE];
	u64 records_size;
};

/* The kernel, or a module that is loaded. */
struct image {
	struct list_head list;
	const char *name;		/* NULL: the kernel */
	const struct module *module;
	const struct pathprof_unit *units;
	size_t num_units;
};

/* The stream of a module that was unloaded. */
struct unloaded {
	struct list_head list;
	size_t size;
	u8 *stream;
};

/* Contents of pathprof/raw, fixed when the file is opened. */
struct snapshot {
	size_t size;
	u8 data[];
};

extern const struct pathprof_unit __start_pathprof_freestanding[];
extern const struct pathprof_unit __stop_pathprof_freestanding[];

/* Protects the following variables and the elements of the lists. */
static DEFINE_MUTEX(lock);
static bool was_reset;
static struct image kernel_image;
static LIST_HEAD(images);
static LIST_HEAD(unloaded_modules);

static size_t records_size(const struct image *image)
{
	return image->num_units * sizeof(struct pathprof_unit);
}

static size_t header_size(const struct image *image)
{
	return MAGIC_SIZE + (image->name ? sizeof(struct module_header) : 0);
}

static size_t stream_size(const struct image *image)
{
	size_t size = header_size(image) + records_size(image) + sizeof(u32);
	size_t i;

	for (i = 0; i < image->num_units; i++)
		size += image->units[i].counters_size;
	return size;
}

static u8 *put(u8 *at, const void *data, size_t size)
{
	memcpy(at, data, size);
	return at + size;
}

/*
 * Writes the part of the stream before the counters. The addresses in the
 * records are made relative to the first unit, so they do not depend on the
 * address of the kernel or module. Returns the end of this part.
 */
static u8 *put_records(u8 *at, const struct image *image)
{
	const struct pathprof_unit *first = NULL;
	struct module_header header = { .records_size = records_size(image) };
	size_t i;

	at = put(at, image->name ? MODULE_MAGIC : KERNEL_MAGIC, MAGIC_SIZE);
	if (image->name) {
		strscpy(header.name, image->name, NAME_SIZE);
		at = put(at, &header, sizeof(header));
	}
	for (i = 0; i < image->num_units; i++) {
		struct pathprof_unit unit = image->units[i];

		if (!first && unit.counters)
			first = &image->units[i];
		unit.notes -= image->units[0].notes;
		if (unit.counters)
			unit.counters -= first->counters;
		at = put(at, &unit, sizeof(unit));
	}
	return at;
}

static u8 *put_counters(u8 *at, const struct image *image)
{
	size_t i;

	for (i = 0; i < image->num_units; i++)
		at = put(at, (const void *)image->units[i].counters,
			 image->units[i].counters_size);
	return at;
}

/* Writes the hash, a 32-bit FNV-1a hash, to the end of a complete stream. */
static void put_hash(u8 *stream, size_t size)
{
	u32 hash = HASH_START;
	size_t i;

	for (i = MAGIC_SIZE; i < size - sizeof(hash); i++)
		hash = (hash ^ stream[i]) * HASH_FACTOR;
	memcpy(stream + size - sizeof(hash), &hash, sizeof(hash));
}

/* Called by stop_machine(): copies the counters of all images. */
static int copy_counters(void *data)
{
	const struct image *image;
	u8 *stream = data;

	list_for_each_entry(image, &images, list) {
		put_counters(stream + header_size(image) + records_size(image),
			     image);
		stream += stream_size(image);
	}
	return 0;
}

/* Called by stop_machine(): clears the counters of all images. */
static int clear_counters(void *data)
{
	const struct image *image;
	size_t i;

	list_for_each_entry(image, &images, list)
		for (i = 0; i < image->num_units; i++)
			memset((void *)image->units[i].counters, 0,
			       image->units[i].counters_size);
	return 0;
}

static size_t size_of_all(void)
{
	const struct unloaded *unloaded;
	const struct image *image;
	size_t size = was_reset ? MAGIC_SIZE : 0;

	list_for_each_entry(image, &images, list)
		size += stream_size(image);
	list_for_each_entry(unloaded, &unloaded_modules, list)
		size += unloaded->size;
	return size;
}

static void take_snapshot(u8 *at)
{
	const struct unloaded *unloaded;
	const struct image *image;
	u8 *stream;

	if (was_reset)
		at = put(at, RESET_MAGIC, MAGIC_SIZE);
	stream = at;
	list_for_each_entry(image, &images, list) {
		put_records(stream, image);
		stream += stream_size(image);
	}
	stop_machine(copy_counters, at, NULL);
	list_for_each_entry(image, &images, list) {
		put_hash(at, stream_size(image));
		at += stream_size(image);
	}
	list_for_each_entry(unloaded, &unloaded_modules, list)
		at = put(at, unloaded->stream, unloaded->size);
}

static int raw_open(struct inode *inode, struct file *file)
{
	struct snapshot *snapshot;
	size_t size;

	mutex_lock(&lock);
	size = size_of_all();
	snapshot = vmalloc(sizeof(*snapshot) + size);
	if (snapshot) {
		snapshot->size = size;
		take_snapshot(snapshot->data);
		file->private_data = snapshot;
	}
	mutex_unlock(&lock);
	return snapshot ? 0 : -ENOMEM;
}

static ssize_t raw_read(struct file *file, char __user *to, size_t size,
			loff_t *position)
{
	const struct snapshot *snapshot = file->private_data;

	return simple_read_from_buffer(to, size, position, snapshot->data,
				       snapshot->size);
}

static int raw_release(struct inode *inode, struct file *file)
{
	vfree(file->private_data);
	return 0;
}

static const struct file_operations raw_operations = {
	.owner = THIS_MODULE,
	.open = raw_open,
	.read = raw_read,
	.llseek = default_llseek,
	.release = raw_release,
};

static void forget(struct unloaded *unloaded)
{
	list_del(&unloaded->list);
	vfree(unloaded->stream);
	kfree(unloaded);
}

static ssize_t reset_write(struct file *file, const char __user *from,
			   size_t size, loff_t *position)
{
	struct unloaded *unloaded, *next;

	mutex_lock(&lock);
	stop_machine(clear_counters, NULL, NULL);
	was_reset = true;
	list_for_each_entry_safe(unloaded, next, &unloaded_modules, list)
		forget(unloaded);
	mutex_unlock(&lock);
	return size;
}

static const struct file_operations reset_operations = {
	.owner = THIS_MODULE,
	.open = nonseekable_open,
	.write = reset_write,
};

#ifdef CONFIG_MODULES
/* Adds the counters of a unit to earlier counters of the same unit. */
static void add_counters(u8 *to, const u8 *from, size_t size,
			 unsigned long counter_size)
{
	size_t i;

	for (i = 0; i < size; i += counter_size) {
		if (counter_size == sizeof(u64)) {
			*(u64 *)(to + i) += *(const u64 *)(from + i);
		} else if (counter_size == sizeof(u32)) {
			u64 sum = (u64)*(u32 *)(to + i) + *(const u32 *)(from + i);

			*(u32 *)(to + i) = min_t(u64, sum, U32_MAX);
		} else {
			to[i] |= from[i];
		}
	}
}

/*
 * Adds a stream to the stream of an earlier instance of the same module, which
 * has equal records. Returns false if there is no such stream.
 */
static bool add_to_earlier(const struct image *image, const u8 *stream)
{
	size_t before = header_size(image) + records_size(image);
	size_t size = stream_size(image);
	struct unloaded *earlier;
	size_t i;

	list_for_each_entry(earlier, &unloaded_modules, list) {
		size_t at = before;

		if (earlier->size != size ||
		    memcmp(earlier->stream, stream, before))
			continue;
		for (i = 0; i < image->num_units; i++) {
			const struct pathprof_unit *unit = &image->units[i];

			add_counters(earlier->stream + at, stream + at,
				     unit->counters_size,
				     unit->version - UNIT_VERSION);
			at += unit->counters_size;
		}
		put_hash(earlier->stream, size);
		return true;
	}
	return false;
}

/*
 * Keeps the counters of a module that is being unloaded. No other code executes
 * functions of the module at this time.
 */
static void keep(const struct image *image)
{
	size_t size = stream_size(image);
	u8 *stream = vmalloc(size);
	struct unloaded *unloaded;

	if (stream) {
		put_counters(put_records(stream, image), image);
		put_hash(stream, size);
		if (add_to_earlier(image, stream)) {
			vfree(stream);
			return;
		}
	}
	unloaded = kmalloc(sizeof(*unloaded), GFP_KERNEL);
	if (!stream || !unloaded) {
		pr_warn("out of memory; the counters of module %s are lost\n",
			image->name);
		vfree(stream);
		kfree(unloaded);
		return;
	}
	unloaded->size = size;
	unloaded->stream = stream;
	list_add_tail(&unloaded->list, &unloaded_modules);
}

static void add_module(const struct module *module)
{
	struct image *image = kzalloc(sizeof(*image), GFP_KERNEL);

	if (!image) {
		pr_warn("out of memory; module %s is not counted\n",
			module->name);
		return;
	}
	image->name = module->name;
	image->module = module;
	image->units = module->pathprof_units;
	image->num_units = module->num_pathprof_units;
	list_add_tail(&image->list, &images);
}

static void remove_module(const struct module *module)
{
	struct image *image;

	list_for_each_entry(image, &images, list)
		if (image->module == module) {
			keep(image);
			list_del(&image->list);
			kfree(image);
			return;
		}
}

static int module_changed(struct notifier_block *block, unsigned long state,
			  void *data)
{
	const struct module *module = data;

	if (!module->num_pathprof_units)
		return NOTIFY_OK;
	mutex_lock(&lock);
	if (state == MODULE_STATE_COMING)
		add_module(module);
	else if (state == MODULE_STATE_GOING)
		remove_module(module);
	mutex_unlock(&lock);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_changed,
};
#endif

static int __init pathprof_init(void)
{
	struct dentry *folder = debugfs_create_dir("pathprof", NULL);

	kernel_image.units = __start_pathprof_freestanding;
	kernel_image.num_units = __stop_pathprof_freestanding -
				 __start_pathprof_freestanding;
	list_add_tail(&kernel_image.list, &images);
#ifdef CONFIG_MODULES
	register_module_notifier(&module_notifier);
#endif
	debugfs_create_file("raw", 0400, folder, NULL, &raw_operations);
	debugfs_create_file("reset", 0200, folder, NULL, &reset_operations);
	return 0;
}
fs_initcall(pathprof_init);
