# Wrapper around the real build, which uses autoconf and automake out of tree in build/.
#
#   make                 builds; the tree is usable in place: build/bin/pathprof-gcc, build/bin/pathdump
#   make deps            installs the Debian packages for building, and those for other goals on the same command line:
#                        make deps demo, make deps check, make deps bench
#   make demo            builds, profiles an example on real input, and prints the report
#   make quick           runs all unit tests and a few tests of each part, in about a minute
#   make check           runs all tests (PATHPROF_CHECK='unit dg': only these suites; TESTS='unit:check_core dg:switch.c
#                        tool:test_report.py -k name': only these tests)
#   make check-torture   runs all of GCC's own run-time tests (TORTURE_FLAGS='--levels O2'); resumes
#   make check-languages runs tests of Fortran, Ada, D, dialects of C and C++, and -flto (LANGUAGES_FLAGS='--suite acats');
#                        resumes
#   make check-csmith    tests random programs of csmith (CSMITH_FLAGS='--number 2000'); resumes
#   make check-jumps     compares line counts of 1,000 random programs with many jumps with gcov's (JUMPS=5000: more)
#   make check-compilers tests each GCC from 11 on, newest first: compilers of this machine and of Debian's releases, in
#                        chroots (COMPILERS_FLAGS='gcc-14 dg'); resumes
#   make check-targets   tests programs for the targets of cross compilers under QEMU (TARGETS_FLAGS='riscv64-linux-gnu --suite dg');
#                        resumes
#   make check-kernel    builds an instrumented Linux kernel, boots it under QEMU, and checks its profile
#                        (KERNEL_FLAGS='--linux 6.12 --work DIR', or '--kunit' for the kernel's own tests)
#   make qualify         runs the qualification kit (QUALIFY_FLAGS='--report DIR --flags "-O0 -g"'; DIR is an absolute name)
#   make qualify-mutations  checks that the kit detects planted faults: hours
#   make fuzz            tests randomly damaged profiles (FUZZ_FLAGS='--seconds 3600 -j 2'); resumes
#   make bench           compares run times with GCC's and clang's instrumentation and none (BENCH_FLAGS='--level O2')
#   make bench-cost      compares instruction counts, compile time, size, start and exit
#   make bench-doc       writes the measurements to doc/performance.md
#   make papers          repeats the experiments of the papers and writes doc/papers.md (PAPERS_FLAGS='--no-times')
#   make deb             builds the Debian packages in build/deb
#   make install         installs (PREFIX=/usr/local DESTDIR=)
#   make installcheck uninstall distcheck clean
#
# Goals that resume keep their state, and continue where the previous run stopped.
#
# GCC=gcc-14 builds for another compiler, GCC='gcc-13 gcc-14' for several; GCC='gcc aarch64-linux-gnu-gcc-12' also builds for a
# cross compiler; BUILD=DIR builds in another directory. All files
# are installed below PREFIX, the plugin in lib/gcc/TARGET/VERSION/plugin. If PREFIX is also the prefix of the compiler (/usr
# for the system's compiler), GCC finds the plugin by its short name, -fplugin=pathprof. plugindir=DIR installs the plugin in
# another directory, where the driver finds it, too.

GCC ?= gcc
BUILD ?= build
PREFIX ?= /usr/local
MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc)

.PHONY: all deps demo quick check check-torture check-languages check-csmith check-jumps check-compilers check-targets check-kernel qualify qualify-mutations fuzz bench bench-cost bench-doc papers install installcheck uninstall distcheck deb clean FORCE
.DEFAULT_GOAL := all

all: $(BUILD)/Makefile
	@$(MAKE) -C $(BUILD) -j$(JOBS) all

deps:
	@packaging/install-deps '$(GCC)' $(filter-out deps,$(MAKECMDGOALS))

# Dependencies are installed first, even with -j.
configure $(BUILD)/Makefile: | $(filter deps,$(MAKECMDGOALS))
configure: configure.ac Makefile.am autogen.sh testsuite/Makefile.inc
	./autogen.sh

# Reconfigures when the compilers change.
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

check-torture check-languages check-csmith check-jumps check-targets check-kernel qualify qualify-mutations fuzz: all
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

# distcheck installs in temporary directories and runs only a few tests; 'make check' runs all tests.
distcheck: all
	@$(MAKE) -C $(BUILD) $@ DESTDIR= PATHPROF_CHECK=smoke

deb: all
	@$(MAKE) -C $(BUILD) $@ DESTDIR=

clean:
	rm -rf $(BUILD)
