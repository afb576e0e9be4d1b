# SPDX-License-Identifier: GPL-2.0
"""ECN# and On-Ramp compared with their baselines, On-Ramp on clocks that huygens-lite keeps: a table here, a page with figures in build/demo/index.html.

    lab/report/demo [--fresh] [--seed N] [--out FOLDER]

Runs that are in the cache are not run again, so an interrupted demo goes on where it was.
"""

import argparse
import os

from lab.experiments import e2e, ramp
from lab.experiments.shared import requests
from lab.host import program
from lab.host.artifacts import Lab
from lab.report import cache, page, pool, resumable, runs, study, table, verdict
from lab.report.run_data import RunData


TITLE = "ECN# and On-Ramp on a Linux kernel, compared with their baselines"


def intro(seed):
    return (
        f"Made from commit {runs.commit()}.",
        "Every number was measured in the virtual-time lab, with the real qdiscs sch_ecnsharp and sch_onramp and the real TCP of a Linux "
        "6.12 kernel, on 10 Gbit/s links. ECN# has DCTCP at the hosts and base RTTs that differ threefold with a long tail. "
        f"Flow completion times, and On-Ramp's numbers on perfect clocks, are means of three seeds from {seed} on; other numbers are from one run. docs/results/acceptance.md has three seeds and the spread.",
        "On-Ramp has CUBIC or BBR at 41 hosts around one switch, or CUBIC at two that send to a third. Without it the 41 have the qdiscs of the paper's hosts, fq_codel "
        "for CUBIC and fq for BBR, and the two have fq. "
        "docs/results/onramp.md has other loads, buffers and clocks, and the criteria.")


def seen(demo, data, path):
    """Text for the terminal: the table, its statement on On-Ramp, the place of the figures."""
    used = [data.mean(ramp.case(2, ramp.WIDE_US, scheme), "utilisation") * 100 for scheme in ("onramp", "strawman", "fq")]
    yield table.text(demo.rows, data)
    for baseline in map(requests.theirs, requests.BOTH):
        setting, base = baseline.setting, baseline.base
        held, free, off = ([data.mean(case, path) for path in ("requests.p99_us", "drops")] for case in (*baseline.pair, setting.case("off")))
        yield (f"On-Ramp, {setting.title}, T = {baseline.threshold_us} us: of requests to 40 hosts at once, 99 of 100 are complete within {held[0]:.0f} us, with {base} within "
               f"{free[0]:.0f} us,\nwith mode off, the same qdisc that holds nothing, within {off[0]:.0f} us; the switch drops {held[1]:.0f} packets, with {base} {free[1]:.0f}.")
    yield (f"Two long flows, T = {ramp.WIDE_US} us, use {used[0]:.1f} % of their link (strawman {used[1]:.1f} %, fq {used[2]:.1f} %). At {ramp.TIGHT_US} us requests gain more,\n"
           f"and long flows lose some of the link; at {ramp.WIDE_US} us both do well (docs/results/onramp.md, Criteria).\n")
    kept, alone, fq = (data.mean(e2e.kept(name), "requests.p99_us") for name in ("huygens", "none", "fq"))
    apart = data.mean(e2e.kept("huygens"), "common.error.p99_ns")
    yield (f"Clocks that are up to a second and 50 ppm off, kept by huygens-lite: {apart:.0f} ns apart (99th percentile of pairs). On-Ramp on them: 99 of 100\n"
           f"requests within {kept:.0f} us; without a common time, when it holds nothing, within {alone:.0f} us, with fq within {fq:.0f} us.\n")
    yield "The page shows, in this order:"
    yield from (f"  {figure.title}" for figure in demo.figures)
    yield f"figures: file://{path}"


def notes():
    return (
        "On-Ramp's requests are complete when the last of 40 hosts has answered; both kinds of hosts have limits that are never reached, "
        "so that all losses are those of the switch.",
        f"Verdicts: 'same size' is an effect between 2/3 and 3/2 of the paper's (as logarithms of the ratio; 'similar' "
        f"is within {verdict.SIMILAR * 100:.0f} %), 'same direction' any other size, 'not shown' the opposite or less "
        f"than {verdict.NOISE * 100:.0f} %, the difference between seeds.",
        "Short flows have at most 100 KB, large ones at least 10 MB. A completion time runs from connect() to the "
        "last byte read. All schemes of a figure see the same flows at the same times.",
        "The paper does not give its switches' buffers. Those of the laboratory hold 2000 packets in the first figure; the commands "
        "beneath the others say theirs where it is not the scenario's default (lab/run help).",
        "The same commands give the same bytes on any machine.")


def make(args):
    demo = study.demo(args.seed)
    for run in demo.runs:
        runs.trial_of(run)    # nonsense is refused before minutes are spent
    program.output_folder(args.out)
    lab = Lab()
    found = pool.Pool(lab, cache.Cache(lab)).run(demo.runs, "demo", fresh=args.fresh)
    cache.save_raw(found, os.path.join(args.out, "runs"))
    data = RunData(found)
    text = page.page(TITLE, intro(args.seed), demo, data, notes())
    path = os.path.join(args.out, "index.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    print("\n".join(seen(demo, data, path)))


def main():
    parser = argparse.ArgumentParser(prog="demo", description=__doc__.split("\n\n")[0])
    parser.add_argument("--fresh", action="store_true", help="run everything again")
    parser.add_argument("--seed", type=int, default=1, help="seed of all chance (1)")
    parser.add_argument("--out", default=os.path.join(runs.ROOT, "build/demo"), help="where to (build/demo)")
    args = parser.parse_args()
    args.out = os.path.abspath(args.out)
    return resumable.status("demo", lambda: make(args))


if __name__ == "__main__":
    program.run("lab/report/demo", main)
