# SPDX-License-Identifier: GPL-2.0
# For people. kbuild reads Kbuild and Kconfig.

KDIR   ?= /lib/modules/$(shell uname -r)/build
O      ?= $(CURDIR)/build
PREFIX ?= /usr
DEPS   ?= install

.PHONY: help deps modules modules_install tools install uninstall demo report check check-long bench lab style clean

help:
	@echo 'sharpramp: datacenter congestion control for stock Linux machines'
	@echo
	@echo '  make demo             ECN# against its baselines, a table and a page with figures (no root)'
	@echo '  make report           the ECN# paper, number by number: docs/results/ecnsharp.md (hours; resumes)'
	@echo '  make check            every test of a landing (no root)'
	@echo '  make check-long       full lengths and long fuzzing; writes docs/results/check-long.txt'
	@echo '  make bench            what a packet costs in ecnsharp and its peers; writes docs/results/bench.md'
	@echo
	@echo '  make modules          kernel modules for KDIR ($(KDIR))'
	@echo '  make tools            tc plugin and flowgen'
	@echo '  make install          both, man pages and completion, into this machine (root)'
	@echo '  make uninstall        and out again'
	@echo
	@echo '  make lab              build the virtual-time lab; then lab/run list'
	@echo '  make style            checkpatch, sparse, shellcheck'
	@echo '  make deps             the Debian packages that the targets above need; they call it'
	@echo '  make clean            remove build/'
	@echo
	@echo 'Variables: KDIR=kernel build folder, O=output folder, DESTDIR=, PREFIX=$(PREFIX),'
	@echo '  DEPS=have to leave the packages alone'

deps:
	@[ '$(DEPS)' = have ] || debian/deps

# Built in a copy: the sources stay clean, and two kernels do not meet.
modules:
	@selftests/build-modules '$(KDIR)' '$(O)/modules'

modules_install: modules
	env -u MAKEFLAGS make -C '$(KDIR)' M='$(O)/modules' modules_install
	depmod -a

tools: deps
	$(MAKE) -C tc-plugins O='$(O)/tc-plugins' all
	$(MAKE) -C lab/traffic O='$(O)/traffic' all

install: modules_install
	$(MAKE) -C tc-plugins O='$(O)/tc-plugins' PREFIX='$(PREFIX)' install

uninstall:
	$(MAKE) -C tc-plugins O='$(O)/tc-plugins' PREFIX='$(PREFIX)' uninstall
	find /lib/modules -name 'sch_ecnsharp.ko*' -path '*/updates/*' -exec rm -f -- '{}' +
	depmod -a

lab: deps
	@lab/run --build

demo: deps
	@lab/report/demo

report: deps
	@lab/report/report

check: deps
	@selftests/check

check-long: deps
	@selftests/check --long

bench: deps
	@selftests/bench/run

style: deps
	@selftests/style

clean:
	rm -rf build
