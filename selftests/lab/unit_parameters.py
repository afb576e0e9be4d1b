#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Preparation of a run from its parameters: files of the user's, clocks, modules, and the topology script.

Files of the user's count by what they hold; traces have space for their window or are refused; a topology script has the tokens
that were given and no more.
"""

import contextlib
import io
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab import run, trials
from lab.experiments import bursts
from lab.host import boot, module_list, results
from lab.host.units import Refused
from lab.trials import Trial
from tap import Tap
from unit_folder import fct, inside, put



POINTS = "50us 0\n100us 0.123456789\n300us 1 # the end\n"


def refused(*arguments):
    try:
        fct(*arguments)
    except Refused as why:
        return str(why)
    return ""


def files(tap):
    with inside():
        plain = fct()
        for key in filter(None, plain.texts.values()):
            put(key, POINTS)
        names = ("cc=cubic", "rtt=80us", "rtt=70us,80us", "rtt=uniform:70us-80us", "workload=datamining")
        before = [fct(argument).texts for argument in names]
        for argument in names:
            put(argument.partition("=")[2], POINTS)
        tap.ok("files named as defaults change nothing", fct().texts == plain.texts and fct().script() == plain.script(),
               fct().texts)
        tap.ok("nor do files named as other values", [fct(argument).texts for argument in names] == before)
        put("mine", POINTS)
        put("same", POINTS)
        put("other", POINTS.replace("300us", "301us"))
        texts = [fct(f"rtt={name}").texts["rtt"] for name in ("mine", "same", "other")]
        tap.ok("a file of RTTs counts by what it holds", texts[0] == texts[1] != texts[2]
               and re.fullmatch("file:[0-9a-f]{16}", texts[0]), texts)
        for what, text in (("a byte order mark", f"\ufeff{POINTS}"), ("CRLF ends of lines", POINTS.replace("\n", "\r\n"))):
            put("edited", text)
            tap.ok(f"RTTs with {what} are taken", fct("rtt=edited").params["rtt"](5000) == fct("rtt=mine").params["rtt"](5000))
        with open("edited", "wb") as file:
            file.write(f"\ufeff{POINTS}".encode("utf-16-le"))
        tap.ok("RTTs in UTF-16 are refused as such", "edited: the text is UTF-16, not UTF-8" in refused("rtt=edited"), refused("rtt=edited"))
        tap.ok("a file named as a time has to be called one", fct("rtt=./80us").texts["rtt"] == texts[0])
        texts = [fct(f"workload={name}").texts["workload"] for name in ("mine", "same", "other", "./websearch")]
        tap.ok("so does a workload", texts[0] == texts[1] == texts[3] != texts[2], texts)
        tap.ok("every probability is exact", fct("rtt=mine").params["rtt"](5000)[:3]
               == [50000 + 50000 * (2 * i + 1) * 10**5 // 123456789 for i in range(3)], fct("rtt=mine").params["rtt"](5000)[:3])
        os.mkdir("folder")
        os.mkdir("90us")
        tap.ok("a folder named as a time is a time", fct("rtt=90us").texts["rtt"] == "90us")
        for argument in ("rtt=folder", "workload=folder"):
            tap.ok(f"{argument}: a folder is no file", "file" in refused(argument), refused(argument))
        for text, line in (("1us 0\n2us x\n", 2), ("1us 0\n2us inf\n", 2), ("1us 0\n2us -1\n", 2), ("1us zwölf\n", 1),
                           ("1us 0\n\u0662us 1\n", 2), ("1us 0\n2s 1\n", 2), ("1us\n", 1), ("1us 0\n2us 1.0000000000\n", 2)):
            put("bad", text)
            tap.ok(f"RTTs {text.splitlines()[line - 1]!a} are refused by their line", f"bad:{line}:" in refused("rtt=bad"),
                   refused("rtt=bad"))


def clocks(tap):
    """Settings of hosts' clocks, and none by default."""
    plain = fct()
    tap.ok("no clock is mentioned where none is configured", "clock" not in plain.script() and "phc" not in plain.script()
           and not plain.setting.network.clocks.used)
    arguments = ("clock=own", "clock_offset=1ms", "clock_rate=20ppm", "clock_wander=3ppb", "clock_ramp=2ppb")
    own = fct(*arguments)
    reported = [line for line in own.script().splitlines() if line.startswith("clock ")]
    tap.ok("each host has a clock, the switch's is true", [line.split()[1] for line in reported] == own.setting.network.hosts, reported)
    tap.ok("the rest of the topology script is the same", [line for line in own.script().splitlines() if line not in reported]
           == plain.script().splitlines())
    own.script()
    used = own.setting.network.clocks.used
    tap.ok("within its spreads, and apart", all(abs(c["offset"]) <= 10**6 and abs(c["rate"]) <= 20000 and abs(c["ramp"]) <= 2
                                               and c["wander"] == 3 and 0 <= c["seed"] < 2**63 for c in used.values())
           and len({c["offset"] for c in used.values()}) == len({c["seed"] for c in used.values()}) == len(reported), used)
    tap.ok("results and topology script agree", reported == [
        f"clock {host} - " + " ".join(f"{key}={value}" for key, value in clock.items()) for host, clock in used.items()])
    again, other = fct(*arguments), Trial("fct", arguments, 2)
    tap.ok("from the seed alone", again.script() == own.script() and again.setting.network.clocks.used == used)
    tap.ok("which is another for another", other.script() and other.setting.network.clocks.used["s1"] != used["s1"])
    steps = fct(*arguments, "clock_step=r1:2s:-3us,s1:1ns:4s,r1:1s:5ns").script().splitlines()
    tap.ok("steps come behind the run's begin, as configured", [line for line in steps if "step=" in line] == [
        "clock r1 - step=-3000 at=2000000000", "clock r1 - step=5 at=1000000000", "clock s1 - step=4000000000 at=1"]
           and steps.index("epoch 1000000000") < min(n for n, line in enumerate(steps) if "step=" in line), steps)
    nics = Trial("fabric", (*arguments, "clock_phc=on", "leaves=2", "hosts=1", "spines=1"), 1)
    reported = [line.split()[1:3] for line in nics.script().splitlines() if line.startswith("clock ")]
    tap.ok("NICs have their own", reported == [[host, nic] for host in ("h1", "h2") for nic in ("-", "send", "receive")], reported)
    tap.ok("at their hosts' ends", nics.script().count("a.phc=1") == 4 and len(nics.setting.network.clocks.used) == 6)


