# SPDX-License-Identifier: GPL-2.0
"""Verdicts, criteria and causes: what a page says of a number follows from the runs."""

import copy
import importlib
import importlib.machinery
import importlib.util
import re

from lab.experiments import incast, queue, ramp, rct
from lab.experiments.shared import owners, requests
from lab.host.units import Refused
from lab.report import experiment, judge, markdown, onramp_criteria, onramp_page, onramp_paper, paper, runs, study, table, verdict
from lab.report.run_data import RunData
from lab.report.test.made_up import DEMO, changed, kept_of, made_up
from tap import Tap


def test_demands(tap):
    """The criteria of On-Ramp hold in results that fulfil them, and not where nothing is held."""
    for name, (kind, criteria) in (("full", onramp_criteria.full()), ("quick", onramp_criteria.quick())):
        every = kind.runs()
        for run in every:
            runs.trial_of(run)
        kind.found = {run.name: made_up(run) for run in every}
        for judged in judge.judge(kind, criteria):
            tap.ok(f"On-Ramp, {name}: {judged.criterion.name} is true where it works, and false with the feature off",
                   judged.true and (judged.fails_without or judged.criterion.not_missed), (judged.on, judged.off))
        kind.found = {run.name: made_up(experiment.Run(run.case, run.scenario, ("host=fq",), run.seed)) for run in every}
        tap.ok(f"On-Ramp, {name}: where nothing differs, only what asks for no harm holds", {judged.criterion.name for judged in judge.judge(kind, criteria)
               if judged.true} <= {"fct-cubic", "fct-bbr", "used", "used-final", "drift"})
    kind, _ = onramp_criteria.full()
    thresholds = {argument for run in kind.runs() if run.case != ramp.STEADY for argument in run.arguments if argument.startswith("host=onramp") and "mode off" not in argument}
    tap.ok("one T for all that On-Ramp must do", thresholds and all("threshold 150us" in argument for argument in thresholds), thresholds)
    report = {run.name: run for run in study.onramp().runs}
    tap.ok("the report has all that is required", all(report.get(run.name) == run for run in kind.runs()))
    kind.found = {run.name: made_up(run) for run in kind.runs()}
    lines = onramp_page.criteria(kind.found)
    worse = {run.name: made_up(run) for run in study.onramp((1,)).runs}
    tap.ok("where nobody pays, the page says so", "- none of the settings below" in onramp_page.harms(worse), onramp_page.harms(worse))
    worse["rct/big-20/onramp/1"].document["flows"]["medium"]["mean_us"] *= 10
    tap.ok("where a class of the background pays, which, and how many late SYNs there were", [line for line in onramp_page.harms(worse) if line.startswith("- ")]
           == ["- CUBIC, 500 KB incast at 20 %: small 0.200, median 0.200; medium 2.000, median 0.200; large 0.900, median 0.900 of fq's; "
               "late SYNs 2 under fq and 0 here"], onramp_page.harms(worse))
    more = {run.name: made_up(run) for run in study.onramp((1, 2)).runs}
    tap.ok("nor where there are more seeds", "- none of the settings below" in onramp_page.harms(more), onramp_page.harms(more))
    more["rct/big-20/onramp/2"].document["flows"]["medium"]["mean_us"] *= 5.3
    more["rct/big-20/onramp/2"].document["late_syns"] = 7
    tap.ok("one seed that pays is enough, and each is reported", [line for line in onramp_page.harms(more) if line.startswith("- ")]
           == ["- CUBIC, 500 KB incast at 20 %: small 0.200 (0.200 to 0.200), median 0.200; medium 0.630 (0.200 to 1.060), median 0.200; "
               "large 0.900 (0.900 to 0.900), median 0.900 of fq's; late SYNs 2+2 under fq and 0+7 here"], onramp_page.harms(more))
    tap.ok("a line a criterion in the report", sum(line.startswith("| ") for line in lines) == 1 + len(onramp_criteria.full()[1]), lines)


