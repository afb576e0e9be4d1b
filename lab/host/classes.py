# SPDX-License-Identifier: GPL-2.0
"""Classes at a port: a scheduler with an AQM in each of its classes, chosen by the packets' codepoint.

Class 1, 2, 3 ... are the codepoints 0, 8, 16 ... (CS0, CS1, CS2 ...), none of which Linux takes for a priority of its
own. Any other codepoint belongs to class 1.
"""

from lab.host import results

# A class of weight 1 may send so many bytes in a round, as in the paper's simulation; Linux saves what is too
# little for a frame.
QUANTUM = 1500

SCHEDULERS = ("drr", "ets", "prio")


def dscp(number):
    """Codepoint of a class, from 1."""
    return 8 * (number - 1)


def _scheduler(port, kind, weights):
    quanta = [QUANTUM * weight for weight in weights]
    if kind == "drr":
        yield f"qdisc add dev {port} root handle 1: drr"
        for number, quantum in enumerate(quanta, 1):
            yield f"class add dev {port} parent 1: classid 1:{number} drr quantum {quantum}"
    elif kind == "ets":
        yield f"qdisc add dev {port} root handle 1: ets bands {len(quanta)} quanta {' '.join(map(str, quanta))}"
    else:
        yield f"qdisc add dev {port} root handle 1: prio bands {len(quanta)} priomap{16 * ' 0'}"


def discipline(port, kind, weights, leaf):
    """Arguments of tc; with prio, class 1 goes first and the weights are only counted."""
    yield from _scheduler(port, kind, weights)
    for number in range(1, len(weights) + 1):
        yield f"qdisc add dev {port} parent 1:{number} handle {number + 1}: {' '.join(leaf)}"
    for number in range(2, len(weights) + 1):
        yield (f"filter add dev {port} parent 1: protocol ip prio 1 u32 "
               f"match ip dsfield {dscp(number) << 2:#04x} 0xfc flowid 1:{number}")
    yield f"filter add dev {port} parent 1: protocol all prio 2 matchall classid 1:1"


def _wait_us(leaves):
    """A byte's mean wait by Little's law, where the qdisc integrates its backlog as ecnsharp does; else None."""
    if not all("backlog_byte_us" in leaf for leaf in leaves):
        return None
    return results.quotient(*(sum(leaf[name] for leaf in leaves) for name in ("backlog_byte_us", "bytes")))


def read(paths, count):
    """Packets that each class of some ports sent and dropped, and their wait, from their .tc.json."""
    ports = [{entry["parent"]: entry for entry in results.read_qdisc(path) if "parent" in entry} for path in paths]
    for number in range(1, count + 1):
        leaves = [port[f"1:{number}"] for port in ports]
        yield {**{name: sum(leaf[name] for leaf in leaves) for name in ("bytes", "packets", "drops")}, "mean_wait_us": _wait_us(leaves)}
