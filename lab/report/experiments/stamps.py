# SPDX-License-Identifier: GPL-2.0
"""Where stamps are taken, and how wrong delays are: On-Ramp's 3.3, 1."""

from experiment import Column, Experiment, Grid
from runs import Run

COST_S = 20
SOURCES = ("qdisc", "tracepoint", "driver", "hardware")
# What a host's interrupts are: (name, words for the lab, said).
INTERRUPTS = (("soon", (), "interrupts up to 2 us late"),
              ("late", ("coalesce=20us", "rtt=65us"), "interrupts 20 us after the first packet, and up to 2 us late"))


def case(interrupts, source):
    return f"stamps/{interrupts}/{source}"


def experiment(seeds):
    """For the report."""
    every = tuple(Run(case(name, source), "stamps", (f"stamps={source}", *words), seed, COST_S)
                  for seed in seeds for name, words, _ in INTERRUPTS for source in SOURCES)

    def of(path):
        return lambda data, key: data.mean(case(*key), path)

    return Experiment("stamps", every, (), (), (Grid(
        "stamps", "How wrong one-way delays are, by where stamps are taken",
        "8 hosts, web search at 40 % load, cards with clocks that are up to 1 us and 10 ppm off and lines from them that a program publishes each "
        "10 ms. By how much a delay is longer than the true one from card to card, without what is wrong with the hosts' clocks; its size, and "
        "the same less the median, which a path's least delay takes away. `tracepoint` and `driver` are equal in every digit, as the driver's code between "
        "them takes no virtual time: what it takes of a processor's is in driver-patches/README.md, 'What it is worth'.", "stamps of",
        tuple((f"{source}, {said}", (name, source)) for name, _, said in INTERRUPTS for source in SOURCES),
        (Column("error, mean, us", of("stamp_error.mean_us"), "{:.2f}".format),
         *(Column(f"size, {percent}, us", of(f"stamp_error.{percent}_us"), "{:.2f}".format) for percent in ("p50", "p99", "max")),
         *(Column(f"less the median, {percent}, us", of(f"stamp_noise.{percent}_us"), "{:.2f}".format) for percent in ("p50", "p99"))),
        ("stamps",)),))
