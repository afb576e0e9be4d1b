# SPDX-License-Identifier: GPL-2.0
"""Results of clocks, as tables for a terminal, and as a part of docs/results/bench.md."""

import clocks
import report
from flows_report import table

HEAD = ("daemon", "user, ‰", "system, ‰", "together, ‰", "us a pair")


def daemon_rows(found):
    """The coordinator, and the mean of the others."""
    yield HEAD
    for name, hosts in (("coordinator", [host for host in found if host["host"] == clocks.COORDINATOR]),
                        ("others, mean", [host for host in found if host["host"] != clocks.COORDINATOR])):
        user, every, pair = (sum(clocks.of_host(host)[number] for host in hosts) / len(hosts) for number in ("user", "all", "us_a_pair"))
        yield name, f"{user:.2f}", f"{every - user:.2f}", f"{every:.2f}", f"{pair:.1f}"


def fleet_rows(kernels):
    """(what, in the guest, here) of the fleet; "-" where it was not measured."""
    stock, host = (kernels.get(kernel, {}).get("fleet") for kernel in ("stock", "host"))
    yield "a window", "million instructions", "ms of this machine"
    for name, what in (("read_ms", "read reports, each of which comes twice"), ("solve_ms", "solve"), ("tell_ms", "write solutions")):
        # A ms of the guest's clock is a million instructions.
        yield what, f"{stock[name]:.1f}" if stock else "-", f"{host[name]:.1f}" if host else "-"


def fleet_text(kernels):
    """Numbers of the fleet that depend on no machine, in a sentence."""
    fleet = next(kernels[kernel]["fleet"] for kernel in ("stock", "host") if "fleet" in kernels.get(kernel, {}))
    return (f"{fleet['hosts']} hosts, {fleet['edges']} edges, {fleet['steps']} steps of the solver in the last of {fleet['windows']} windows. "
            f"Memory: {fleet['tables_mb']:.1f} MB of tables and buffers. Traffic, as often as each message is sent: {fleet['reports_mbps']:.2f} Mbit/s "
            f"in, of reports; {fleet['solutions_mbps'] + fleet['hellos_mbps']:.2f} Mbit/s out, of solutions {fleet['solutions_mbps']:.2f} and of HELLOs "
            f"{fleet['hellos_mbps']:.2f}; its probes come on top, and give way (docs/decisions/0034-huygens-traffic-budget.md).")


def has(kernels, case):
    return any(case in found for found in kernels.values())


def text(kernels):
    """For a terminal."""
    parts = []
    if has(kernels, "daemons"):
        parts.append(report.aligned(list(daemon_rows(kernels["stock"]["daemons"])), ""))
    if has(kernels, "fleet"):
        parts += [report.aligned(list(fleet_rows(kernels)), ""), fleet_text(kernels)]
    return "\n\n".join(parts)


def daemons_markdown(found):
    sent = sum(host["sent_bytes"] * 8e-6 / host["seconds"] for host in found) / len(found)
    memory = max(host["memory_kb"] for host in found) / 1000
    rate = sum(clocks.pairs(host) / host["seconds"] for host in found) / len(found)
    return ["", "### Clocks: the daemon's CPU", "",
            f"Debian's stock 6.12 in QEMU, `-icount shift=0`: a CPU that does one instruction a ns, so that a us is 1000 instructions. {found[0]['seconds']:.0f} s "
            "from when all were locked until they had ended on request; CPU by `wait4`, less the process's clock when they were locked; which part "
            "is the user's is counted in ticks. A host "
            f"sends {rate:.0f} pairs of probes a second, to two others, and receives as many; a pair is one sent and one received, and all else that the daemon "
            f"does is laid on them. {sent:.2f} Mbit/s sent by a host, {memory:.1f} MB resident at most.", "",
            *table(list(daemon_rows(found)))]


def markdown(kernels, _rounds, _laps, _seed):
    """The part of bench.md, as lines."""
    lines = ["## Clocks", "", "`selftests/bench/run_bench.py --part clock`:", "",
             *(f"- **{case.name}**: {case.means}." for case in clocks.CASES if has(kernels, case.name))]
    if has(kernels, "daemons"):
        lines += daemons_markdown(kernels["stock"]["daemons"])
    if has(kernels, "fleet"):
        lines += ["", "### Clocks: a coordinator of 1,000 hosts", "", fleet_text(kernels) + " Times are medians of the windows; ms, for orientation: "
                  "they depend on the machine and on what else it does.", "", *table(list(fleet_rows(kernels)))]
    return lines
