# SPDX-License-Identifier: GPL-2.0
"""Qdiscs of On-Ramp's hosts, by the name of a scheme, and the clock errors of both ends.

Nothing is dropped at hosts: with its own limit of 100 packets a flow, fq drops what BBR sends faster than it may leave, and
a baseline that loses and sends again by itself would flatter On-Ramp. fq and onramp have the same, ample limits.
"""


AMPLE = "limit 100000 flow_limit 10000"
# Good clocks: the paper's differ by 0.1 to 0.2 us, 3 us at most.
GOOD_US = 1
# The paper's T in its cloud, with which all criteria of On-Ramp are tested, and that of its bare metal.
WIDE_US, TIGHT_US = 150, 50
# The switch's marking for DCTCP.
MARKED = ("aqm=red limit 1000000 min 97500 max 97501 avpkt 1500 burst 66 bandwidth 10gbit probability 1 ecn nodrop",)
# Options in addition to `threshold auto`: T is the path's base, twice the error, and the margin.
AUTO = {"auto": "", "auto, nic_comp on": "nic_comp on", "auto, margin 50us": "margin 50us", "auto, margin 130us": "margin 130us"}


def automatic(name):
    """host= of one of AUTO."""
    return f"{onramp('auto')} {AUTO[name]}".rstrip()


def onramp(threshold_us, law="weighted", mode="hold", error_us=GOOD_US):
    """T in us, or "auto"; law: weighted, or final, the paper's own, or strawman, its equation 2."""
    threshold = threshold_us if threshold_us == "auto" else f"{threshold_us}us"
    arguments = ["onramp", AMPLE, "mode", mode, "law", law, "threshold", threshold, "clock system error", f"{error_us}us"]
    if error_us > GOOD_US:
        arguments.append("max_error 10ms")
    return " ".join(arguments)


def schemes(threshold_us):
    """Name -> host= of the schemes that are compared at one T."""
    return {
        "fq": f"fq {AMPLE}",
        "fq_codel": "fq_codel",
        "off": onramp(threshold_us, mode="off"),
        "onramp": onramp(threshold_us),
        "nic_comp": f"{onramp(threshold_us)} nic_comp on",
        "final": onramp(threshold_us, "final"),
        "strawman": onramp(threshold_us, "strawman"),
    }