def traces(tap):
    with open(os.path.join(ROOT, "lab/labnic/watch.c"), encoding="ascii") as file:
        shift = re.search(r"LABNIC_TRACE_MAX = 1 << (\d+)", file.read())
    tap.ok("labnic has the space that is assumed", shift and results.TRACE_MAX == 1 << int(shift.group(1)), shift)
    for scenario, at_best in (("fct", 10_000), ("queue", 5_000), ("fabric", 0)):
        for duration in ("1s", "10485760us", "10485761us", "20s", "1000s"):
            setting = Trial(scenario, (f"duration={duration}",), 1).setting
            start, end = setting.window()
            sample = setting.sample_ns()
            reported = {int(line.partition("sample=")[2]) for line in setting.watches()}
            tap.ok(f"{scenario}, {duration}: samples have space", reported == {sample} and
                   (sample == at_best == 0 or sample >= at_best and (end - start) // sample + 1 <= results.TRACE_MAX), sample)
            if duration == "1s":
                tap.ok(f"{scenario}: a short trace is as fine as it can be", sample == at_best, sample)
    with tempfile.TemporaryDirectory() as raw:
        put(os.path.join(raw, "x.tc.json"), '[{"drops": 3}]')
        for lost in (0, 7):
            put(os.path.join(raw, "x.histogram"), f"pkts_ns 5\ntrace_samples 9\ntrace_lost {lost}\n0 10\n")
            try:
                message = str(results.read_port(raw, "x").drops)
            except boot.LabError as why:
                message = str(why)
            tap.ok(f"a trace that lacks {lost} samples", message == "3" if not lost else "7 samples" in message, message)
        put(os.path.join(raw, "init.json"), '{"epoch_ns": 1000000000, "built_ns": 5, "ran_ns": 3250001499, "finished_ns": 9}')
        tap.ok("virtual seconds are those that traffic took", results.read_seconds(raw) == 2.250001, results.read_seconds(raw))


def ours_needed(tap):
    mine = (*module_list.MODULES, module_list.Module("sch_x/x_core.ko", kinds=("x", "y")), module_list.Module("sch_x/sch_x.ko", kinds=("x",)))
    real, module_list.MODULES = module_list.MODULES, mine
    try:
        always = [module.name for module in real if not module.kinds]
        for qdiscs, wanted in ((([], ["fq"]), []), ((["fq"], ["x", "limit", "5"]), ["x_core.ko", "sch_x.ko"]),
                               ((["y"],), ["x_core.ko"])):
            tap.ok(f"modules that {qdiscs} need", module_list.needed(qdiscs) == always + wanted, module_list.needed(qdiscs))
    finally:
        module_list.MODULES = real
    loaded = [line.split()[1] for line in Trial("rct", ("host=fq_codel",), 1).script(["/elsewhere/mine.ko"]).splitlines()
              if line.startswith("module ")]
    tap.ok("and the user's come last", loaded == always + ["mine.ko"], loaded)


def networks(tap):
    """Errors that hosts share with others, and errors of their own."""
    setting = Trial("storage", ("readers=3", "clients=2", "servers=4", "rate=10gbit", "uplink=40gbit", "rtt=20us"), 1).setting
    network = setting.network
    tap.ok("racks have the configured hosts", (network.racks, network.reads()) == (
        [["c1", "c2", "r1", "r2", "r3"], ["s1", "s2", "s3", "s4", "d1", "d2"]], [("d1", "r1"), ("d1", "r2"), ("d2", "r3")]), network.racks)
    rates = {line.split()[2 if " to-spine" in line else 1]: line.split("rate=")[1].split()[0] for line in setting.script() if line.startswith("link ")}
    tap.ok("storage servers and switches have wide links, others not", rates == {
        **dict.fromkeys(["c1", "c2", "r1", "r2", "r3", "s1", "s2", "s3", "s4"], "10000000000"),
        **dict.fromkeys(["d1", "d2", "to-spine1", "to-spine2", "to-spine3"], "40000000000")}, rates)
    # 84 bytes on the wire, there and back, over the own link, two wide ones and a host's; three other links of 1 us.
    wire = {"s1": 2 * (67 + 17 + 17 + 67), "d1": 2 * (17 + 17 + 17 + 67)}
    base = {host: 2 * network.delays_ns[host] + 6000 + wire[host] for host in wire}
    tap.ok("base RTTs are the same over links of other rates", all(abs(rtt - 20_000) <= 10 for rtt in base.values()), base)
    tap.ok("a host has an address for what it sends, and one for what it gets", network.addresses("r1") == ["10.1.1.5", "10.2.1.5"],
           network.addresses("r1"))
    script = Trial("rct", ("hosts=2", "gso_size=16384b"), 1).script()
    tap.ok("GSO packets are made smaller at every host, before there is traffic", [line for line in script.splitlines() if "gso_max" in line] == [
        f"exec {host} ip link set dev eth0 gso_max_size 16384" for host in ("h1", "h2")], script)
    tap.ok("and left alone otherwise", "gso_max" not in Trial("rct", ("hosts=2",), 1).script())
    uses = Trial("coexist", ("hosts=2", "host=fq", "other=onramp mode hold clock system error 1us"), 1)
    tap.ok("modules are those of any host's qdisc", "sch_onramp.ko" in uses.modules(), list(uses.modules()))
    tap.ok("delays are measured where any host does", uses.setting.measures())


def meshes(tap):
    """Lines that only the topology script of the scenario clock has."""
    def script(*arguments):
        return Trial("clock", ("hosts=4", "duration=60s", *arguments), 3).script().splitlines()

    lines = script("load=0.8", "asymmetry=h2:50us")
    links = [line.split() for line in lines if line.startswith("link h")]
    tap.ok("both ends of all links are loaded", all({"a.cross=800", "b.cross=800", "a.rx_late=3000"} <= set(link) for link in links), links)
    delay = next(int(field[6:]) for field in links[1] if field.startswith("delay="))
    tap.ok("the one that is longer one way is set after the setting of both", links[1][-1] == f"a.delay={delay + 50_000}", links[1])
    links = [line.split() for line in script("load=0.8", "sides=one", "noise=none") if line.startswith("link h")]
    tap.ok("one-sided: from the second half, towards the first", [("a.cross=800" in link, "b.cross=800" in link) for link in links]
           == [(False, True)] * 2 + [(True, False)] * 2 and not any("late" in field for link in links for field in link), links)
    daemons = [line.split() for line in lines if " huygens run " in line]
    tap.ok("all hosts run the daemon with the same arguments", len({tuple(fields[6:]) for fields in daemons}) == 1 and len(daemons) == 4
           and [fields[1] for fields in daemons] == [fields[4] for fields in daemons], daemons)
    lying = {line.split()[1]: line.split()[-1] for line in script("lies=h2:50us") if " huygens run " in line}
    tap.ok("one that lies takes its edges to be longer one way, by twice the lie", lying == {
        **dict.fromkeys(("h1", "h3", "h4"), "log.statistics=yes"), "h2": "mesh.asymmetry=2-3:100000ns,2-4:200000ns"}, lying)
    tap.ok("with packets there are no bursts", not any("cross=" in line for line in script("load=0.8", "traffic=packets")))
    faulty = script("faults=kill:h1:10s:20s,cut:h2:1500ms:2s,part:h2:30s:40s")
    for wanted in ("spawn h1 huygens kill h1 11.000000000 21.000000000", "spawn sw huygens cut to-h2 10.0.0.5 2.500000000 3.000000000",
                   "spawn sw huygens part 31.000000000 41.000000000 10.0.0.3,10.0.0.5 10.0.0.7,10.0.0.9"):
        tap.ok(f"a fault: {wanted}", wanted in faulty, faulty)
    tap.ok("hardware's stamps want clocks of NICs", any("a.phc=1" in line for line in script("stamps=hardware")))
    kept = {name: Trial("e2e", ("hosts=4", f"kept={name}"), 1) for name in ("huygens", "perfect", "ntp", "none")}
    texts = {name: trial.script() for name, trial in kept.items()}
    tap.ok("e2e: the daemon runs where it keeps the clocks alone", [" huygens run " in text for text in texts.values()] == [True, False, False, False])
    tap.ok("e2e: a line by hand where clocks are perfect or NTP's", ["clock set published" in text for text in texts.values()] == [False, True, True, False])
    tap.ok("e2e: nobody vouches for a system's clock", not any("clock set system" in text for text in texts.values()))
    tap.ok("e2e: traffic waits until the daemons have begun", all("from=14000000000ns" in line or "at=14000000000ns" in line
                                                                  for line in kept["none"].setting.groups()))
    tap.ok("e2e: the daemon is in the guest only then", [bool(trial.setting.programs) for trial in kept.values()] == [True, False, False, False])


def cross_traffic(tap):
    """Content of a topology script of the scenario bursts, and results of its probes."""
    def script(*arguments):
        return Trial("bursts", arguments, 3).script().splitlines()

    def sent(lines):
        """(host, addresses that its bursts go to)."""
        return [(fields[1], fields[13:]) for fields in map(str.split, lines) if fields[2:4] == ["bursts", "send"]]

    scripts = {traffic: script("load=0.8", f"traffic={traffic}") for traffic in ("cross", "ports", "hosts")}
    tap.ok("bursts: with each traffic 4 hosts have daemons and probes, and the fifth has none", all(
        [line.split()[1] for line in lines if " huygens run " in line] == ["h1", "h2", "h3", "h4"]
        and sum("h4=10.0.0.9" in line and "h5=" not in line for line in lines if " pairs " in line) == 1 for lines in scripts.values()), scripts)
    tap.ok("and where they are packets no wire has them without", {traffic: sum("a.cross=800 a.cross_burst=30000 b.cross=800" in line for line in lines)
                                                                   for traffic, lines in scripts.items()} == {"cross": 4, "ports": 0, "hosts": 0}, scripts)
    near = ["10.0.0.3", "10.0.0.5", "10.0.0.7", "10.0.0.9"]
    tap.ok("each port's own: to the host beyond, and from it", sent(scripts["ports"]) == [(f"h{n}", ["10.0.0.11"]) for n in range(1, 5)] + [("h5", [one]) for one in near],
           sent(scripts["ports"]))
    tap.ok("between hosts: to all others", sent(scripts["hosts"]) == [(f"h{n + 1}", [other for other in near if other != one]) for n, one in enumerate(near)], sent(scripts["hosts"]))
    tap.ok("and as packets each draws for itself", len({line.split()[12] for line in scripts["ports"] if " bursts send " in line}) == 8)
    tap.ok("without a load nothing is sent", not sent(script("load=0", "traffic=ports")) and not any(" bursts " in line for line in script("load=0", "traffic=hosts")))
    tap.ok("the host beyond has a fast link that is never late", any(line.startswith("link h5 ") and f"rate={bursts.FAST_BPS}" in line and "late" not in line
                                                                     for line in scripts["cross"]), scripts["cross"])
    # From h1 to h2 the shortest delay is 100. One of the four pairs waits, one changes its spacing, and one loses a packet.
    delays = {("h1", "h2"): ((100, 900), (20_100, 20_900), (200, 2201), (5000,)), ("h2", "h1"): ((50, 50),)}
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, bursts.PAIRS_FILE), "w", encoding="ascii") as file:
            file.writelines(f"7 {one} {other} {pair} {delay}\n" for (one, other), pairs in delays.items() for pair, several in enumerate(pairs) for delay in several)
        met = bursts.met(folder)
    tap.ok("waits are over the fastest of a way, a pair is pure if its spacing stays", met == {
        "pairs": 4, "wait": {"mean_ns": 5411.0, "p10_ns": 0, "p50_ns": 800, "p90_ns": 20_800, "p99_ns": 20_800},
        "free_percent": 77.778, "pure_percent": 75.0}, met)


