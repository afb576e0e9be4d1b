# SPDX-License-Identifier: GPL-2.0
# Test suites. A suite is a target that prints TAP; prove(1) runs them by selftests/suite.sh.
#
#   make check                          the suites of CHECK, two at a time (from the root of the tree)
#   make check-long                     the suites of LONG, which repeat nothing of make check
#   make check SUITES='style unit'      some of them
#   make -sf selftests/suites.mk unit   one, with its whole output
#
# prove starts suites in the order in which they are listed, so the longest come first. The output of each is kept in
# build/check/.
ROOT := $(realpath $(dir $(lastword $(MAKEFILE_LIST)))..)
O    ?= $(ROOT)/build/suites

BOOT    = selftests/qemu/boot_vm.py --kernel
UML     = selftests/uml/run_uml.py
DRIVERS = selftests/driver-patches/run_drivers.py
IN      = $(MAKE) -s --no-print-directory O='$(O)/$@' -C

CHECK = stock-newest stock-6.1 lab-kernel debug fuzz-requests kunit clock-sync reproducible clocks \
	conservation lossless scheduling failures paced stamps fabric requests tenants drivers-6.12 compat driver-patches labnic style unit fuzz \
	flowgen guest-init lib tc-plugins onrampctl huygens-algo huygens-fleet huygens-net huygens-platform acc-algo acc-model \
	acc-sim acc-conf acc-queue acc-ctl acc-daemon acc-train wireshark wireshark-cnm consistency-netlink \
	consistency-parameters consistency-docs clients distributions kubernetes site operations recipes bad-files packages install refusals lab-unit stock report bench

# Longer forms, more kernels, whole deployments, and tests that change the code and see a test fail.
LONG = distributions-built ansible arm64 smp kcsan debug-full acceptance-ecnsharp acceptance-onramp demo reproducible-others packages-others packages-6.12 cluster in-tree upstream installed-6.12 fuzz-long \
	stock-6.1-full stock-6.12-full stock-newest-full watch-6.12 rt-6.12 rt-newest icount-acker icount-forged icount-acc icount-cp fuzz-requests-long clocks-full \
	clock-sync-full huygens-valgrind mutants unit-full huygens-algo-full acc-algo-full matrix soak drivers-6.1 nics-6.1 nics-6.12 two-6.1 two-6.12 \
	absent-6.1 absent-newest icount-6.1 icount-6.12 noipv6 ktls untried debug-kernel red combine training drivers-others huygens-mutants \
	lockdep-newest igb acc-mutants
# Suites of LONG on an older kernel, and more floods than in smp; run them by their names.
MORE = rt-6.1 absent-6.12 watch-6.1 packages-6.1 flood-full

SUITES ?= $(CHECK)
LOGS   ?= $(ROOT)/build/check
override LOGS := $(abspath $(LOGS))
UNKNOWN = $(filter-out $(CHECK) $(LONG) $(MORE),$(SUITES))

.PHONY: check check-long list $(CHECK) $(LONG) $(MORE)

# A suite sees no option of the make that runs prove. Where prove runs no folder has the name of a suite, in which it would look for
# tests instead.
check:
	@$(if $(UNKNOWN),$(error there is no suite $(UNKNOWN): make -sf selftests/suites.mk list))
	@rm -rf '$(LOGS)' && mkdir -p '$(LOGS)'
	@cd '$(LOGS)' && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u O -u SUITES \
		prove --jobs 2 --merge --failures --directives --timer --archive . --exec '$(ROOT)/selftests/suite.sh' $(SUITES) || \
		{ echo "What each suite printed is in $(LOGS)."; exit 1; }

check-long: SUITES = $(LONG)
check-long: check

list:
	@printf '%s\n' $(CHECK) $(LONG) $(MORE)

# Stock kernels in virtual machines, whose instructions are interpreted: with -full all tests, else those that depend on the kernel
# most, on the newest and the oldest; on the newest in addition those that take less than 20 s of CPU and are not in the debug kernel.
DEPENDS = cp_bridge ecnsharp_module ecnsharp_gso onramp_acks onramp_fq onramp_kernel onramp_load
SOON = cp_churn cp_fecn cp_ports default_qdisc delay_hist drop_reasons ecnsharp_mark ecnsharp_trace kernel_untried onramp_fecn onramp_metrics onramp_routes \
	onramp_rp onramp_scope
