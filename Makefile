# SPDX-License-Identifier: GPL-2.0
# For people. kbuild reads Kbuild and Kconfig.

KDIR   ?= /lib/modules/$(shell uname -r)/build
O      ?= $(CURDIR)/build
PREFIX ?= /usr
DEPS   ?= install

include debian/version.mk

# In the folders that make enters, a relative path would be another.
override O := $(abspath $(O))
override DESTDIR := $(abspath $(DESTDIR))

# The kernel that KDIR builds for, which need not be the one that runs.
RELEASE ?= $(shell cat '$(KDIR)/include/config/kernel.release' 2>/dev/null)
# "updates" comes before the kernel's own modules; not every kernel's default.
MODDIR   = $(DESTDIR)/lib/modules/$(RELEASE)/updates
MODULES  = sch_ecnsharp/sch_ecnsharp sch_onramp/sch_onramp onramp_acker/onramp_acker kernel/core/onramp kernel/hook/onramp_hook sch_cp/sch_cp
# Where dkms looks for sources.
DKMSDIR  = $(DESTDIR)$(PREFIX)/src/sharpramp-$(VERSION)
# All may read the installed files, with any umask of the installer.
OPEN     = umask 022;
# Files on their way to another machine are indexed there.
DEPMOD   = $(OPEN) [ -n '$(DESTDIR)' ] || depmod -a '$(RELEASE)'

.PHONY: help deps deps-install deb modules modules_install tools tools_install dkms_install install uninstall
.PHONY: demo report check check-long cluster bench acc-model lab site style clean

help:
	@echo 'sharpramp: datacenter congestion control for stock Linux machines'
	@echo
	@echo '  make demo             comparison of ECN# and On-Ramp with their baselines: a table, and a page with figures (no root)'
	@echo '  make report           results of the papers and of the clocks: docs/results/ecnsharp.md, onramp.md, acc.md, clock.md'
	@echo '                        (STUDY=ecnsharp: one of them; takes hours where runs are not cached; may be interrupted)'
	@echo '  make check            tests to run before a commit (no root)'
	@echo '  make check-long       these tests at full length, more kernels, long fuzzing and whole deployments: hours'
	@echo "                        (SUITES='style unit': these suites; make -sf selftests/suites.mk list prints all names)"
	@echo '  make cluster          sender, router and receiver in virtual machines with a stock kernel and the packages (no root)'
	@echo '  make bench            cost of a packet in ecnsharp, onramp and other qdiscs, accuracy of clocks, and cost of a'
	@echo '                        coordinator of 1,000 hosts; writes docs/results/bench.md'
	@echo '  make acc-model        training of the network of acc-tuner again, in a model of a port: the same bytes'
	@echo
	@echo '  make modules          kernel modules for KDIR ($(KDIR))'
	@echo '  make tools            tc plugins, onrampctl, huygens-lite, acc-tuner and flowgen'
	@echo '  make install          installation of modules, tools, man pages and completion on this machine (root);'
	@echo '                        builds whatever "make modules tools" has not built'
	@echo '  make uninstall        removal of all installed files'
	@echo '  make dkms_install     installation of the sources of the modules for dkms, which builds them'
	@echo '  make deb              Debian packages, in O/deb: sharpramp-dkms, sharpramp-tools, huygens-lite, acc-tuner'
	@echo
	@echo '  make lab              the virtual-time lab; then lab/run list'
	@echo '  make site             documents and figures as pages for a browser, in O/site/index.html'
	@echo '  make style            checkpatch, sparse, shellcheck'
	@echo '  make deps             installation of the Debian packages that the targets above need, which run it'
	@echo '  make clean            removal of all built files'
	@echo
	@echo 'Variables: KDIR=kernel build directory, O=output directory, PREFIX=$(PREFIX),'
	@echo '  DESTDIR=root directory of the installation (depmod is then not run),'
	@echo '  DEPS=have: do not install Debian packages'

deps:
	@[ '$(DEPS)' = have ] || debian/deps

# A machine that only runs the qdisc needs no laboratory.
deps-install:
	@[ '$(DEPS)' = have ] || debian/deps install

# Built in a copy: the sources stay clean, and two kernels do not meet.
modules: deps-install
	@scripts/build-modules '$(KDIR)' '$(O)/modules'

