# The short wrapper around the real build (autoconf and automake, out of tree in build/).
#
#   make                 build; the tree is usable in place: build/bin/pathprof-gcc, build/bin/pathdump
#   make deps            install the Debian packages that building needs; beside other goals, what these need too:
#                        make deps demo, make deps check, make deps bench
#   make demo            build, profile an example on real input, print the report
#   make quick           a developer's minute: all unit tests, and a few tests of each part
#   make check           all tests (PATHPROF_CHECK='unit dg': only these suites; TESTS='unit:check_core dg:switch.c
#                        tool:test_report.py -k name': only these tests)
#   make check-torture   GCC's own run-time tests, all of them (TORTURE_FLAGS='--levels O2'); goes on where it was
#   make check-languages Fortran, Ada, D, dialects of C and C++, -flto (LANGUAGES_FLAGS='--suite acats'); goes on
#   make check-csmith    random programs of csmith (CSMITH_FLAGS='--number 2000'); goes on where it was
#   make check-jumps     line counts of 1,000 random programs full of jumps against gcov's (JUMPS=5000: of more)
#   make check-compilers every GCC from 11 on, the newest first: those of this machine, and those of Debian's releases, in
#                        chroots (COMPILERS_FLAGS='gcc-14 dg'); goes on where it was
#   make fuzz            random damage to profiles (FUZZ_FLAGS='--seconds 3600 -j 2'); goes on where it was
#   make bench           run time against GCC's and clang's own instrumentation and none (BENCH_FLAGS='--level O2')
#   make bench-cost      the same in instructions; time to compile, size, start and exit
#   make bench-doc       puts what they measured into doc/performance.md
#   make papers          repeats the experiments of the papers, and writes doc/papers.md (PAPERS_FLAGS='--no-times')
#   make deb             the Debian packages, in build/deb
#   make install         PREFIX=/usr/local DESTDIR=
#   make installcheck uninstall distcheck clean
#
# GCC=gcc-14 builds for another compiler, GCC='gcc-13 gcc-14' for several; BUILD=DIR builds elsewhere.  All that is installed lies below PREFIX, the plugin
# in lib/gcc/TARGET/VERSION/plugin: where PREFIX is the compiler's own (/usr for that of the system) GCC finds it by its
# short name, -fplugin=pathprof.  plugindir=DIR installs it elsewhere (the driver finds it there too).

GCC ?= gcc
BUILD ?= build
PREFIX ?= /usr/local
MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc)

.PHONY: all deps demo quick check check-torture check-languages check-csmith check-jumps check-compilers fuzz bench bench-cost bench-doc papers install installcheck uninstall distcheck deb clean FORCE
.DEFAULT_GOAL := all

all: $(BUILD)/Makefile
	@$(MAKE) -C $(BUILD) -j$(JOBS) all

deps:
	@packaging/install-deps '$(GCC)' $(filter-out deps,$(MAKECMDGOALS))

# Installing comes first, with -j too.
configure $(BUILD)/Makefile: | $(filter deps,$(MAKECMDGOALS))
configure: configure.ac Makefile.am autogen.sh testsuite/Makefile.inc
	./autogen.sh

# Configured anew when the compilers change.
compilers = $(subst $(eval) ,+,$(strip $(notdir $(GCC))))
$(BUILD)/.gcc-%:
	rm -rf $(BUILD)
	mkdir -p $(BUILD)
	touch $@

$(BUILD)/Makefile: configure $(BUILD)/.gcc-$(compilers)
	cd $(BUILD) && $(CURDIR)/configure --prefix=$(abspath $(PREFIX)) --with-gcc='$(strip $(GCC))'

demo: all
	@examples/demo $(BUILD)

check: all
	@$(MAKE) -C $(BUILD) -j$(JOBS) check JOBS=$(JOBS)

quick: all
	@$(MAKE) -C $(BUILD) -j$(JOBS) check-quick JOBS=$(JOBS)

check-torture check-languages check-csmith check-jumps fuzz: all
	@$(MAKE) -C $(BUILD) $@

check-compilers:
	@testsuite/distributions/run --compilers $(COMPILERS_FLAGS)

bench bench-cost: all
	@packaging/install-deps '$(GCC)' bench
	@bench/$(patsubst bench-%,%,$@) $(BUILD) --gcc $(firstword $(GCC)) --json $(BUILD)/$@.json $(BENCH_FLAGS)

papers: all
	@packaging/install-deps '$(GCC)' papers
	@bench/papers/run $(BUILD) --gcc $(firstword $(GCC)) $(PAPERS_FLAGS)

bench-doc:
	@bench/report $(wildcard $(BUILD)/bench.json $(BUILD)/bench-cost.json)

install installcheck uninstall: all
	@$(MAKE) -C $(BUILD) $@ prefix=$(abspath $(PREFIX))

# It installs in folders of its own, and runs a few tests only: 'make check' is for all of them.
distcheck: all
	@$(MAKE) -C $(BUILD) $@ DESTDIR= PATHPROF_CHECK=smoke

deb: all
	@$(MAKE) -C $(BUILD) $@ DESTDIR=

clean:
	rm -rf $(BUILD)