stock-6.1:
	@$(BOOT) 6.1 -- ./run_tests.py $(DEPENDS)
stock-newest:
	@$(BOOT) newest -- ./run_tests.py $(DEPENDS) $(SOON)
stock-6.1-full stock-6.12-full stock-newest-full: stock-%-full:
	@$(BOOT) $*
rt-6.1 rt-6.12 rt-newest: rt-%:
	@$(BOOT) $* --flavour rt -- ./run_tests.py onramp_rt ecnsharp_mark onramp_fq
untried:
	@$(BOOT) 6.12 --make KCFLAGS=-DSHARPRAMP_TRIED=0 -- UNTRIED=Y ./run_tests.py kernel_untried
noipv6:
	@$(BOOT) 6.12 --append ipv6.disable=1 -- ./run_tests.py onramp_noipv6
ktls:
	@selftests/qemu/ktls.py
icount-6.1 icount-6.12: icount-%:
	@$(BOOT) $* --icount -- ./run_tests.py onramp_kernel
icount-acker:
	@$(BOOT) 6.12 --icount --memory 2048 --timeout 1800 --file selftests/bench/acker_cost.py /sharpramp/acker -- python3 /sharpramp/acker
icount-forged:
	@$(BOOT) 6.12 --icount --memory 2048 --file selftests/bench/forged_ack_cost.py /sharpramp/forged -- python3 /sharpramp/forged
icount-acc:
	@$(BOOT) 6.12 --icount --memory 2048 --timeout 1800 --file selftests/bench/acc_cost.py /sharpramp/acc -- python3 /sharpramp/acc
icount-cp:
	@$(BOOT) 6.12 --icount --memory 2048 --timeout 1800 --file selftests/bench/cp_cost.py /sharpramp/cp -- python3 /sharpramp/cp
stock:
	@selftests/qemu/debian_archive_test.py
smp:
	@lab/kernel/build smp >&2
	@selftests/qemu/smp.py
	@selftests/qemu/smp.py --kernel 6.12 ./net/onramp_remember.sh
igb:
	@selftests/igb/run_igb.py
lockdep-newest:
	@selftests/qemu/lockdep.py
kcsan:
	@lab/kernel/build kcsan >&2
	@selftests/qemu/kcsan.py
watch-6.1 watch-6.12: watch-%:
	@selftests/qemu/watch_recipes.py $*

# The lab's kernel, and its debug form with our modules.
lab-kernel:
	@lab/kernel/build plain >&2
	@lab/kernel/selftest/kernel_test.py
debug-kernel:
	@lab/kernel/build debug >&2
	@lab/kernel/selftest/kernel_test.py debug
kunit:
	@selftests/kunit/run_kunit.py plain
debug:
	@$(UML)
debug-full:
	@$(UML) --full
flood-full:
	@$(UML) --full ./uml/flood.py ./uml/reconfigure.py ./uml/leaks.sh

# Libraries of others, in the lab's kernel.
clients:
	@selftests/clients/run_clients.py

# The lab, and the papers' numbers.
acceptance-ecnsharp:
	@lab/report/acceptance --quick
acceptance-onramp:
	@lab/report/acceptance --onramp --quick
reproducible-others:
	@selftests/lab/reproducible.py --others
clocks-full clock-sync-full: %-full:
	@selftests/lab/$(subst -,_,$*).py --full
soak:
	@selftests/lab/soak.py --quick
demo reproducible red conservation lossless scheduling failures paced clocks stamps clock-sync fabric requests tenants combine training refusals:
	@selftests/lab/$(subst -,_,$@).py
lab-unit:
	@for test in parameters results endings training; do selftests/lab/unit_$$test.py || failed=1; done; exit $${failed:-0}
labnic:
	@$(IN) lab/labnic/test check
	@lab/labnic/test/lab_test.py
guest-init:
	@$(IN) lab/guest check
flowgen:
	@$(IN) lab/traffic check
report:
	@for test in runs studies verdicts pages; do \
		PYTHONPATH='$(ROOT):$(ROOT)/selftests/lib' python3 -P -B -m lab.report.test.$${test}_test || failed=1; \
	done; exit $${failed:-0}
bench:
	@selftests/bench/bench_test.py

# Driver patches, and the kernels that modules and patches are built for.
drivers-6.1 drivers-6.12 nics-6.1 nics-6.12:
	@$(DRIVERS) --boot $@