def daemons_beside(tap):
    """Configuration of other daemons."""
    for daemon, first, others in (("chrony", "allow", "server 10.0.0.3"), ("ptp4l", "unicast_listen 1", "UDPv4 10.0.0.3")):
        trial = Trial("daemons", (f"daemon={daemon}", "hosts=4"), 1)
        lines = [line for line in trial.script().splitlines() if "/run/lab/keep" in line]
        tap.ok(f"daemons: {daemon} in each host, the first is the others' server", len(lines) == 4 and first in lines[0] and others not in lines[0]
               and all(others in line and first not in line.split() for line in lines[1:]), lines)
        tap.ok(f"daemons: {daemon} with its script, and no huygens-lite", "keep" in trial.setting.files() and " huygens run " not in trial.script()
               and {program.name for program in trial.setting.programs} == {"chronyd", "ptp4l"}, trial.setting.programs)
    same = [[line for line in Trial("daemons", (f"daemon={daemon}", "hosts=4", "load=0.8"), 5).script().splitlines() if line.startswith(("clock ", "link "))]
            for daemon in ("huygens-lite", "chrony", "ptp4l")]
    tap.ok("daemons: the same clocks and links whatever keeps them", same[0] == same[1] == same[2] and any(line.startswith("clock ") for line in same[0]), same[0])


