# SPDX-License-Identifier: GPL-2.0
"""What predicts the next packet's delay: On-Ramp's Fig. 6."""

import figures
from evidence import mean
from exhibit import Column, Exhibit, Grid, Plate
from runs import Run

COST_S = 30
# Standard deviations of the clocks.
CLOCKS = {"good": "200ns", "ntp": "500us"}
# (label, case, signal)
SIGNALS = (("OWD, good clocks", "good", "owd"), ("RTT", "good", "rtt"), ("OWD, clocks as NTP's", "ntp", "owd"))


def case(clock):
    return f"signal/{clock}"


def _tenth(evidence, key, index, name):
    _, clock, signal = key
    return mean([result.document["signals"][signal]["tenths"][index][name] for result in evidence.results(case(clock))])


def _figure(evidence):
    return figures.Lines(
        name="signal", xlabel="samples in the order of the signal, tenths", ylabel="next OWD, median, us",
        series={key[0]: [(index + 1, _tenth(evidence, key, index, "next_p50_us")) for index in range(10)] for key in SIGNALS})


def exhibit(seeds):
    """For the report."""
    every = tuple(Run(case(clock), "signal", (f"clock_error={error}",), seed, COST_S) for seed in seeds for clock, error in CLOCKS.items())

    def of(name):
        return lambda evidence, key: evidence.mean(case(key[1]), f"signals.{key[2]}.{name}")

    return Exhibit("signal", every, (), (Plate(
        "signal", "The delay of the next packet, where a signal is low and where it is high",
        "Fig. 6 of the paper. All samples in the order of what the sender knew, in tenths; the median of what the flow's next packet took, by true "
        "clocks. A signal that tells nothing gives a level line.", _figure, ("signal",)),), (Grid(
            "signal", "How well a signal predicts the next packet's delay",
            "Web search at 40 % load, every OR-ACK and every acknowledgement that another packet follows within 1 ms; true delays.", "signal",
            tuple((key[0], key) for key in SIGNALS),
            (Column("rank correlation", of("rank_correlation"), "{:.3f}".format), Column("correlation", of("correlation"), "{:.3f}".format),
             *(Column(f"{which} tenth: next OWD, {percent}, us",
                      lambda evidence, key, index=index, percent=percent: _tenth(evidence, key, index, f"next_{percent}_us"), "{:.0f}".format)
               for which, index in (("lowest", 0), ("highest", 9)) for percent in ("p5", "p50", "p95"))),
            ("signal",)),))
