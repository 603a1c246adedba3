# Builds the runtime for the programs of each target for which there is a cross compiler. The first cross compiler for a
# target builds the runtime in lib/pathprof/TARGET, from objects in runtime/TARGET. Targets without an operating system have
# only the runtime of freestanding programs. It is built for each of the compiler's multilibs, because processors of
# one architecture support different instructions. The libraries are in directories with the names of the multilibs. Makefile.am
# includes this file as plain text, as it includes plugin/rules.mk, which defines the keys of the compilers.

# Flags for the programs of cross compilers. CFLAGS contains flags for the compiler that builds pathprof itself.
TARGET_CFLAGS = -O2 -g1
runtime_compile = $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(runtime_cflags) $(TARGET_CFLAGS) $(runtime_flags) -MMD -MP
runtime_files = $(addprefix lib/pathprof/$(1)/,libpathrt-freestanding.a \
  $(if $(findstring linux,$(1)),libpathrt.a libpathrt-module.a libpathrt.so.1 libpathrt-shared.so))
runtime_objects = $(patsubst %.c,runtime/$(1)/%.o,$(filter %.c,$(2)))

# $(1): compiler, $(2): target of the compiler.
define runtime_rules
cross_runtimes += $(call runtime_files,$(2))
$(call runtime_objects,$(2),$(runtime_for_size)) $(call runtime_objects,$(2)/shared,$(runtime_for_size)): runtime_flags += -Os
$(call runtime_objects,$(2),$(runtime_without_tables)) $(call runtime_objects,$(2)/shared,$(runtime_without_tables)): \
  runtime_flags += -fno-asynchronous-unwind-tables
runtime/$(2)/shared/%.o: $$(srcdir)/%.c Makefile
	$$(AM_V_CC)mkdir -p $$(@D) && $(1) $$(runtime_compile) -c -o $$@ $$<
runtime/$(2)/%.o: $$(srcdir)/%.c Makefile
	$$(AM_V_CC)mkdir -p $$(@D) && $(1) $$(runtime_compile) -fvisibility=hidden -c -o $$@ $$<
lib/pathprof/$(2)/libpathrt.a: $(call runtime_objects,$(2),$(module_sources) $(process_sources))
	$$(AM_V_AR)mkdir -p $$(@D) && rm -f $$@ && `$(1) -print-prog-name=ar` rcs $$@ $$^
lib/pathprof/$(2)/libpathrt-module.a: $(call runtime_objects,$(2),$(module_sources))
	$$(AM_V_AR)mkdir -p $$(@D) && rm -f $$@ && `$(1) -print-prog-name=ar` rcs $$@ $$^
lib/pathprof/$(2)/libpathrt.so.1: $(call runtime_objects,$(2)/shared,$(process_sources))
	$$(AM_V_CCLD)mkdir -p $$(@D) && $(1) $$(TARGET_CFLAGS) $$(lib_libpathrt_so_1_LDFLAGS) -o $$@ $$^
lib/pathprof/$(2)/libpathrt-shared.so: lib/libpathrt-shared.so
	$$(AM_V_GEN)mkdir -p $$(@D) && cp $$< $$@
lib/pathprof/$(2)/libpathrt-freestanding.a: $$(filter %.c %.h,$$(lib_pathprof_libpathrt_freestanding_a_SOURCES)) Makefile
	$$(AM_V_CC)for multilib in `$(1) -print-multi-lib`; do \
	  folder=lib/pathprof/$(2)/$$$${multilib%%;*} && mkdir -p $$$$folder runtime/$(2) && \
	  $(1) $$(DEFAULT_INCLUDES) $$(AM_CPPFLAGS) $$(lib_pathprof_libpathrt_freestanding_a_CFLAGS) -Os -g1 \
	    `echo "$$$${multilib#*;}" | sed 's/@/ -/g'` -c -o runtime/$(2)/freestanding.o $$< && \
	  rm -f $$$$folder/$$(@F) && `$(1) -print-prog-name=ar` rcs $$$$folder/$$(@F) runtime/$(2)/freestanding.o || exit 1; \
	done
-include $$(shell find runtime/$(2) -name '*.d' 2>/dev/null)
install-runtime-$(2): $(call runtime_files,$(2))
	for file in `cd lib/pathprof/$(2) && find . -type f`; do \
	  $$(INSTALL_DATA) -D lib/pathprof/$(2)/$$$$file $$(DESTDIR)$$(libdir)/pathprof/$(2)/$$$$file || exit 1; \
	done
uninstall-runtime-$(2):
	rm -rf $$(DESTDIR)$$(libdir)/pathprof/$(2)
.PHONY: install-runtime-$(2) uninstall-runtime-$(2)
endef

first_compiler_for = $(firstword $(foreach pair,$(compilers_with_keys),$(if $(filter $(1)-%,$(call key_of,$(pair))),$(call compiler_of,$(pair)))))
$(foreach target,$(cross_targets),$(eval $(call runtime_rules,$(call first_compiler_for,$(target)),$(target))))