def scripts(tap):
    for scenario, count in (("fct", 1), ("scheduler", 3)):
        lines = Trial(scenario, ("aqm=codel  limit 7   ecn",), 1).script().splitlines()
        found = [line for line in lines if line.endswith(": codel limit 7 ecn")]
        tap.ok(f"{scenario}: a qdisc's arguments are separated by one blank", len(found) == count, lines)
    for text in ("pfifo 'a\nexec - busybox id'", "pfifo\nns x", "pfifo\tlimit 5", "pfifo \x7f", "pfifo \xa0", "pfifo\udcff",
                 "codel 'limit 5'", 'codel "x"', "codel \\x"):
        tap.ok(f"aqm={text!a} is refused", "aqm" in refused(f"aqm={text}"), refused(f"aqm={text}"))


def lines(tap):
    """The rate at which a flow of explicit rates sends: that of the links unless another is given, none of a flow without pauses."""
    for arguments, wanted in ((("pattern=cbr",), ""), (("pattern=bernoulli",), " line=10000000000"), (("pattern=onoff",), " line=10000000000"),
                              (("pattern=onoff", "line=400mbit"), " line=400000000"), (("pattern=bernoulli", "line=200mbit"), " line=200000000"),
                              (("cc=dctcp",), "")):
        groups = [line for line in Trial("explicit", arguments, 1).traffic().splitlines() if line.startswith("group s")]
        found = {"".join(re.findall(r" line=\d+", line)) for line in groups}
        tap.ok(f"explicit {' '.join(arguments)}: a flow sends at{wanted or ' its own rate'}", len(groups) == 100 and found == {wanted}, sorted(found))


