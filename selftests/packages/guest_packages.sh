#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the machine, after its boot: the installed packages work, are as described, and go without a trace. TAP.
#
# Output and verdict go where the kernel's command line says, as with selftests/qemu/init.sh.

# shellcheck source=selftests/packages/results.sh
. /sharpramp/results.sh
booted

# Files that the installation left behind.
built_for() { dkms status | grep -q "^sharpramp/.*, $1, .*: installed" || { dkms status; return 1; }; }
not_built_for() { ! dkms status | grep "^sharpramp/.*, $1[.-]"; }
versions() { dpkg-query -W -f '${Version} ${db:Status-Status}\n' sharpramp-dkms sharpramp-tools huygens-lite acc-tuner | sort -u; }
upgraded() { versions | awk '{ print } !/\+next installed$/ { old = 1 } END { exit old || NR != 1 }'; }
for kernel in /lib/modules/6.*; do
	tap_run "the modules are built for ${kernel##*/}" built_for "${kernel##*/}"
	tap_run "and signed, for Secure Boot" equal "$(modinfo -k "${kernel##*/}" -F signer sch_onramp)" 'DKMS module signing key'
done
tap_run "by the key that docs/operations.md has mokutil import" test -s /var/lib/dkms/mok.pub
set -- /lib/modules/6.*
tap_run "there are two such kernels" equal $# 2
tap_run "a kernel that is too old is left alone" not_built_for 5.10
tap_run "which apt does not mind, and says" says 'Skipped' /sharpramp/first
tap_run "building them leaves nothing to clean" lacks 'bad exit status' /sharpramp/first
tap_run "all packages were upgraded" upgraded
old_version() {
	find /usr/src /var/lib/dkms -maxdepth 2 \( -name 'sharpramp-*' -o -path '*/sharpramp/[0-9]*' \) ! -name '*+next'
	dkms status 2>/dev/null | grep -v +next
}
tap_run "the version before left nothing" nothing old_version
tap_run "the configuration is still the user's" says "A line of the user's" /etc/huygens-lite.conf

# The qdiscs: tc finds the plugins, the kernel the modules.
qdiscs dkms/
tap_run "onramp_acker is loaded by its name" modprobe onramp_acker
tap_run "onrampctl talks to it" onrampctl clock

# The daemon: nobody starts it but the user.
tap_run "the daemon is not enabled" sh -c '! systemctl is-enabled --quiet huygens-lite huygens-wait'
tap_run "the daemon does not run" sh -c '! systemctl is-active --quiet huygens-lite'
tap_run "its configuration steers nothing" says '^mode = publish' /etc/huygens-lite.conf
tap_run "its units are valid" systemd-analyze --man=no verify huygens-lite.service huygens-lite@upper.service huygens-wait.service
tap_run "systemd calls them confined" systemd-analyze security --threshold=30 huygens-lite.service huygens-wait.service
tap_run "a NIC's clock comes" insmod "/sharpramp/clock-$release.ko"
tap_run "and is the daemon's group's" equal "$(clock)" 'root:huygens 660'
tap_run "whose hosts are nobody's: it refuses to start" sh -c '! systemctl start huygens-lite'
systemctl stop huygens-lite
systemctl reset-failed huygens-lite
tap_run "this host is one of the configuration's" ip address add 192.0.2.1/32 dev lo
tap_run "the user enables it" systemctl enable --now huygens-lite
tap_run "it runs" systemctl is-active huygens-lite
tap_run "as its own user" equal "$(as_user huygens-lite)" huygens
tap_run "huygensctl talks to it" huygensctl tracking

# Upgraded as it runs: its configuration has been changed, it has a drift, others wait for its clock.
drift=/var/lib/huygens-lite/drift
echo '# Another line of the user'\''s.' >>/etc/huygens-lite.conf
printf '%20.6f %20.6f\n' 1.25 0.5 >"$drift"
chown huygens: "$drift"
sha256sum /etc/huygens-lite.conf "$drift" >/run/kept
state() { systemctl show -P ActiveState "$1"; }
systemctl enable --quiet huygens-wait
systemctl start --no-block huygens-wait
was=$(systemctl show -P MainPID huygens-lite)
tap_run "a unit that needs its clock waits for it" equal "$(state huygens-wait)" activating
tap_run "it is upgraded" dpkg -i /sharpramp/huygens-lite.deb
tap_run "which did not wait for clocks" equal "$(state huygens-wait)" activating
tap_run "to the version that was given" equal "$(dpkg-query -W -f '${Version}' huygens-lite | sed 's/.*+next//')" +more
is=$(systemctl show -P MainPID huygens-lite)
tap_run "it runs" equal "$(state huygens-lite)" active
tap_run "and is another process" test "$was" -gt 0 -a "$is" -gt 0 -a "$was" != "$is"
tap_run "of the program that came" equal "$(readlink "/proc/$is/exe")" /usr/sbin/huygens-lite
tap_run "its configuration and its drift are kept" sha256sum --quiet -c /run/kept
tap_run "huygensctl talks to it, too" huygensctl tracking
systemctl stop huygens-wait

# acc-tuner: nobody starts it but the user, it observes, and what it tuned is given back however it ends.
queue() { tc -d qdisc show dev tuned0 parent 1:1; }
queue_is_own() { equal "$(queue)" "$(cat /run/queue)"; }
# within COMMAND...: that it succeeds before the unit starts its daemon again
within() { for _ in $(seq 40); do "$@" >/dev/null && return; sleep 0.1; done; "$@"; }
tuner_is() { accctl queues | grep "^tuned0/10: *$1 "; }
capabilities() { grep CapEff "/proc/$(systemctl show -P MainPID acc-tuner)/status" | cut -f 2; }
tap_run "acc-tuner is not enabled" sh -c '! systemctl is-enabled --quiet acc-tuner && ! systemctl is-active --quiet acc-tuner'
tap_run "its unit is valid" systemd-analyze --man=no verify acc-tuner.service
tap_run "systemd calls it confined" systemd-analyze security --threshold=25 acc-tuner.service
tap_run "there is a queue" sh -c 'ip link add tuned0 type dummy && ip link set tuned0 up && ip address add 198.51.100.1/24 dev tuned0 &&
	tc qdisc add dev tuned0 root handle 1: tbf rate 10mbit burst 10kb limit 10mb &&
	tc qdisc add dev tuned0 parent 1:1 handle 10: ecnsharp ins_target 333us'
queue >/run/queue
ip neighbour add 198.51.100.2 lladdr 02:00:00:00:00:02 dev tuned0
bash -c 'exec 3>/dev/udp/198.51.100.2/9; while printf %01000d 0 >&3; do :; done' &
traffic=$!
tap_run "the user enables it" systemctl enable --now acc-tuner
tap_run "it observes" within tuner_is observed
tap_run "as its own user" equal "$(as_user acc-tuner)" acc-tuner
tap_run "without a capability" equal "$(capabilities)" 0000000000000000
tap_run "and changes nothing" queue_is_own
sed -i 's/^mode = observe/mode = tune/; s/^policy = follow/policy = ddqn\nmodel = \/usr\/share\/acc-tuner\/ramp20.accm/' /etc/acc-tuner.conf
printf '[limits]\nshare = 0\n' >>/etc/acc-tuner.conf
for signal in KILL TERM; do
	tap_run "it is restarted to tune, by a network" systemctl restart acc-tuner
	tap_run "it tunes" within tuner_is tuned
	tap_run "with CAP_NET_ADMIN and no more" equal "$(capabilities)" 0000000000001000
	tap_run "and the queue has other thresholds" within sh -c '! tc -d qdisc show dev tuned0 parent 1:1 | cmp -s - /run/queue'
	tap_run "SIG$signal ends it" systemctl kill --signal "$signal" acc-tuner
	tap_run "the queue has its own settings again" within queue_is_own
	tap_run "and no daemon runs" within sh -c 'systemctl show -P SubState acc-tuner | grep -E "^(auto-restart|dead)"'
done
kill "$traffic"
tap_run "it is started again" systemctl start acc-tuner
ip link delete tuned0

# And out again, first by the line of the page that is installed. The packages stop what is theirs, the modules go when nothing
# uses them.
typed() { sed -n '/^## Removal/,$s/^    \(modprobe -r .*\)/\1/p' /usr/share/doc/sharpramp-tools/docs/operations.md; }
tap_run "modules are loaded" test -n "$(modules)"
tap_run "docs/operations.md has a line that unloads them" equal "$(typed | wc -l)" 1
tap_run "which is taken" sh -c "$(typed)"
tap_run "and unloads all of them" nothing modules
tap_run "onramp_acker is loaded again" modprobe onramp_acker
tap_run "an operator is of its group" usermod -a -G huygens games
tap_run "purge" dpkg --purge acc-tuner huygens-lite sharpramp-tools sharpramp-dkms
tap_run "the daemons have ended" sh -c '! systemctl is-active --quiet huygens-lite && ! systemctl is-active --quiet acc-tuner'
tap_run "the NIC's clock is root's again" equal "$(clock)" 'root:root 600'
tap_run "the modules go" rmmod onramp_acker onramp onramp_hook
tap_run "tc has forgotten them" sh -c '! tc qdisc add dev lo root ecnsharp && ! tc qdisc add dev lo root onramp'
tap_run "purge leaves nothing" nothing left
installed() { sh /sharpramp/leftovers.sh </sharpramp/installed; }
tap_run "of the files that were installed" test "$(installed | wc -l)" -gt 100

finished