def test_seeds(tap):
    """A mean over one seed is compared with that seed alone."""
    every = study.report((1, 2, 3))
    found = {run.name: made_up(run) for run in every.runs}
    for seed, factor in ((1, 1.0), (2, 0.8), (3, 0.6)):
        found[f"websearch/0.9/ecnsharp/{seed}"].document["flows"]["short"]["mean_us"] = 1000 * factor
    data = RunData(found)
    pair = "websearch/0.9/ecnsharp", "websearch/0.9/red-tail", "flows.short.mean_us"
    tap.ok("a ratio is of all seeds, or of those selected",
           abs(data.ratio(*pair) - 0.8) < 1e-9 and data.only((1,)).ratio(*pair) == 1.0)
    few = RunData({name: result for name, result in found.items() if name != "websearch/0.9/red-tail/3"})
    tap.ok("one of means, too, of seeds that both cases have", abs(data.of_means(*pair) - 0.8) < 1e-9 and abs(few.of_means(*pair) - 0.9) < 1e-9)
    tap.ok("but of nothing where one has none", data.only(()).of_means(*pair) is None)
    grid, = (grid for grid in every.grids if grid.name == "gain")
    cells = {line[0]: line[1:4] for line in grid.cells(data)}
    tap.ok("the gain's base is of three seeds, and says how far they lie apart", cells["base: as Fig. 9"] == ["0.800", "0.600", "1.000"], cells)
    wider = rct.loads((1, 2, 3))
    seeds_ = {setting: {run.seed for run in wider.runs if run.case in requests.pair(setting)} for setting in requests.LOADS}
    tap.ok("what is beyond the criteria has every seed, or the first", all(seeds_[setting] == ({1} if setting.once else {1, 2, 3}) for setting in seeds_)
           and not any(setting.once for setting in (requests.LOAD60, requests.LOAD80, requests.BBR60, requests.BBR80, *requests.BIG, *requests.BUFFERS)), seeds_)
    found = {run.name: made_up(run) for run in wider.runs}
    for seed, factor in ((1, 1.0), (2, 0.8), (3, 0.6)):
        found[f"rct/bbr-80/onramp/{seed}"].document["requests"]["p99_us"] *= factor
    cells = {line[0]: line[5:7] for grid in wider.grids for line in grid.cells(RunData(found))}
    tap.ok("a mean of seeds stands with the least and the most of them, one seed alone",
           cells["BBR, 80 % load"] == ["0.160 (0.120 to 0.200)", "0.200 (0.200 to 0.200)"]
           and cells["DCTCP, 80 % load"] == ["0.200", "0.200"], cells)


def test_extremes(tap):
    """Command and cause of the load where a ratio is least or greatest."""
    every = study.report((1,))
    found = {run.name: made_up(run) for run in every.runs}
    found["rtt/4/0.7/ecnsharp/1"].document["flows"]["short"]["p99_us"] = 3000
    found["rtt/4/0.7/ecnsharp/1"].document["queue"]["p99_pkts"] = 77
    text = markdown.report("title", (), every, RunData(found), ())
    row = next(line for line in text.splitlines() if "RTTs 4x" in line)
    tap.ok("the command is that of the load found", "at load 0.7" in row and "load=0.7" in row.rsplit("`", 2)[1], row)
    tap.ok("so is the cause", "77 under ECN#" in row, row)


def flows_of(short, medium, large):
    """A result with flows of three classes: (number, mean) each."""
    sums = [number * mean for number, mean in (short, medium, large)]
    number = sum(each[0] for each in (short, medium, large))
    return runs.Result({"flows": {
        "all": {"n": number, "mean_us": sum(sums) / number},
        **{name: {"n": each[0], "mean_us": each[1] if each[0] else None} for name, each in (("short", short), ("large", large))}}}, [])


def test_owners(tap):
    """Whose a change of all flows' mean is."""
    data = RunData({"under/1": flows_of((80, 1), (19, 100), (1, 1000)), "over/1": flows_of((80, 0.5), (19, 150), (1, 1200)),
                         "few/1": flows_of((80, 1), (19, 100), (0, 0)), "fewer/1": flows_of((80, 2), (19, 100), (0, 0))})
    parts = owners.points(data, "over", "under")
    whole = data.ratio("over", "under", "flows.all.mean_us") - 1
    tap.ok("the classes' points add up to the change", abs(sum(parts.values()) - whole) < 1e-9, (parts, whole))
    tap.ok("each is what its flows' times add", abs(parts["medium"] - 950 / 2980) < 1e-9 and abs(parts["short"] + 40 / 2980) < 1e-9
           and abs(parts["large"] - 200 / 2980) < 1e-9, parts)
    tap.ok("whose most of it is need not be whose own mean changes most", owners.most(data, "over", "under") == "medium")
    tap.ok("a class without flows adds nothing", owners.most(data, "fewer", "few") == "short"
           and "+0.0 points; their own means change by +100.0, +0.0 and none %" in owners.sentence(data, "fewer", "few"),
           owners.sentence(data, "fewer", "few"))
    tap.ok("no change is nobody's", owners.most(data, "under", "under") is None)


