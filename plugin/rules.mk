# Builds a plugin for each compiler in PROFILED_GCCS. All plugins are built with the C++ compiler that builds the rest of
# the project, because GCC's plugin headers do not require the matching version of GCC. Makefile.am includes this file as
# plain text, because automake does not support 'eval'.
#
# GCC's headers are precompiled for each compiler. If the options of a source file differ from those of the precompiled
# header, GCC uses the copy of precompiled.h next to it instead.
#
# The plugin for the first compiler is lib/pathprof/pathprof.so; plugins for other compilers are
# lib/pathprof/gcc-N/pathprof.so. Objects are in plugin/gcc-N. GCC loads pathprof.so, which compares versions and then
# loads pathprof-passes.so from the same directory.

plugin_headers_of = $(shell $(1) -print-file-name=plugin)/include
plugin_major_of = $(shell $(1) -dumpversion | sed 's/\..*//')
# Path of the compiler's plugin directory relative to the compiler's prefix.
plugin_folder_of = $(shell readlink -f "$$($(1) -print-file-name=plugin)" | sed -n 's,^.*/\(lib[^/]*/gcc/.*\)$$,\1,p')

plugin_compile = $(CXX) $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CXXFLAGS) -fno-rtti -fvisibility=hidden \
  $(CXXFLAGS) -MMD -MP
plugin_link = $(CXX) $(AM_CXXFLAGS) $(CXXFLAGS) $(LDFLAGS) -shared -Wl,--exclude-libs,ALL
all_plugins =
plugin_majors =

# $(1): compiler, $(2): major version of the compiler, $(3): build directory of the plugin, $(4): installation directory.
define plugin_rules
all_plugins += $(3)/pathprof.so $(3)/pathprof-passes.so
plugin_majors += $(2)
plugin/gcc-$(2)/precompiled.h.gch: $$(srcdir)/plugin/gcc/precompiled.h Makefile
	$$(AM_V_CXX)mkdir -p $$(@D) && cp $$< $$(@D) && $$(plugin_compile) -isystem $(call plugin_headers_of,$(1)) -MF $$(@D)/precompiled.d -MT $$@ \
	  -x c++-header -o $$@ $$<
plugin/gcc-$(2)/entry/loader.o: $$(srcdir)/plugin/entry/loader.cc Makefile
	$$(AM_V_CXX)mkdir -p $$(@D) && $$(plugin_compile) -isystem $(call plugin_headers_of,$(1)) -c -o $$@ $$<
plugin/gcc-$(2)/%.o: $$(srcdir)/plugin/%.cc plugin/gcc-$(2)/precompiled.h.gch Makefile
	$$(AM_V_CXX)mkdir -p $$(@D) && $$(plugin_compile) -isystem $(call plugin_headers_of,$(1)) \
	  -include plugin/gcc-$(2)/precompiled.h -c -o $$@ $$<
$(3)/pathprof.so: plugin/gcc-$(2)/entry/loader.o
	$$(AM_V_CXXLD)mkdir -p $$(@D) && $$(plugin_link) -static-libstdc++ -static-libgcc -o $$@ $$<
$(3)/pathprof-passes.so: $$(plugin_sources:plugin/%.cc=plugin/gcc-$(2)/%.o) lib/libpathprofile.a lib/libpathcore.a
	$$(AM_V_CXXLD)mkdir -p $$(@D) && $$(plugin_link) -o $$@ $$(filter %.o,$$^) $$(tool_libs) -lfmt $$(LIBS)
-include $$(wildcard plugin/gcc-$(2)/*.d plugin/gcc-$(2)/*/*.d)
install-plugin-$(2): $(3)/pathprof.so $(3)/pathprof-passes.so
	$$(MKDIR_P) $$(DESTDIR)$(4)
	$$(INSTALL_PROGRAM) $(3)/pathprof.so $(3)/pathprof-passes.so $$(DESTDIR)$(4)
uninstall-plugin-$(2):
	rm -f $$(DESTDIR)$(4)/pathprof.so $$(DESTDIR)$(4)/pathprof-passes.so
	cd $$(DESTDIR)$$(prefix)/lib 2>/dev/null && rmdir -p $$(patsubst $$(prefix)/lib/%,%,$$(filter $$(prefix)/lib/%,$(4))) \
	  2>/dev/null || :
.PHONY: install-plugin-$(2) uninstall-plugin-$(2)
endef

# Installation directory of a plugin. Below the prefix, each plugin is in the directory of its compiler's version. In a
# directory that the user has chosen, the first plugin is in the directory itself and other plugins are in subdirectories.
plugin_home = $(if $(filter $(prefix)/$(PLUGIN_FOLDER),$(plugindir)),$(prefix)/$(call plugin_folder_of,$(1)),$(plugindir)/gcc-$(2))
first_gcc = $(firstword $(PROFILED_GCCS))
$(eval $(call plugin_rules,$(first_gcc),$(GCC_MAJOR),lib/pathprof,$(plugindir)))
$(foreach gcc,$(filter-out $(first_gcc),$(PROFILED_GCCS)),$(foreach major,$(call plugin_major_of,$(gcc)), \
  $(eval $(call plugin_rules,$(gcc),$(major),lib/pathprof/gcc-$(major),$(call plugin_home,$(gcc),$(major))))))
