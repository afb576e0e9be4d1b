# SPDX-License-Identifier: GPL-2.0
"""How well what a sender learns of a packet's delay predicts that of the next packet that it sends.

Delays of packets and round-trip times are taken at the switch between the hosts, in true time. Integers only.
"""

from bisect import bisect_left
from dataclasses import dataclass
from math import isqrt

from lab.host.results import percentile, quotient

SEQUENCE = 1 << 32
# A next packet later than this is no matter of the one before.
FRESH_NS = 1_000_000
TENTHS = 10
# Places after the point of a square root.
ROOT_BITS = 32


@dataclass(frozen=True)
class Sample:
    """A known value and the delay that followed it, ns."""

    at: int         # when the sender learned it, after the epoch
    known: int
    next_owd: int   # of the first packet that the flow sends then


def packets(came, left):
    """Data by flow, of what came to the switch and what left it: [(time at which it came, end of its sequence, how long it stayed or None if it was dropped), ...]"""
    gone = {}
    for segment in left:
        gone.setdefault((segment.flow, segment.seq, segment.size), []).append(segment.at)
    found = {}
    for segment in came:
        if not segment.size:
            continue
        times = gone.get((segment.flow, segment.seq, segment.size), [])
        # One sent again can only leave after it came.
        place = bisect_left(times, segment.at)
        stayed = times.pop(place) - segment.at if place < len(times) else None
        found.setdefault(segment.flow, []).append((segment.at, (segment.seq + segment.size) % SEQUENCE, stayed))
    return found


def rtts(sent, left, link_ns):
    """[(when it is known, flow, round-trip time), ...] of the packets acknowledged last; link_ns is how long a host's link takes."""
    acks = {}
    for segment in left:
        if segment.ack is not None and segment.back in sent:
            acks.setdefault(segment.back, []).append((segment.at + link_ns, segment.ack))
    return sorted((at, flow, rtt) for flow, reported in acks.items() for at, rtt in _of_flow(sent[flow], reported, link_ns))


def _of_flow(sent, reported, link_ns):
    place = 0
    for at, ack in reported:
        newest = None
        # Acknowledged packets are in order, except retransmissions, which have no sample.
        while place < len(sent) and (ack - sent[place][1]) % SEQUENCE < SEQUENCE // 2 and sent[place][0] < at:
            newest = sent[place]
            place += 1
        if newest is not None and newest[2] is not None:
            yield at, at - newest[0] + link_ns


def samples(sent, reported, link_ns):
    """Each thing that a sender learned, as (when, flow, what), with the packet that followed; nothing twice of one packet."""
    times = {flow: [at for at, _, _ in passed] for flow, passed in sent.items()}
    since, found = {}, []
    for at, flow, known in reported:
        if flow not in sent:
            continue
        place = bisect_left(times[flow], at + link_ns)
        if place == len(sent[flow]) or place == since.get(flow) or times[flow][place] - at > FRESH_NS:
            continue
        stayed = sent[flow][place][2]
        if stayed is not None:
            since[flow] = place
            found.append(Sample(at, known, stayed + 2 * link_ns))
    return found


def _ranks(values):
    """Twice the rank of each value, equal ones having their mean rank."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for place in range(first, last + 1):
            ranks[order[place]] = first + last
        first = last + 1
    return ranks


def _linear(a, b):
    """Pearson's correlation of two lists of whole numbers; None where one of them does not vary."""
    n = len(a)
    covariance = n * sum(x * y for x, y in zip(a, b)) - sum(a) * sum(b)
    variances = (n * sum(x * x for x in a) - sum(a)**2) * (n * sum(y * y for y in b) - sum(b)**2)
    return quotient(covariance << ROOT_BITS, isqrt(variances << 2 * ROOT_BITS), 4)


def predict(known, following):
    """How one list of times tells another: correlations, and what follows in each tenth of what is known."""
    pairs = sorted(zip(known, following))
    tenths = [pairs[len(pairs) * i // TENTHS:len(pairs) * (i + 1) // TENTHS] for i in range(TENTHS)]
    return {
        "correlation": _linear(known, following),
        "rank_correlation": _linear(_ranks(known), _ranks(following)),
        "tenths": [{
            "known_us": quotient(part[len(part) // 2][0], 1000),
            **{f"next_p{percent}_us": quotient(percentile(sorted(value for _, value in part), percent), 1000)
               for percent in (5, 50, 95)},
        } for part in tenths if part],
    }
