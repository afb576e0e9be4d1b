#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The packet accounting of a run balances, and any packet that is not accounted for is noticed.

First with numbers made up here, damaged one number at a time; then with a run of the lab that drops packets.
"""

import copy
import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.host import accounting
from lab.host.artifacts import Lab
from lab.trials import Trial
from tap import Tap

# Two hosts at a switch: 10 frames there, 4 back; 3 of the 10 dropped at the switch's second port.
GOOD = """\
a eth0 peer sw p1
a eth0 tx_packets 10
a eth0 tx_bytes 10000
a eth0 rx_packets 4
a eth0 rx_bytes 400
sw p1 peer a eth0
sw p1 tx_packets 4
sw p1 tx_bytes 400
sw p1 rx_packets 10
sw p1 rx_bytes 10000
sw p2 peer b eth0
sw p2 tx_packets 7
sw p2 tx_bytes 7000
sw p2 rx_packets 4
sw p2 rx_bytes 400
sw p2 drop QDISC_DROP 3 3000
b eth0 peer sw p2
b eth0 tx_packets 4
b eth0 tx_bytes 400
b eth0 rx_packets 7
b eth0 rx_bytes 7000
"""
HOSTS = ("a", "b")
LOSSES = "".join(f"{port} {name} 0\n" for port in ("a eth0", "sw p1", "sw p2", "b eth0")
                 for name in ("tx_drop_link_down", "rx_drop_oversize", "tx_control_packets", "tx_control_bytes",
                              "rx_control_packets", "rx_control_bytes"))


def ports_of(text):
    """Packet accounting as the guest init writes them, read back: {(host, port): Port}."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "accounting"), "w", encoding="ascii") as file:
            file.write(text)
        return accounting.read(folder)


def refused(ports):
    """Why the accounting does not balance; None if they do."""
    try:
        accounting.balance(ports, HOSTS)
    except accounting.Unbalanced as why:
        return str(why)
    return None


def made_up(tap):
    """Small accounts: each counter off by one, and each drop without a cause, is noticed."""
    good = ports_of(GOOD + LOSSES)
    document = accounting.balance(good, HOSTS)
    tap.ok("sound numbers balance", document["sent"] == {"packets": 14, "bytes": 10400}
           and document["delivered"] == {"packets": 11, "bytes": 7400}, document)
    tap.ok("drops have their cause", document["dropped"] == {"QDISC_DROP": {"packets": 3, "bytes": 3000}}, document)
    for key, port in sorted(good.items()):
        for name in sorted(port.counters):
            bad = copy.deepcopy(good)
            bad[key].counters[name] += 1
            why = refused(bad)
            tap.ok(f"one more {name} at {' '.join(key)} is noticed", why and key[0] in why, why)
    for name, amount in (("packet", accounting.Amount(2, 3000)), ("byte", accounting.Amount(3, 2999))):
        bad = copy.deepcopy(good)
        bad["sw", "p2"].drops["QDISC_DROP"] = amount
        tap.ok(f"a dropped {name} that nobody counted is noticed", refused(bad))
    paused = copy.deepcopy(good)
    for key, side in ((("sw", "p1"), "tx"), (("a", "eth0"), "rx")):
        paused[key].counters.update({f"{side}_packets": 6, f"{side}_bytes": 520, f"{side}_control_packets": 2, f"{side}_control_bytes": 120})
    tap.ok("control frames that a switch makes are apart", refused(paused) is None and accounting.balance(paused, HOSTS)
           == {**document, "control": {"packets": 2, "bytes": 120}}, refused(paused))
    for key in (("sw", "p1"), ("a", "eth0")):
        paused[key].counters.update(tx_control_packets=0, tx_control_bytes=0, rx_control_packets=0, rx_control_bytes=0)
    tap.ok("frames that a switch makes and that are no control frames are noticed", "sw" in (refused(paused) or ""), refused(paused))
    lossy = copy.deepcopy(good)
    lossy["b", "eth0"].counters.update(rx_packets=6, rx_bytes=6000, rx_drop_oversize=1)
    tap.ok("a frame that the receiver refused is accounted for", refused(lossy) is None
           and accounting.balance(lossy, HOSTS)["lost_on_links"] == 1, refused(lossy))


def real(tap):
    """codel drops some of a burst at dequeue, pfifo at enqueue."""
    lab = Lab()
    for aqm in ("codel", "pfifo limit 200"):
        document = Trial("queue", (f"aqm={aqm}",), 1).run(lab)
        conservation = document["conservation"]
        dropped = sum(amount["packets"] for amount in conservation["dropped"].values())
        tap.ok(f"{aqm}: the trace point and the qdisc count the same drops", dropped == document["drops"] > 0,
               f"{dropped} and {document['drops']}")
        sent, got = (conservation[side]["bytes"] for side in ("sent", "delivered"))
        lost = sum(amount["bytes"] for amount in conservation["dropped"].values())
        tap.ok(f"{aqm}: bytes sent are bytes delivered and dropped", sent == got + lost, conservation)


def main():
    tap = Tap()
    made_up(tap)
    real(tap)
    tap.end()


if __name__ == "__main__":
    main()