two-6.1 two-6.12: two-%:
	@$(DRIVERS) --two $*
driver-patches:
	@$(DRIVERS)
drivers-others:
	@$(DRIVERS) --others
absent-6.1 absent-6.12 absent-newest: absent-%:
	@selftests/absent/run_absent.py $*
compat:
	@selftests/matrix/run_matrix.py --probes
matrix:
	@selftests/matrix/run_matrix.py
in-tree:
	@selftests/in_tree.py
upstream:
	@selftests/upstream.py

# Algorithms, parsers and programs in user space.
unit:
	@$(IN) selftests/unit check
unit-full:
	@FULL=1 $(IN) selftests/unit VARIANTS='32 64-fast' check
mutants:
	@$(IN) selftests/unit mutants
fuzz fuzz-long:
	@$(IN) selftests/fuzz all
	@O='$(O)/$@' selftests/fuzz/run.sh $(if $(filter fuzz,$@),20000,30s)
fuzz-requests:
	@$(UML) --set COUNT=30000 ./uml/netlink_fuzz.py ./uml/leaks.sh
fuzz-requests-long:
	@seed=$$(od -An -N4 -tu4 /dev/urandom | tr -d ' '); echo "# SEED=$$seed"; \
		$(UML) --set SEED=$$seed --set COUNT=100000 ./uml/netlink_fuzz.py ./uml/leaks.sh
lib:
	@$(IN) lib/test check
tc-plugins:
	@$(IN) tc-plugins check
onrampctl:
	@$(IN) tc-plugins/onrampctl check
# One build for the suites of a daemon: the first that starts builds, the others wait for it. Without a PART nothing is tested.
huygens-algo huygens-fleet huygens-net huygens-platform:
	@mkdir -p '$(O)'
	@flock '$(O)/huygens.lock' $(MAKE) -s --no-print-directory O='$(O)/huygens' -C huygens-lite PART= check
	@$(MAKE) -s --no-print-directory O='$(O)/huygens' -C huygens-lite PART=$(@:huygens-%=%) check
acc-algo acc-model acc-sim acc-conf acc-queue acc-ctl acc-daemon acc-train:
	@mkdir -p '$(O)'
	@flock '$(O)/acc.lock' $(MAKE) -s --no-print-directory O='$(O)/acc' -C acc-tuner PART= check
	@$(MAKE) -s --no-print-directory O='$(O)/acc' -C acc-tuner PART=$(@:acc-%=%) check
huygens-algo-full:
	@FULL=1 $(IN) huygens-lite/test/algo check
acc-algo-full:
	@FULL=1 $(IN) acc-tuner/test/algo check
acc-mutants:
	@selftests/lib/run_programs.sh acc-tuner/test/algo/mutants.sh acc-tuner/test/sim/mutants.sh
huygens-mutants:
	@$(IN) huygens-lite/test/algo mutants
huygens-valgrind:
	@$(IN) huygens-lite valgrind
wireshark:
	@contrib/wireshark/test/dissector_test.py --lab
wireshark-cnm:
	@contrib/wireshark/test/cnm_test.py

# The tree, its documents, and what is installed.
style:
	@selftests/style.sh
consistency-netlink consistency-parameters consistency-docs:
	@selftests/consistency/$(@:consistency-%=%).py
recipes operations:
	@selftests/consistency/$@.py
install:
	@selftests/install_test.py
packages:
	@selftests/packages/run_packages.py
# Root of a new namespace may mount the full disk.
bad-files:
	@$(MAKE) -s --no-print-directory -C '$(ROOT)' O='$(O)/$@' DEPS=have tools >&2
	@O='$(O)/$@' unshare --mount $$([ "$$(id -u)" -eq 0 ] || echo --map-root-user) selftests/consistency/bad_files.py
site:
	@site/test/site_test.py
arm64:
	@selftests/arm64/run_arm64.py
kubernetes:
	@selftests/kubernetes/run_kubernetes.py
ansible:
	@selftests/ansible/run_ansible.py
distributions:
	@selftests/distributions/run_distributions.py
distributions-built:
	@selftests/distributions/run_distributions.py --build
packages-others:
	@selftests/packages/run_packages.py --others
packages-6.1 packages-6.12: packages-%:
	@selftests/packages/boot_installed.py $*
installed-6.12: installed-%:
	@selftests/packages/boot_installed.py --make $*
cluster:
	@selftests/cluster/run_cluster.py 6.12
