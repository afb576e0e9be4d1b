# SPDX-License-Identifier: GPL-2.0
"""What hosts are told beside their qdisc if that is onramp: to ack what they receive, and how good their clocks are."""

from units import Refused

EVERYBODY = "0.0.0.0/0"


def is_onramp(words):
    """Whether a qdisc, as words for tc, is On-Ramp's."""
    return bool(words) and words[0] == "onramp"


def _bound(words):
    """What the qdisc says of its clock holds for the receivers' clocks too: hosts are alike."""
    for place in range(len(words) - 3):
        if words[place:place + 3] == ["clock", "system", "error"]:
            return words[place + 3]
    raise Refused("host: onramp needs 'clock system error TIME': nobody publishes a clock here")


def receiver(host, port, qdisc, acker):
    """Lines of a plan for a host that receives data by a port."""
    yield f"exec {host} onrampctl clock set system error {_bound(qdisc)}"
    if acker:
        yield f"exec {host} onrampctl acker set {' '.join(acker)}"
    yield f"exec {host} onrampctl peers add {EVERYBODY}"
    yield f"exec {host} onrampctl acker dev add {port}"