def sentence_of(data, over, under):
    """owners.sentence(), or None where no cause tells it, and no row has the numbers."""
    try:
        return owners.sentence(data, over, under)
    except Refused:
        return None


def blamed(row, text, data):
    """Classes of flows that a cause names, besides saying what each class's part is; of a row of all flows."""
    for over in row.cases:
        for under in row.cases:
            text = text.replace(sentence_of(data, over, under) or "\0", "")
    return {name for name in owners.CLASSES if re.search(rf"\b{name} (flows|ones)", text)}


def test_blame(tap):
    """A cause names no class of flows whose the greater part of the change is not."""
    every = study.report()
    found = kept_of("ecnsharp", every.runs)
    if not found:
        return
    data = RunData(found)
    looked = []
    for row in every.rows:
        if "all flows" not in row.label or not row.cause:
            continue
        text = row.cause(data)
        over, under = (row.show(data) if row.show else row.cases)[:2]
        names = blamed(row, text, data)
        tap.ok(f"{row.label}: the cause blames no other flows than those that lose", names <= {owners.most(data, over, under)}, text)
        tap.ok(f"{row.label}: the cause says whose the change is", owners.sentence(data, over, under) in text or len(row.cases) > 2 and any(
            (sentence_of(data, each, other) or "\0") in text for each in row.cases for other in row.cases if each != other), text)
        looked.append((row, over, under))
    tap.ok("there are such causes", len(looked) > 6, len(looked))
    row, over, under = next(each for each in looked if "140 KB" in each[0].label)
    lie = f"{owners.sentence(data, over, under)}; large flows slow down for others"
    tap.ok("one that blames a quarter of it is seen", blamed(row, lie, data) - {owners.most(data, over, under)} == {"large"}, lie)
    row, over, under = next(each for each in looked if "10 KB" in each[0].label)
    tap.ok("and one that blames the largest owner passes", blamed(row, "large flows slow down", data) == {owners.most(data, over, under)})
    labels = {row.label: row for row in every.rows}
    again = [row for row in every.rows if row.repeats]
    tap.ok("a row that repeats another's number has the same number, compared with the same of the paper's", again and all(
        row.measured(data) == labels[row.repeats].measured(data) and row.paper_value.ratio == labels[row.repeats].paper_value.ratio
        for row in again), [row.label for row in again])