modules_install: modules
	$(OPEN) env -u MAKEFLAGS make -C '$(KDIR)' M='$(O)/modules' INSTALL_MOD_PATH='$(DESTDIR)' \
		INSTALL_MOD_DIR=updates modules_install
	chmod 644 $(foreach module,$(MODULES),'$(MODDIR)'/$(module).ko*)
	$(DEPMOD)

tools: deps-install
	$(MAKE) -C tc-plugins O='$(O)/tc-plugins' LIB='$(O)/lib' all
	$(MAKE) -C tc-plugins/onrampctl O='$(O)/tc-plugins' LIB='$(O)/lib' all
	$(MAKE) -C huygens-lite O='$(O)/huygens-lite' LIB='$(O)/lib' all
	$(MAKE) -C acc-tuner O='$(O)/acc-tuner' LIB='$(O)/lib' all
	$(MAKE) -C lab/traffic O='$(O)/traffic' LIB='$(O)/lib' all

install: modules_install tools_install

tools_install:
	$(OPEN) $(MAKE) -C tc-plugins O='$(O)/tc-plugins' LIB='$(O)/lib' PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' install
	$(OPEN) $(MAKE) -C tc-plugins/onrampctl O='$(O)/tc-plugins' LIB='$(O)/lib' PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' install
	$(OPEN) $(MAKE) -C huygens-lite O='$(O)/huygens-lite' LIB='$(O)/lib' PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' install
	$(OPEN) $(MAKE) -C acc-tuner O='$(O)/acc-tuner' LIB='$(O)/lib' PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' install
	$(OPEN) $(MAKE) -C lab/traffic O='$(O)/traffic' LIB='$(O)/lib' PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' install
	$(OPEN) $(MAKE) -C operations PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' install

# For packages of other distributions: dkms.conf is that of Debian's package.
dkms_install:
	$(OPEN) mkdir -p '$(DKMSDIR)' && xargs cp -R --parents -t '$(DKMSDIR)' <kernel/sources
	$(OPEN) sed 's/#MODULE_VERSION#/$(VERSION)/' debian/sharpramp-dkms.dkms >'$(DKMSDIR)/dkms.conf'

uninstall:
	@[ -n '$(RELEASE)' ] || { echo 'KDIR=$(KDIR) is no kernel build folder: say KDIR= or RELEASE=' >&2; exit 1; }
	$(MAKE) -C tc-plugins PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' uninstall
	$(MAKE) -C tc-plugins/onrampctl PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' uninstall
	$(MAKE) -C huygens-lite PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' uninstall
	$(MAKE) -C acc-tuner PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' uninstall
	$(MAKE) -C lab/traffic PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' uninstall
	$(MAKE) -C operations PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' uninstall
	for module in $(MODULES); do \
		rm -f '$(MODDIR)'/$$module.ko*; \
		[ ! -d '$(MODDIR)'/$${module%/*} ] || rmdir '$(MODDIR)'/$${module%/*} || exit 1; \
	done
	for folder in '$(MODDIR)/kernel' '$(MODDIR)'; do [ ! -d "$$folder" ] || rmdir --ignore-fail-on-non-empty "$$folder"; done
	$(DEPMOD)

# The packages are built from a copy of the files that git tracks.
deb:
	@[ '$(DEPS)' = have ] || debian/deps deb
	@debian/build '$(O)/deb'

lab: deps
	@lab/run --build

demo: deps
	@lab/report/demo

# One page, or all of them.
report: deps
	@for study in $(or $(STUDY),ecnsharp onramp acc lossless fecn systems clock); do lab/report/report --study $$study || exit; done
	@[ -n '$(STUDY)' ] || lab/report/acceptance
	@lab/report/report --readme

check check-long: deps
	@$(MAKE) --no-print-directory -f selftests/suites.mk $@

cluster: deps
	@selftests/cluster/run_cluster.py

bench: deps
	@selftests/bench/run_bench.py

acc-model: deps
	@$(MAKE) -C acc-tuner O='$(O)/acc-tuner' acc-model

site: deps
	@site/build '$(O)/site'

style: deps
	@selftests/style.sh

# An output folder of the user's may hold more than the build's files.
clean:
	rm -rf '$(O)/modules' '$(O)/tc-plugins' '$(O)/huygens-lite' '$(O)/acc-tuner' '$(O)/lib' '$(O)/traffic' '$(O)/deb' '$(O)/site'
	[ '$(O)' != '$(CURDIR)/build' ] || rm -rf '$(O)'
