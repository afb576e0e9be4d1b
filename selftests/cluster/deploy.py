# SPDX-License-Identifier: GPL-2.0
"""Steps of an operator with three machines, as in README.md and docs/operations.md, undone at the end.

The link is a thousand times slower than those that defaults are for, so what is us there is ms here.
"""

import json

import fleet

HOSTS = ("sender", "receiver")
PACKAGES = "sharpramp-dkms sharpramp-tools huygens-lite"
MODULES = "sch_cp sch_ecnsharp sch_onramp onramp_acker onramp onramp_hook"

# Emulated machines know the time to ms, and a queue that stands is half its length of the bound.
CONF = r"[mesh]\npeers = " + " ".join(f"{address}/{name}" for name, address in fleet.ADDRESS.items()) + \
    r"\n[output]\nmax_error = 200ms\nmax_change = 1s\n"
BOTTLENECK = "tbf rate 10mbit burst 16kb latency 500ms"
ECNSHARP = "ecnsharp rtt_avg 40ms rtt_tail 80ms limit 64"
SETTINGS = r'ONRAMP_PEERS="10.0.0.0/8"\nONRAMP_HOSTS="{sender} {receiver}"\n'.format(**fleet.ADDRESS)
PATIENCE_S = 180            # of theirs, until NICs are there and clocks are locked
ONRAMP = "threshold 15ms max_hold 100ms max_error 500ms path_fresh 10ms"


def network(console, name):
    """Addresses of its NICs, and the way to the others."""
    for number, (_, _, address) in enumerate(fleet.NICS[name]):
        dev = f"eth{number}"
        wait = f"for n in $(seq {PATIENCE_S}); do [ ! -e /sys/class/net/{dev} ] || break; sleep 1; done"
        console.ask(name, f"{wait}; ip link set {dev} up && ip address add {address}/24 dev {dev}")
    if name in fleet.WAYS_OUT:
        console.ask(name, f"ip route add default via {fleet.WAYS_OUT[name]} && sysctl -q net.ipv4.tcp_ecn=1")
    else:
        console.ask(name, "sysctl -q net.ipv4.ip_forward=1")


def clocks(console):
    """huygens-lite on all."""
    console.all(f"printf '{CONF}' >/etc/huygens-lite.conf && systemd-sysusers && systemctl enable -q --now huygens-lite")


def locked(console):
    """Wait until all clocks are locked; {name: the output of tracking then}, or the last"""
    # A busy host may stop one of the machines for seconds, whose clock enters holdover: what was observed is reported.
    tries = f"for n in $(seq {PATIENCE_S}); do tracking=$(huygensctl -j tracking); case $tracking in *'\"locked\"'*) break ;; esac; sleep 1; done"
    return {name: json.loads(output) for name, output in console.all(f'{tries}; echo "$tracking"').items()}


def marker(console):
    """ECN# as the leaf of a shaper, where packets wait."""
    console.ask("router", f"tc qdisc add dev eth1 root handle 1: {BOTTLENECK}")
    console.ask("router", f"tc qdisc add dev eth1 parent 1:1 {ECNSHARP}")


def ramp(console, mode):
    """On-Ramp at both ends, by onramp-host, and with what is for this link."""
    console.all(f"printf '{SETTINGS}' >>/etc/default/sharpramp && onramp-host {mode} && tc qdisc change dev eth0 root onramp {ONRAMP}", HOSTS)


def patched(console):
    """The patched driver in place of Debian's, as driver-patches/apply.sh says: the NICs go and come."""
    console.all("systemctl stop huygens-lite", HOSTS)
    console.all(f"cp {fleet.DRIVER} /lib/modules/$(uname -r)/updates/ && depmod", HOSTS)
    reload(console)
    console.all("systemctl start huygens-lite", HOSTS)


def reload(console):
    """The driver that modprobe finds now."""
    console.all("modprobe -r virtio_net && modprobe virtio_net", HOSTS)
    for name in HOSTS:
        network(console, name)


def undone(console):
    """Removal, as in docs/operations.md."""
    console.all("onrampctl hold off && tc qdisc del dev eth0 root && onrampctl acker dev del eth0", HOSTS)
    console.ask("router", "tc qdisc del dev eth1 root")
    console.all("systemctl disable -q --now huygens-lite")
    # Which calls the hook, and keeps it.
    console.all("modprobe -r virtio_net && rm /lib/modules/$(uname -r)/updates/virtio_net.ko && depmod", HOSTS)
    console.all("modprobe -r sch_onramp onramp_acker sch_ecnsharp sch_cp onramp_hook")
    console.all(f"dpkg --purge {PACKAGES} 2>&1")