def test_unshown(tap, found):
    """Numbers on which seeds disagree, and drops that the bursts did not cause."""
    path = "flows.short.p99_us"
    row = next(row for row in DEMO.rows if row.paper_value == paper.PAPER_VALUES["ws-short-p99"])
    ecn, tail = row.cases
    for factors, want in (((0.63, 0.5, 0.75), verdict.SAME_SIZE), ((0.63, 0.2, 1.02), verdict.NOT), ((1.4, 1.2, 0.9), verdict.NOT)):
        base = [5000.0] * 3
        data = RunData(changed(changed(found, tail, (1, 2, 3), path, base), ecn, (1, 2, 3), path, [5000 * factor for factor in factors]))
        line, = table.lines((row,), data)
        tap.ok(f"seeds at {factors}: {want}", line.verdict == want, line)
    similar = next(row for row in DEMO.rows if row.paper_value == paper.PAPER_VALUES["large-tail"])
    values = [1000 * factor for factor in (0.99, 1.0, 1.01)]
    line, = table.lines((similar,), RunData(changed(found, similar.cases[0], (1, 2, 3), "flows.large.mean_us", values)))
    tap.ok("where the paper has none, seeds on both sides are as it says", line.verdict == verdict.SAME_SIZE, line)

    fanin = next(row for row in DEMO.rows if row.paper_value == paper.PAPER_VALUES["fanin"])
    before = fanin.measured(RunData(found))
    noisy = found
    for number in incast.FANINS:
        where = incast.case("codel", number)
        noisy = changed(noisy, where, (1,), "drops", [found[f"{where}/1"].document["drops"] + 44])
    tap.ok("drops that are there at the least fan-in too are not the queries'", fanin.measured(RunData(noisy)) == before == 1.75, before)
    tap.ok("and are reported", "beyond the drops at 25 (44 under CoDel" in fanin.detail(RunData(noisy)), fanin.detail(RunData(noisy)))

    burst = next(row for row in DEMO.rows if row.paper_value == paper.PAPER_VALUES["drops-codel"])
    noisy = changed(changed(found, "queue/codel", (1,), "drops", [166]), queue.still("codel"), (1,), "drops", [41])
    tap.ok("nor are those without a burst the burst's", burst.measured(RunData(noisy)) == 125, burst.detail(RunData(noisy)))

    every = study.report((1, 2))
    made = {run.name: made_up(run) for run in every.runs}
    small = next(row for row in every.rows if row.paper_value == paper.PAPER_VALUES["interval-ws"])
    half, base = small.cases
    for factors, want in (((1.05, 1.04), False), ((1.01, 1.04), True), ((0.99, 1.04), False)):
        data = RunData(changed(made, half, (1, 2), "flows.all.mean_us", [1000 * factor for factor in factors]))
        tap.ok(f"a change of {factors} is{'' if want else ' not'} called no more than seeds differ by", ("so it is no more" in small.cause(data)) == want
               and (min(factors) > 1 or small.cause(data).count("no more than they differ by") == 1), small.cause(data))
    standing = next(row for row in every.rows if row.paper_value == paper.PAPER_VALUES["standing"])
    tap.ok("a number of flows that leaves the paper's queue may be its", "one of these is near" in standing.cause(RunData(made)))
    for count in queue.COUNTS:
        made = changed(made, f"queue-alone/{count}/ecnsharp", (1, 2), "standing.mean_pkts", [24, 24])
    tap.ok("if none does it explains nothing", "none of these is near the paper's 8, so" in standing.cause(RunData(made)))


def test_table(tap, found):
    text = table.text(DEMO.rows, RunData(found))
    rows_ = text.splitlines()
    tap.ok("a line a row below the heads", len(rows_) == len(DEMO.rows) + 1)
    tap.ok("the heads", re.split(r"\s{2,}", rows_[0].strip()) == ["row", "paper", "here", "verdict"])
    tap.ok("the paper's number, the measured one and the verdict",
           re.search(r"short flows, mean, ECN# / RED-Tail\s+S0-5\s+-23.4 %\s+-23.4 %\s+same size$", text, re.M), text)
    tap.ok("an unlike size is the same direction only", "same direction, smaller" in text, text)
    tap.ok("all columns line up", len({row.index(row.split("  ")[0]) for row in rows_[1:]}) == 1)
    worse = copy.deepcopy(found)
    for seed in (1, 2, 3):
        worse[f"websearch/0.9/ecnsharp/{seed}"].document["flows"]["short"]["mean_us"] = 1100
    tap.ok("the opposite is not shown", "+10.0 %  not shown" in table.text(DEMO.rows, RunData(worse)))
    none = copy.deepcopy(found)
    for seed in (1, 2, 3):
        none[f"websearch/0.9/ecnsharp/{seed}"].document["flows"]["large"]["mean_us"] = None
    tap.ok("a class without flows is none and not shown", re.search(r"none\s+not shown", table.text(DEMO.rows, RunData(none))))
    tap.ok("every row paper_values a paper", {row.paper_value for row in DEMO.rows} <= set(paper.PAPER_VALUES.values()) | set(onramp_paper.PAPER_VALUES.values()))


def test_seen(tap, found):
    """Output of the demo on the terminal."""
    demo = importlib.import_module("lab.report.demo")
    text = "\n".join(demo.seen(DEMO, RunData(found), "/there"))
    tap.ok("On-Ramp's numbers are written as a sentence", "99 of 100 are complete within 1000 us, with fq_codel within 5500 us" in text
           and "CUBIC, T = 150 us: of" in text and "99 of 100 are complete within 1000 us, with fq within 5000 us" in text
           and "drops 0 packets, with fq 900" in text and "use 99.5 % of their link (strawman 87.0 %, fq 100.0 %)" in text, text)
    tap.ok("below the table, and above what the page shows", text.startswith(table.text(DEMO.rows, RunData(found)))
           and all(figure.title in text for figure in DEMO.figures) and text.endswith("figures: file:///there"), text)


