# Builds a plugin for each compiler in PROFILED_GCCS. All plugins are built with the C++ compiler that builds the rest of
# the project, because GCC's plugin headers do not require the matching version of GCC. Makefile.am includes this file as
# plain text, because automake does not support 'eval'.
#
# GCC's headers are precompiled for each compiler. If the options of a source file differ from those of the precompiled
# header, GCC uses the copy of precompiled.h next to it instead.
#
# Each compiler has a key (PROFILED_KEYS): gcc-N for a native compiler of version N, and TARGET-N for a cross compiler. If
# the first compiler is native, its plugin is lib/pathprof/pathprof.so. All other plugins are lib/pathprof/KEY/pathprof.so.
# Objects are in plugin/KEY. GCC loads pathprof.so, which compares versions and then loads pathprof-passes.so from the same
# directory.

plugin_headers_of = $(shell $(1) -print-file-name=plugin)/include
# Path of the compiler's plugin directory relative to the compiler's prefix.
plugin_folder_of = $(shell readlink -f "$$($(1) -print-file-name=plugin)" | sed -n 's,^.*/\(lib[^/]*/gcc\(-cross\)*/.*\)$$,\1,p')

plugin_compile = $(CXX) $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CXXFLAGS) -fno-rtti -fvisibility=hidden \
  $(CXXFLAGS) -MMD -MP
plugin_link = $(CXX) $(AM_CXXFLAGS) $(CXXFLAGS) $(LDFLAGS) -shared -Wl,--exclude-libs,ALL
all_plugins =

# The keys of native and of cross compilers, the versions of native compilers, and the targets of cross compilers.
native_keys = $(filter gcc-%,$(PROFILED_KEYS))
cross_keys = $(filter-out gcc-%,$(PROFILED_KEYS))
plugin_majors = $(native_keys:gcc-%=%)
major_of_key = $(lastword $(subst -, ,$(1)))
target_of_key = $(patsubst %-$(call major_of_key,$(1)),%,$(1))
cross_targets = $(sort $(foreach key,$(cross_keys),$(call target_of_key,$(key))))

# $(1): compiler, $(2): key of the compiler, $(3): build directory of the plugin, $(4): installation directory.
define plugin_rules
all_plugins += $(3)/pathprof.so $(3)/pathprof-passes.so
plugin/$(2)/precompiled.h.gch: $$(srcdir)/plugin/gcc/precompiled.h Makefile
	$$(AM_V_CXX)mkdir -p $$(@D) && cp $$< $$(@D) && $$(plugin_compile) -isystem $(call plugin_headers_of,$(1)) -MF $$(@D)/precompiled.d -MT $$@ \
	  -x c++-header -o $$@ $$<
plugin/$(2)/entry/loader.o: $$(srcdir)/plugin/entry/loader.cc Makefile
	$$(AM_V_CXX)mkdir -p $$(@D) && $$(plugin_compile) -isystem $(call plugin_headers_of,$(1)) -c -o $$@ $$<
plugin/$(2)/%.o: $$(srcdir)/plugin/%.cc plugin/$(2)/precompiled.h.gch Makefile
	$$(AM_V_CXX)mkdir -p $$(@D) && $$(plugin_compile) -isystem $(call plugin_headers_of,$(1)) \
	  -include plugin/$(2)/precompiled.h -c -o $$@ $$<
$(3)/pathprof.so: plugin/$(2)/entry/loader.o
	$$(AM_V_CXXLD)mkdir -p $$(@D) && $$(plugin_link) -static-libstdc++ -static-libgcc -o $$@ $$<
$(3)/pathprof-passes.so: $$(plugin_sources:plugin/%.cc=plugin/$(2)/%.o) lib/libpathprofile.a lib/libpathcore.a
	$$(AM_V_CXXLD)mkdir -p $$(@D) && $$(plugin_link) -o $$@ $$(filter %.o,$$^) $$(tool_libs) -lfmt $$(LIBS)
-include $$(wildcard plugin/$(2)/*.d plugin/$(2)/*/*.d)
install-plugin-$(2): $(3)/pathprof.so $(3)/pathprof-passes.so
	$$(MKDIR_P) $$(DESTDIR)$(4)
	$$(INSTALL_PROGRAM) $(3)/pathprof.so $(3)/pathprof-passes.so $$(DESTDIR)$(4)
uninstall-plugin-$(2):
	rm -f $$(DESTDIR)$(4)/pathprof.so $$(DESTDIR)$(4)/pathprof-passes.so
	cd $$(DESTDIR)$$(prefix)/lib 2>/dev/null && rmdir -p $$(patsubst $$(prefix)/lib/%,%,$$(filter $$(prefix)/lib/%,$(4))) \
	  2>/dev/null || :
.PHONY: install-plugin-$(2) uninstall-plugin-$(2)
endef

# Compilers with their keys, such as gcc|gcc-12.
compilers_with_keys = $(join $(addsuffix |,$(PROFILED_GCCS)),$(PROFILED_KEYS))
compiler_of = $(firstword $(subst |, ,$(1)))
key_of = $(lastword $(subst |, ,$(1)))
is_first = $(filter $(firstword $(compilers_with_keys)),$(1))
plugin_build = $(if $(and $(is_first),$(filter gcc-%,$(call key_of,$(1)))),lib/pathprof,lib/pathprof/$(call key_of,$(1)))
# Below the prefix, each plugin is installed in the directory of its compiler's version. In a directory that the user has
# chosen, the first plugin is in the directory itself and other plugins are in subdirectories.
plugin_home = $(if $(is_first),$(plugindir),$(if $(filter $(prefix)/$(PLUGIN_FOLDER),$(plugindir)),$(strip \
  $(prefix)/$(call plugin_folder_of,$(call compiler_of,$(1)))),$(plugindir)/$(call key_of,$(1))))
$(foreach pair,$(compilers_with_keys),$(eval $(call plugin_rules,$(call compiler_of,$(pair)),$(call key_of,$(pair)),$(strip \
  $(call plugin_build,$(pair))),$(call plugin_home,$(pair)))))
