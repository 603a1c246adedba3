# Builds a plugin for each compiler of PROFILED_GCCS, with the one C++ compiler that builds everything else: GCC's plugin
# headers do not ask for the GCC that they belong to.  Included by Makefile.am as plain text, for automake knows no 'eval'.
#
# The first compiler's plugin is lib/pathprof/pathprof.so, that of another lib/pathprof/gcc-N/pathprof.so; objects are in
# plugin/gcc-N.  pathprof.so is what GCC loads; it compares versions and loads pathprof-passes.so beside it.

plugin_headers_of = $(shell $(1) -print-file-name=plugin)/include
plugin_major_of = $(shell $(1) -dumpversion | sed 's/\..*//')
# Where the plugin of that compiler would be below the compiler's own prefix.
plugin_folder_of = $(shell readlink -f "$$($(1) -print-file-name=plugin)" | sed -n 's,^.*/\(lib[^/]*/gcc/.*\)$$,\1,p')

plugin_compile = $(CXX) $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CXXFLAGS) -fno-rtti -fvisibility=hidden \
  $(CXXFLAGS) -MMD -MP
plugin_link = $(CXX) $(AM_CXXFLAGS) $(CXXFLAGS) $(LDFLAGS) -shared -Wl,--exclude-libs,ALL
all_plugins =
plugin_majors =

# $(1): the compiler, $(2): its major version, $(3): the plugin's folder, $(4): where it is installed.
define plugin_rules
all_plugins += $(3)/pathprof.so $(3)/pathprof-passes.so
plugin_majors += $(2)
plugin/gcc-$(2)/%.o: $$(srcdir)/plugin/%.cc Makefile
	$$(AM_V_CXX)mkdir -p $$(@D) && $$(plugin_compile) -isystem $(call plugin_headers_of,$(1)) -c -o $$@ $$<
$(3)/pathprof.so: plugin/gcc-$(2)/entry/loader.o
	$$(AM_V_CXXLD)mkdir -p $$(@D) && $$(plugin_link) -static-libstdc++ -static-libgcc -o $$@ $$<
$(3)/pathprof-passes.so: $$(plugin_sources:plugin/%.cc=plugin/gcc-$(2)/%.o) lib/libpathprofile.a lib/libpathcore.a
	$$(AM_V_CXXLD)mkdir -p $$(@D) && $$(plugin_link) -o $$@ $$(filter %.o,$$^) $$(tool_libs) -lfmt $$(LIBS)
-include $$(wildcard plugin/gcc-$(2)/*/*.d)
install-plugin-$(2): $(3)/pathprof.so $(3)/pathprof-passes.so
	$$(MKDIR_P) $$(DESTDIR)$(4)
	$$(INSTALL_PROGRAM) $(3)/pathprof.so $(3)/pathprof-passes.so $$(DESTDIR)$(4)
uninstall-plugin-$(2):
	rm -f $$(DESTDIR)$(4)/pathprof.so $$(DESTDIR)$(4)/pathprof-passes.so
	cd $$(DESTDIR)$$(prefix)/lib 2>/dev/null && rmdir -p $$(patsubst $$(prefix)/lib/%,%,$$(filter $$(prefix)/lib/%,$(4))) \
	  2>/dev/null || :
.PHONY: install-plugin-$(2) uninstall-plugin-$(2)
endef

# Below a prefix the plugins of several compilers are in folders of several versions; in a folder of the user's, only the
# first is in that folder itself.
plugin_home = $(if $(filter $(prefix)/$(PLUGIN_FOLDER),$(plugindir)),$(prefix)/$(call plugin_folder_of,$(1)),$(plugindir)/gcc-$(2))
first_gcc = $(firstword $(PROFILED_GCCS))
$(eval $(call plugin_rules,$(first_gcc),$(GCC_MAJOR),lib/pathprof,$(plugindir)))
$(foreach gcc,$(filter-out $(first_gcc),$(PROFILED_GCCS)),$(foreach major,$(call plugin_major_of,$(gcc)), \
  $(eval $(call plugin_rules,$(gcc),$(major),lib/pathprof/gcc-$(major),$(call plugin_home,$(gcc),$(major))))))