def test_verdicts(tap):
    paper_value = paper.PAPER_VALUES["ws-short-mean"]
    for measured, want in ((0.766, verdict.SAME_SIZE), (0.9, verdict.SMALLER), (0.5, verdict.LARGER), (0.98, verdict.NOT),
                       (1.2, verdict.NOT), (None, verdict.NOT)):
        tap.ok(f"{measured} compared with the paper's {paper_value.ratio:.3f}: {want}", verdict.of_ratio(paper_value, measured) == want)
    similar = paper.PAPER_VALUES["large-tail"]
    tap.ok("similar is within the limit", verdict.of_ratio(similar, 1.04) == verdict.SAME_SIZE)
    tap.ok("and not beyond", verdict.of_ratio(similar, 1.06) == verdict.NOT)
    for measured, want in ((0, verdict.NOT), (125, verdict.SAME_SIZE), (1000, verdict.SAME)):
        tap.ok(f"{measured} drops compared with the paper's 125: {want}", verdict.of_count(paper.PAPER_VALUES["drops-codel"], measured) == want)
    worst = paper.PAPER_VALUES["rtt5-overall"]
    for measured, want in ((1.076, verdict.SAME_SIZE), (1.078, verdict.NOT), (0.9, verdict.SAME_SIZE), (1.09, verdict.NOT), (None, verdict.NOT)):
        tap.ok(f"{measured} compared with a bound of {worst.ratio:.3f}: {want}", verdict.of_bound(worst, measured) == want)
    for measured, want in ((0.99, verdict.SAME_SIZE), (1.001, verdict.SMALL), (1.029, verdict.SMALL), (1.031, verdict.NOT)):
        tap.ok(f"{measured} compared with a bound of 1: {want}", verdict.of_bound(paper.PAPER_VALUES["dm-overall"], measured) == want)
    for measured, want in ((0.98, verdict.SMALL), (1.02, verdict.SMALL), (1.05, verdict.NOT), (None, verdict.NOT)):
        tap.ok(f"{measured} compared with a change of 1 %: {want}", verdict.of_small(paper.PAPER_VALUES["interval-ws"], measured) == want)
    for measured, want in ((9.415, verdict.SAME_SIZE), (9.4, verdict.NOT)):
        tap.ok(f"{measured} compared with a rate of 9.6: {want}", verdict.of_rate(paper.PAPER_VALUES["share-1-1"], measured) == want)
    for measured, want in ((0.25, verdict.SAME_SIZE), (0.26, verdict.NOT)):
        tap.ok(f"{measured} compared with a share of a quarter: {want}", verdict.of_share(paper.PAPER_VALUES["share-3-2"], measured) == want)
    rises, falls = onramp_paper.PAPER_VALUES["sweep-T"], onramp_paper.PAPER_VALUES["coexist-own"]
    for paper_value, measured, want in ((rises, 1.5, verdict.SAME), (rises, 1.02, verdict.NOT), (rises, 0.5, verdict.NOT), (falls, 0.5, verdict.SAME),
                              (falls, 0.98, verdict.NOT), (falls, 1.5, verdict.NOT), (falls, None, verdict.NOT), (falls, 0, verdict.SAME)):
        tap.ok(f"{measured} compared with {table.show_paper('direction', paper_value)}: {want}", verdict.of_direction(paper_value, measured) == want)
    tap.ok("a direction has no size", [table.show_paper("direction", paper_value) for paper_value in (rises, falls)] == ["more", "less"])
    tap.ok("drops where the paper has none", verdict.of_count(paper.PAPER_VALUES["drops-ecnsharp"], 3) == verdict.NOT)


def main():
    tap = Tap()
    found = {run.name: made_up(run) for run in DEMO.runs}
    test_demands(tap)
    test_seeds(tap)
    test_extremes(tap)
    test_owners(tap)
    test_blame(tap)
    test_unshown(tap, found)
    test_table(tap, found)
    test_seen(tap, found)
    test_verdicts(tap)
    tap.end()


if __name__ == "__main__":
    main()
