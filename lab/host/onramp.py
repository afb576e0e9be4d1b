# SPDX-License-Identifier: GPL-2.0
"""Configuration of hosts with the qdisc onramp: the acker, and the error bound of their clocks."""

import json
import os

from lab.host import results
from lab.host.units import Refused

EVERYBODY = "0.0.0.0/0"


def is_onramp(arguments):
    """Whether a qdisc, as arguments for tc, is On-Ramp's."""
    return bool(arguments) and arguments[0] == "onramp"


def measures(arguments):
    """Whether it measures delays: its mode is not off, which is its default."""
    return is_onramp(arguments) and any(pair in (("mode", "observe"), ("mode", "hold")) for pair in zip(arguments, arguments[1:]))


# Statistics of the qdisc about holds, by the names of the JSON.
HOLDS = (("n", "holds"), ("bounded", "holds_bounded"), ("new_flows", "holds_new"), ("observed", "holds_observed"),
         ("shortened", "kicks"), ("packets", "held"))


def holds(total):
    """Holds of the senders' qdiscs together, from the sums of their statistics.

    A hold is counted as long as it lasted: until it ended, or another took its place. `bounded` were cut to max_hold,
    `new_flows` began a flow, `observed` mode observe would have set; `shortened` ended early because a later delay required less.
    `packets` left later than all rules but a hold required, by `packet_mean_us`.
    """
    return {
        **{name: total[counter] for name, counter in HOLDS},
        "total_us": results.quotient(total["hold_ns"], 1000),
        "mean_us": results.quotient(total["hold_ns"], 1000 * total["holds"]),
        "packet_mean_us": results.quotient(total["held_time_ns"], 1000 * total["held"]),
    }


def _bound(arguments):
    """Clock of the receivers: that of the qdisc, because hosts are alike."""
    for place in range(len(arguments) - 3):
        if arguments[place:place + 3] == ["clock", "system", "error"]:
            return arguments[place + 3]
    raise Refused("host: onramp needs 'clock system error TIME': nobody publishes a clock here")


def receiver(host, port, qdisc, acker, published=False):
    """Lines of a topology script for a host that receives data by a port; published: somebody publishes a common time."""
    if not published:
        yield f"exec {host} onrampctl clock set system error {_bound(qdisc)}"
    if acker:
        yield f"exec {host} onrampctl acker set {' '.join(acker)}"
    yield f"exec {host} onrampctl peers add {EVERYBODY}"
    yield f"exec {host} onrampctl acker dev add {port}"


def count(receivers):
    """Lines of a topology script, after its traffic: what hosts that receive data say of their OR-ACKs."""
    for host in receivers:
        yield f"exec {host} onrampctl -j acker"


# Bytes of a datagram's frame (Ethernet, IPv4, UDP, the header of onramp_wire.h), and of each of its entries.
DATAGRAM_BYTES, ENTRY_BYTES = 14 + 20 + 8 + 16, 20
# Counters of the acker, by its own names: data packets that came, and why those that were acked were.
COUNTED = {"packets": "data_packets", "entries": "entries", "entries_first": "first", "entries_every": "every", "entries_last": "last",
           "datagrams": "datagrams"}


def or_acks(folder, payload):
    """OR-ACKs that receivers sent, from the output of count(); payload: bytes of data that were sent to them."""
    with open(os.path.join(folder, "exec.log"), encoding="utf-8") as file:
        # Each follows a line that names its program; a line that is not an object is another program's.
        blocks = [block.partition("\n")[2] for block in file.read().split("# topology:")]
    documents = [json.loads(text) for text in blocks if text.startswith("{")]
    total = {name: sum(one[counter] for one in documents) for counter, name in COUNTED.items()}
    size = DATAGRAM_BYTES * total["datagrams"] + ENTRY_BYTES * total["entries"]
    return {**total, "bytes": size, "payload": payload, "percent": results.quotient(100 * size, payload, 4)}