def printed(function, *arguments):
    """Lines that a function prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        function(*arguments)
    return out.getvalue().splitlines()


def helps(tap):
    """Columns of help: each text begins below the first, whole words, no line longer than the terminal's 120 columns."""
    for name in trials.scenario_names():
        table = list(run.table([(f"{key.name}={key.default}", key.help) for key in trials.scenario(name).KEYS]))
        column = max(len(re.match(r"  \S*  +", line).group()) for line in table if re.match(r"  \S+  +\S", line))
        ragged = [line for line in table if len(line) > 120 or not (re.fullmatch(r"  \S.*", line) and len(line) > column and line[column - 2:column] == "  "
                                                                   and line[column] != " " or not line[:column].strip() or "  " not in line.strip())]
        shown = printed(run.help_scenario, name)
        tap.ok(f"lab/run help {name}: columns are straight", not ragged and all(line in shown for line in table), ragged)
    rows = [("a=1", "short"), ("b" * 30 + "=2", "of a long key"), ("c=", ""), ("d=4", "word " * 40)]
    tap.ok("a key that is too long has a line of its own", list(run.table(rows))[:4] == ["  a=1  short", "  " + "b" * 30 + "=2", "       of a long key", "  c="] and
           len(list(run.table(rows))) == 6, list(run.table(rows)))
    heads = [re.match(r"(\S+ +)\S", line) for line in printed(run.list_scenarios) if re.match(r"\w+ ", line)]
    names = {line.group(1) for line in heads if line.group(1).strip() in set(trials.scenario_names())}
    tap.ok("lab/run list: columns are straight", len(names) == len(set(trials.scenario_names())) and len(set(map(len, names))) == 1, sorted(names))


def main():
    tap = Tap()
    files(tap)
    clocks(tap)
    traces(tap)
    scripts(tap)
    ours_needed(tap)
    networks(tap)
    meshes(tap)
    cross_traffic(tap)
    daemons_beside(tap)
    lines(tap)
    helps(tap)
    tap.end()


if __name__ == "__main__":
    main()
