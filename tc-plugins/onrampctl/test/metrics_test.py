#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onrampctl metrics: every number that the kernel, huygensctl and accctl have is there once, in Prometheus' format, with its type."""

import decimal
import errno
import itertools
import json
import os
import re
import stat
import struct
import subprocess
import sys
import tempfile

import yaml

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from ctl import MULTI, ROOT, Ctl, ack, attr, done, family, message
sys.path.insert(0, os.path.join(ROOT, "selftests/net"))
import shown
from prose import Prose
from prometheus import flat, metric_of, names, parse, problems, missing_metrics
from tap import Tap

KINDS = ("onramp", "ecnsharp", "cp")
ROOT_PARENT = 0xFFFFFFFF
# Statistics that every qdisc has, by the names that tc gives them, and whether they may fall.
COMMON = {"bytes": "counter", "packets": "counter", "drops": "counter", "overlimits": "counter", "requeues": "counter",
          "backlog": "gauge", "qlen": "gauge", "refcnt": "gauge", "rate": "gauge", "pps": "gauge"}
SOURCES = ("onramp", "onramp_acker", "onramp_clock", "onramp_path", "onramp_phc", "qdisc", "huygens", "huygens_tracking", "huygens_peer",
           "acc", "acc_queue", "acc_compare")
RULES, ALERTS = "contrib/prometheus/sharpramp.rules.yml", "tc-plugins/onrampctl/test/alerts.yml"
# Unpacked by debian/deps.
PROMTOOL = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "sharpramp/unpacked/prometheus/usr/bin/promtool")
LABELS = {"onramp_path": ("saddr", "daddr", "dscp", "scope"), "onramp_phc": ("dev",), "huygens_peer": ("id",), "acc_queue": ("queue",), "acc_compare": ("queue",)}


def read(path):
    """A source's text."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def probe(*arguments):
    """The JSON that a tc plugin prints."""
    return json.loads(subprocess.run([os.path.join(os.environ["O"], "probe"), *arguments], capture_output=True, text=True,
                                     check=True).stdout)


def sent(spec, command, more=0, **others):
    """A reply with all that a command shows; numbers grow by more."""
    values, counters = {}, {}

    def put(where, name, value, printed):
        where[name] = value + more if type(printed) is int and isinstance(value, int) else value
    for _, part, printed in shown.members(spec, command):
        for name, value in part.items():
            if isinstance(value, dict):
                for inner, number in value.items():
                    put(values.setdefault(name, {}), inner, number, printed)
            elif "struct" in spec.attributes[name]:
                counters.setdefault(name, []).append(printed)
            else:
                put(values, name, value, printed)
    values |= {name: struct.pack(f"={len(each)}q", *(number + more for number in each)) for name, each in counters.items()}
    for nest in values.values():
        if isinstance(nest, dict):
            nest |= others
            return values
    return values | others


def enum(kind):
    """The attributes of a qdisc by number."""
    return re.findall(rf"^\tTCA_{kind.upper()}_(\w+),", read(f"kernel/include/uapi/linux/pkt_sch_{kind}.h"), re.M)


def parameters(kind):
    """[(attribute, bytes, the highest value)] of all parameters of a qdisc."""
    table = re.sub(r"\\\n\s*", "", read(f"kernel/algo/{kind}_params.h"))
    params = re.findall(r'X\((\w+), "\w+", (\d+), -?\d+,\s*(\d+), (?:\d+, )?"', table)
    return [(enum(kind).index(name), int(bits) // 8, int(most)) for name, bits, most in params]


def members(kind):
    """{counter of a qdisc: its place among the 64-bit words, or those of an array as a range}; how many words."""
    text = read(f"kernel/include/uapi/linux/pkt_sch_{kind}.h")
    body = re.search(rf"struct tc_{kind}_xstats \{{(.*?)\n\}}", text, re.S).group(1)
    found, words = {}, 0
    for name, length in re.findall(r"__[us]64\s+(\w+)(?:\[(\w+)\])?;", body):
        count = int(re.search(rf"^#define {length}\s+(\d+)$", text, re.M).group(1)) if length else 1
        found[name] = range(words, words + count) if length else words
        words += count
    return found, words


def qdisc(kind, handle, parent, more=0, rate=False, cut=0, ifindex=1):
    """(a message of rtnetlink, its JSON by tc's names)"""
    params, (counters, words) = parameters(kind), members(kind)
    options = b"".join(attr(number, most.to_bytes(size, sys.byteorder)) for number, size, most in params)
    row = probe(kind, "show", "-j", *(f"{number}:{size}:{most}" for number, size, most in params))
    # cp's first says that they are a qdisc's.
    xstats = struct.pack(f"={words}q", *(0 if n == counters.get("type") else more + n + 1 for n in range(words)))
    common = dict(zip(COMMON, range(3 + more, 99 + more)))
    stats = attr(1, struct.pack("=QI4x", common["bytes"], common["packets"])) + \
        attr(3, struct.pack("=5I", *(common[name] for name in ("qlen", "backlog", "drops", "requeues", "overlimits")))) + \
        attr(4, xstats[:len(xstats) - cut]) + (attr(5, struct.pack("=QQ", common["rate"], common["pps"])) if rate else b"")
    text = message(36, MULTI, struct.pack("=BxxxiIII", 0, ifindex, handle, parent, common["refcnt"]) + attr(1,
                                                                                                            kind.encode() + b"\0") +
                   attr(2, options) + attr(0x8000 | 7, stats))
    shows = {name: [more + n + 1 for n in at] if isinstance(at, range) else more + at + 1 for name, at in counters.items()
             if 8 * ((at[-1] if isinstance(at, range) else at) + 1) <= len(xstats) - cut and name != "type"}
    where = {"parent": "root"} if parent == ROOT_PARENT else {"parent": f"{parent >> 16:x}:{parent & 0xFFFF:x}"}
    return text, {"dev": "lo", "handle": f"{handle >> 16:x}:", **where, "options": row, **shows,
                  **{name: value for name, value in common.items() if rate or name not in ("rate", "pps")}}


def cells(table, program="huygens-lite"):
    """{key: a value} that huygensctl or accctl prints of one of its tables."""
    body = re.search(rf"struct \w+ status_{table}_\w+\[\] = \{{(.*?)\n\}};", read(f"{program}/ctl/status.c"), re.S).group(1)
    values = {"TEXT": 'w"e\\b', "STRING": "text", "YESNO": True, "PPB": -12.573, "SIGNED": -1500}
    return {key: values.get(kind, n + 3) for n, (key, kind) in enumerate(re.findall(r'\{ "(\w+)", [^,]+, [A-Z]+_(\w+),', body))}


class World:
    """A kernel and a clock daemon; .rows is {source: [JSON objects]}, .kernel the kernel's answers."""

    def __init__(self, ctl, more=0, paths=5):
        self.ctl, spec = ctl, ctl.spec
        at = [ctl.reply("path-get", sent(spec, "paths", more, daddr=struct.pack("=4B", 10, 1, n >> 8, n & 255)), MULTI)
              for n in range(paths)]
        self.kernel = {
            "family": family(),
            "stats": [ctl.reply("stats-get", sent(spec, "stats", more)), ack()],
            "devices": [ctl.reply("acker-dev-get", {"ifindex": n}, MULTI) for n in (1, 3999999999)] + [done()],
            "acker": [ctl.reply("acker-get", sent(spec, "acker", more)), ack()],
            "clock": [ctl.reply("clock-get", sent(spec, "clock", more)), ack()],
            "paths": at + [done()],
            "phc": [ctl.reply("dev-get", sent(spec, "phc", more, ifindex=n), MULTI) for n in (1, 3999999998)] + [done()],
        }
        qdiscs = [qdisc("onramp", 0x10000, ROOT_PARENT, more, rate=True), qdisc("ecnsharp", 0x20000, 0x10001, more, rate=True),
                  qdisc("onramp", 0x30000, 0x80010002, more), qdisc("cp", 0x40000, ROOT_PARENT, more, rate=True)]
        other = message(36, MULTI, struct.pack("=BxxxiIII", 0, 1, 0x90000, ROOT_PARENT, 2) + attr(1, b"fq\0") + attr(2, b""))
        self.kernel["qdisc"] = [text for text, _ in qdiscs] + [other, done()]
        counts = re.findall(r"^\tCOUNT\((\w+),", read("huygens-lite/net/count.h"), re.M)
        self.daemon = {
            "stats": {name: 2**64 - 1 - more if name == "probes" else n + more for n, name in enumerate(counts)},
            "tracking": cells("tracking") | {"error_ns": None},
            "peers": [cells("peer") | {"id": n} for n in (2, 30)],
        }
        counts = re.findall(r'^\t\{ "(\w+)", "', read("acc-tuner/ctl/counter.c"), re.M)
        queues = ("eth1/10:", 'w"e\\b/1:')
        self.tuner = {
            "stats": {"mode": "tune", "model": None, "model_sha256": "0123456789abcdef" * 4, **{name: n + more for n, name in enumerate(counts)}},
            "queues": [cells("queue", "acc-tuner") | {"queue": name, "why": ""} for name in queues],
            "compare": [cells("compare", "acc-tuner") | {"queue": queues[0]}, {"queue": queues[1], "difference": None, "pairs": 0}],
        }
        self.rows = {"onramp_qdisc": [qdiscs[0][1], qdiscs[2][1]], "ecnsharp_qdisc": [qdiscs[1][1]], "cp_qdisc": [qdiscs[3][1]],
                     "huygens": [self.daemon["stats"]],
                     "huygens_tracking": [self.daemon["tracking"]], "huygens_peer": self.daemon["peers"],
                     "acc": [self.tuner["stats"]], "acc_compare": self.tuner["compare"],
                     "acc_queue": [{key: value for key, value in row.items() if key != "why"} for row in self.tuner["queues"]]}
        for source, command, answers in (("onramp", "stats", ("stats",)), ("onramp_acker", "acker", ("devices", "acker")),
                                         ("onramp_clock", "clock", ("clock",)), ("onramp_path", "paths", ("paths",)),
                                         ("onramp_phc", "phc", ("phc",))):
            ctl.run(f"-j {command}", *(self.kernel[each] for each in answers))
            row = json.loads(ctl.out)
            self.rows[source] = row if isinstance(row, list) else [row]

    def run(self, *arguments, spoilt=None, **parts):
        """Run the program; parts replace answers of the kernel; spoilt is {command of huygensctl: (its output, its status)} or "absent"."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "huygensctl")
            text = "#!/bin/sh\ncase $* in\n"
            for command, row in self.daemon.items():
                output, status = (spoilt if isinstance(spoilt, dict) else {}).get(command, (json.dumps(row, separators=(",", ":")),
                                                                                          0))
                with open(os.path.join(folder, command), "wb") as file:
                    file.write(output if isinstance(output, bytes) else output.encode())
                text += f"'-j {command}') cat '{folder}/{command}'; exit {status} ;;\n"
            with open(path, "w", encoding="ascii") as file:
                file.write(text + "*) exit 2 ;;\nesac\n")
            os.chmod(path, 0o755)
            for command, row in self.tuner.items():
                with open(os.path.join(folder, f"acc-{command}"), "w", encoding="utf-8") as file:
                    json.dump(row, file)
            with open(os.path.join(folder, "accctl"), "w", encoding="ascii") as file:
                file.write(f"#!/bin/sh\n[ $1 = -j ] && cat '{folder}/acc-'$2\n")
            os.chmod(file.name, 0o755)
            if spoilt == "absent":
                os.unlink(path)
                os.unlink(file.name)
            before = os.environ["PATH"]
            os.environ["PATH"] = folder + ":/usr/bin:/bin"
            try:
                kernel = [answer for answer in {**self.kernel, **parts}.values() if answer is not None]
                self.ctl.run(["metrics", *arguments], *kernel[1:], family_is=kernel[0])
            finally:
                os.environ["PATH"] = before
        return self.ctl


def placed(rows):
    """(prefix, labels, the object) of each row that must be there."""
    for prefix, objects in rows.items():
        for row in objects:
            named = ("handle", "dev", "parent") if prefix.endswith("_qdisc") else LABELS.get(prefix, ())
            yield prefix, {key: str(row[key]) for key in named if row.get(key) is not None}, row


def ups(found):
    """{source: 0 or 1}"""
    return {labels["source"]: int(number) for labels, number in found.samples["sharpramp_up"]}


def wanted_types(world):
    """{metric: its type} as far as other sources tell: settings and huygensctl's states may fall, huygensctl's counters may not."""
    found = {}
    for prefix, _, row in placed(world.rows):
        for name, _, value in flat(row):
            if isinstance(value, str) or name in LABELS.get(prefix, ()):
                continue
            kind = COMMON.get(name) if prefix.endswith("_qdisc") else None
            kind = "gauge" if name.startswith("options_") or prefix in SOURCES[7:9] + SOURCES[10:] else \
                "counter" if prefix in ("huygens", "acc") else kind
            if kind:
                found[names(prefix, name)[kind == "counter"]] = kind
    return found


def wrong_histograms(found, prefix, labels, row):
    """Distributions of a row that are not printed as they are, with their bounds and their sum."""
    bad = []
    for name in (name for name in row if name.endswith("_hist")):
        def samples(part, base=f"{prefix}_{name}_seconds"):
            return [(has, value) for has, value in found.samples.get(f"{base}_{part}", ()) if labels.items() <= has.items()]
        bounds = [*(decimal.Decimal(1024 << i).scaleb(-9) for i in range(19)), decimal.Decimal("Infinity")]
        buckets = [(decimal.Decimal(has["le"].replace("+Inf", "Infinity")), value) for has, value in samples("bucket")]
        sums = decimal.Decimal(row[name.replace("_hist", "_sum_ns")]).scaleb(-9)
        if buckets != list(zip(bounds, itertools.accumulate(row[name]))) or [value for _, value in samples("sum")] != [sums]:
            bad.append((prefix, name, buckets, samples("sum")))
    return bad


def formats(tap, ctl):
    """All that there can be."""
    decimal.getcontext().prec = 40
    world = World(ctl)
    ran = world.run()
    text = ran.out
    found = parse(text)
    tap.ok("the format is Prometheus'", ran.code == 0 and not found.wrong and not ran.err and len(found.samples) > 250,
                                                                                                                         (found.wrong, ran.err))
    missing = [each for prefix, labels, row in placed(world.rows) for each in missing_metrics(found, prefix, row, labels)]
    tap.ok("every member of every table is there, with its value", not missing, missing)
    rows = [each for each in placed(world.rows) if any(name.endswith("_hist") for name in each[2])]
    wrong = [each for row in rows for each in wrong_histograms(found, *row)]
    tap.ok("every distribution is there, by its bounds", len(rows) >= 2 and not wrong, (len(rows), wrong))
    tap.ok("every source is up", ups(found) == dict.fromkeys(SOURCES, 1), ups(found))
    wrong = {name: (kind, found.types.get(name)) for name, kind in wanted_types(world).items() if found.types.get(name) != kind}
    tap.ok("settings and states may fall, and counters may not", not wrong, wrong)
    wanted = {"onramp_holds_total": "counter", "onramp_hold_seconds_total": "counter", "onramp_owd_seconds": "gauge", "onramp_flows_total": "counter",
              "onramp_flows_now": "gauge", "onramp_memory_bytes": "gauge", "onramp_acks_total": "counter", "onramp_nic_backlog_seconds": "gauge",
              "onramp_path_hold_seconds_total": "counter", "onramp_path_owd_seconds": "gauge", "onramp_phc_tx_good_total": "counter",
              "onramp_qdisc_flows": "gauge", "onramp_qdisc_held_time_seconds_total": "counter", "onramp_qdisc_backlog_bytes": "gauge",
              "onramp_qdisc_band0_pkts": "gauge", "onramp_qdisc_band0_drops_total": "counter", "onramp_qdisc_latency_seconds": "gauge",
              "ecnsharp_qdisc_ins_marks_total": "counter", "ecnsharp_qdisc_pst_state": "gauge", "ecnsharp_qdisc_bytes_total": "counter",
              "ecnsharp_qdisc_memory_bytes": "gauge", "ecnsharp_qdisc_sojourn_max_seconds": "gauge",
              "cp_qdisc_cnms_total": "counter", "cp_qdisc_pausing": "gauge", "cp_qdisc_pausing_seconds_total": "counter",
              "cp_qdisc_options_w": "gauge", "cp_qdisc_options_law": "gauge",
              "ecnsharp_qdisc_backlog_byte_seconds_total": "counter", "huygens_probes_total": "counter", "onramp_qdisc_options_limit": "gauge",
              "onramp_qdisc_options_mode": "gauge", "ecnsharp_qdisc_options_limit": "gauge", "onramp_acker_devices": "gauge",
              "onramp_acker_flows": "gauge", "onramp_acker_entries_total": "counter", "onramp_acker_max_flows": "gauge",
              "onramp_qdisc_owd_hist_seconds": "histogram", "ecnsharp_qdisc_sojourn_hist_seconds": "histogram"}
    tap.ok("so do those of the kernel", all(found.types.get(name) == kind for name, kind in wanted.items()),
           {name: found.types.get(name) for name in wanted})
    tap.ok("neighbours by their numbers", [labels for labels, _ in found.samples["huygens_peer_received"]] == [{"id": "2"},
                                                                                                                             {"id": "30"}])
    tap.ok("2^64 - 1 is exact", found.samples["huygens_probes_total"] == [({}, decimal.Decimal(2**64 - 1))])
    tap.ok("quotes and backslashes", {labels["name"] for labels, _ in found.samples["huygens_peer_name"]} == {'w"e\\b'})
    where = sorted((labels["dev"], labels["handle"], labels["parent"]) for labels, _ in found.samples["onramp_qdisc_holds_total"])
    tap.ok("each qdisc of this project by its place, and no other", where == [("lo", "1:", "root"), ("lo", "3:", "8001:2")] and
           not any(name.startswith("fq") for name in found.samples), where)
    tap.ok("the reason of the switch is left out", "drill" not in text)
    later = parse(World(ctl, 5).run().out)
    fell = [name for name, samples in found.samples.items() if name.endswith("_total") and name != "huygens_probes_total" and
            any(b <= a for (_, a), (_, b) in zip(samples, later.samples[name]))]
    tap.ok("all counters rise with what they count", not fell, fell)
    return world, found


def older(tap, ctl, world):
    """A kernel that has less, and a daemon that has more."""
    nothing = {"stats": [ctl.reply("stats-get", {"stats": bytes(8)}), ack()], "acker": [ctl.reply("acker-get", {}), ack()],
               "clock": [ctl.reply("clock-get", {}), ack()], "paths": [ctl.reply("path-get", {"path": {"saddr": bytes(4)}}, MULTI),
                                                                       done()],
               "phc": [ctl.reply("dev-get", {"ifindex": 1}, MULTI), done()],
               "qdisc": [qdisc("onramp", 0x10000, ROOT_PARENT, cut=8 * (members("onramp")[1] - 1))[0], done()]}
    found = parse(world.run(**nothing).out)
    tap.ok("values that an older kernel does not have are left out", not found.wrong and ups(found) == dict.fromkeys(SOURCES, 1) and
           "onramp_samples_total" in found.samples and
           not {"onramp_holds_total", "onramp_acker_entries_total", "onramp_clock_usable"} & set(found.samples) and
           "onramp_qdisc_flows" in found.samples and "onramp_qdisc_gc_total" not in found.samples, sorted(found.samples))
    odd = {"of_tomorrow": 77, "maps": {"inner": [1, {"x": "]"}]}, "odd-key": 5, "list": [], "later": 78, "no": None}
    output = world.run(spoilt={"tracking": (json.dumps(odd), 0)}).out
    tap.ok("a member that the daemon adds appears by itself, and a nested one is left out", not problems(output) and
           all(f"\nhuygens_tracking_{line}\n" in output for line in ("of_tomorrow 77", "odd_key 5", "later 78")) and
           "maps" not in output and "inner" not in output, output)
    escapes = '{"name":"a\\u0041\\u00e9\\n\\"\\\\\\/\\u0007"}'
    found = parse(world.run(spoilt={"tracking": (escapes, 0)}).out)
    tap.ok("escapes of JSON", not found.wrong and [labels["name"] for labels,
                                                   _ in found.samples["huygens_tracking_name"]] == ['aA??"\\/?'],
           found.samples.get("huygens_tracking_name"))


def many(tap, ctl, world):
    """As many paths as requested."""
    for most in (0, 1, 3, 5, 999999):
        found = parse(world.run("paths", str(most)).out)
        tap.ok(f"paths {most}", not found.wrong and len(found.samples.get("onramp_path_samples_total", ())) == min(most, 5))
    whole = world.run("paths", "5").out
    paths = world.kernel["paths"]
    twice = ctl.reply("path-get", sent(ctl.spec, "paths", daddr=bytes((10, 1, 0, 1)), owd=99), MULTI)
    ran = world.run("paths", "5", paths=paths[:3] + [twice] + paths[3:])
    tap.ok("a path that is dumped twice is there once, and takes no other's place", ran.out == whole, ran.out)
    changed = [struct.pack("=IHH", len(one), 31, MULTI | 0x10) + one[8:] for one in paths[:-1]] + paths[-1:]
    ran = world.run("paths", "5", paths=changed)
    tap.ok("a table that changes while it is dumped is up, without a message", ran.out == whole and not ran.err, ran.err)
    found = parse(World(ctl, paths=300).run().out)
    tap.ok("a hundred paths by default", len(found.samples["onramp_path_samples_total"]) == 100)


def label_values():
    """Names that are possible values of labels."""
    names = set(re.findall(r'"(\w+)"', read("tc-plugins/onrampctl/names.h")))
    names |= {name for kind in KINDS for row in re.findall(r'"\(([^"]*)\)"', read(f"kernel/algo/{kind}_params.h"))
              for name in row.split(", ")}
    names |= set(re.findall(r'return "(\w+)"', read("huygens-lite/algo/state.c")))
    return names | set(SOURCES) | set(re.findall(r'= "([a-z]+)"', read("acc-tuner/daemon/tuner.c")))


def wrong_in(expression, found, values):
    """Parts of a PromQL expression that this program never prints, or that are used wrongly."""
    bad = []
    plain = re.sub(r"\[[^]]*\]", "", re.sub(r"\b(?:sum|max|min|count)(?: by)? ?\(\w+(?:, \w+)*\) \(", "(", expression))
    for call, name, labels in re.findall(r'(?:\b(\w+)\()?\b([A-Za-z]\w*)(?![\w(])(?:\{([^}]*)\})?', plain):
        if name not in found.samples:
            bad.append(f"{expression}: there is no {name}")
            continue
        kind = found.types[metric_of(found, name)]
        if (call in ("rate", "increase")) != (kind != "gauge"):
            bad.append(f"{expression}: {name} is a {kind}")
        if name.endswith("_bucket") and ("histogram_quantile(" not in expression or re.search(r"\bby \((?!.*\ble\b)", expression)):
            bad.append(f"{expression}: buckets without their bounds")
        # Prometheus adds the label instance.
        for label, sign, value in re.findall(r'(\w+)(!?=~?)"([^"]*)"', labels):
            if label == "instance":
                continue
            bad += [] if all(label in each for each, _ in found.samples[name]) else [f"{expression}: {name} has no {label}"]
            bad += [] if "~" in sign or value in values else [f"{expression}: no {label} is {value}"]
        if name == "sharpramp_up" and "==" in plain and "source=" not in labels:
            bad.append(f"{expression}: 0 where a host does not have that source")
    return bad


def misnamed(text, found):
    """Names on a page that this program never prints."""
    values = label_values()
    graphs = [row[head.index("graph")] for head, body in Prose(text).tables if "graph" in head for row in body]
    spans = [span for cell in graphs for span in re.findall("`([^`]+)`", cell)]
    bad = [f"{cell}: nothing is graphed" for cell in graphs if "`" not in cell]
    spans += [span for span in Prose(text).spans() if re.match(r"sharpramp_|\w+_total\b", span)]
    bad += [wrong for span in dict.fromkeys(spans) for wrong in wrong_in(span, found, values)]
    return bad if graphs else ["nothing is graphed"]


def dashboard_problems(text, found):
    """Problems of a dashboard: panels with the same id, panels that overlap, or metrics that are not printed."""
    board, bad, ids, places = json.loads(text), [], set(), set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        place = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        bad += [f"{panel['title']}: its number is another's"] * (panel["id"] in ids) + [f"{panel['title']}: over another"] * bool(place & places)
        bad += [f"{panel['title']}: {at}"] * (at["x"] + at["w"] > 24)
        ids.add(panel["id"])
        places |= place
        if panel["type"] != "row" and not panel.get("targets"):
            bad.append(f"{panel['title']}: shows nothing")
        for target in panel.get("targets", ()):
            bad += wrong_in(target["expr"], found, label_values())
            labels = set(re.findall(r"{{(\w+)}}", target["legendFormat"])) - {"instance"}
            named = {name for name in re.findall(r"\w+", target["expr"]) if name in found.samples}
            bad += [f"{panel['title']}: no label {label}" for label in labels for name in named
                    if not all(label in each for each, _ in found.samples[name])]
    return bad


def dashboard(tap, found):
    """Grafana's dashboard."""
    text = read("contrib/grafana/sharpramp.json")
    bad = dashboard_problems(text, found)
    tap.ok("contrib/grafana: the dashboard shows what is printed", not bad, bad)
    for what, old, new in (("a name", "onramp_path_owd_seconds", "onramp_path_delay_seconds"), ("a legend", "{{daddr}}", "{{peer}}"),
                           ("a counter as it is", "rate(onramp_holds_total{instance=~\\\"$instance\\\"}[$__rate_interval])", "onramp_holds_total"),
                           ("a panel's place", '"x": 12, "y": 1,', '"x": 11, "y": 1,'), ("a panel's number", '"id": 3,', '"id": 2,'),
                           ("a state", 'state!=\\"valid\\"', 'state!=\\"good\\"'),
                           ("buckets without bounds", "(instance, dev, le) (rate(ecnsharp", "(instance, dev) (rate(ecnsharp"),
                           ("buckets as they are", "rate(onramp_qdisc_owd_hist_seconds_bucket{instance=~\\\"$instance\\\"}[$__rate_interval])",
                            "onramp_qdisc_owd_hist_seconds_bucket"),
                           ("a panel that is empty", '"targets": [{', '"none": [{')):
        tap.ok(f"it would be noticed there: {what}", old in text and dashboard_problems(text.replace(old, new), found), (old, new))


def alerts(tap, found):
    """Prometheus' rules: each of what is printed, with a summary and a command; promtool(1) tries them, where it is."""
    text = read(RULES)
    rules = [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]
    bad = [wrong for rule in rules for wrong in wrong_in(rule["expr"], found, label_values())]
    bad += [f"{rule['alert']}: no {key}" for rule in rules for key in ("summary", "command") if not rule["annotations"].get(key)]
    for rule in rules:
        named = {name for name in re.findall(r"\w+", rule["expr"]) if name in found.samples}
        used = set(re.findall(r"\$labels\.(\w+)", "".join(rule["annotations"].values()))) - {"instance"}
        bad += [f"{rule['alert']}: no label {label}" for label in used for name in named if not all(label in each for each, _ in found.samples[name])]
    tap.ok(f"{RULES}: {len(rules)} alerts on what is printed", rules and not bad, bad)
    tested = yaml.safe_load(read(ALERTS))["tests"]
    fired = {case["alertname"] for test in tested for case in test["alert_rule_test"] if case.get("exp_alerts")}
    quiet = {case["alertname"] for test in tested for case in test["alert_rule_test"] if not case.get("exp_alerts")}
    named = {rule["alert"] for rule in rules}
    tap.ok("each has a case in which it fires and one in which it does not", fired == quiet == named, (named - fired, named - quiet))
    if not os.path.exists(PROMTOOL):
        tap.ok("# SKIP promtool is missing: debian/deps")
        return
    for what, *command in (("promtool reads the rules", "check", "rules", RULES), ("and finds the cases as they are described", "test", "rules", ALERTS)):
        done = subprocess.run([PROMTOOL, *command], cwd=ROOT, capture_output=True, text=True, check=False)
        tap.ok(what, not done.returncode, done.stdout + done.stderr)


def page(tap, found):
    """The metrics that docs/watch.md graphs are printed."""
    text = read("docs/watch.md")
    tap.ok("docs/watch.md graphs what is printed", not misnamed(text, found), misnamed(text, found))
    for what, old, new in (("a name", "ecnsharp_qdisc_pst_marks_total", "ecnsharp_qdisc_pst_mark_total"),
                           ("another's", "ecnsharp_qdisc_ins", "onramp_qdisc_ins"),
                           ("a unit", "byte_seconds_total", "bytes_total"),
                                                                             ("a neighbour's", "< 0.9 * huygens_peer_sent", "< huygens_peer_queried"),
                           ("a label", 'onramp_holding{holding="', 'onramp_holding{state="'),
                                                                                               ("text", 'holding="off"', 'holding="false"'),
                           ("a source", 'source="huygens"', 'source="huygens_lite"'), ("no source", '{source="qdisc"}', ""),
                           ("a gauge's rate", "`onramp_clock_usable`", "`rate(onramp_clock_usable[1m])`"),
                           ("a counter as it is", "`rate(onramp_hold_seconds_total[1m])`", "`onramp_hold_seconds_total`"),
                           ("no table", "| graph |", "| draw |")):
        tap.ok(f"it would be noticed there: {what}", old in text and misnamed(text.replace(old, new), found), (old, new))


def others(found, *families):
    """Samples of all sources but some."""
    return {name: samples for name, samples in found.samples.items() if name != "sharpramp_up" and not re.match("|".join(families),
                                                                                                                name)}


def provenances(tap, ctl):
    """Models whose provenance is as long as a file has it, and longer than that of any."""
    for length, up in ((1, 1), (255, 1), (256, 1), (515, 1), (1023, 1), (1024, 0)):
        world = World(ctl)
        world.tuner["stats"]["model"] = "p" * length
        found = parse(world.run().out)
        text = [labels["model"] for labels, _ in found.samples.get("acc_model", ())]
        tap.ok(f"a model whose provenance has {length} characters: up is {up}", ups(found)["acc"] == up and not found.wrong and
               len(text) == up and all(each == "p" * min(length, len(each)) for each in text), (ups(found), text))


def absences(tap, ctl, world, whole):
    """A source that fails is reported, none of its numbers is printed, and no other's are lost."""
    absent = {"stats": None, "devices": None, "acker": None, "clock": None, "paths": None, "phc": None}
    part = world.kernel["paths"][:2]
    numbers = world.kernel["qdisc"]
    for what, parts, down, families in (
            ("no module", {**absent, "family": [ack(errno.ENOENT)]}, SOURCES[:5], ("onramp_(?!qdisc)",)),
            ("no acker", {"devices": [ack(errno.EOPNOTSUPP)], "acker": None}, ("onramp_acker",), ("onramp_acker",)),
            ("the acker's devices, and no acker", {"acker": [ack(errno.EOPNOTSUPP)]}, ("onramp_acker",), ("onramp_acker",)),
            ("a refusal", {"clock": [ack(errno.EPERM)]}, ("onramp_clock",), ("onramp_clock",)),
            ("a dump that ends in an error", {"paths": part + [done(errno.ENOMEM)]}, ("onramp_path",), ("onramp_path_",)),
            ("a dump that does not end", {"phc": world.kernel["phc"][:-1]}, ("onramp_phc",), ("onramp_phc",)),
            ("no qdiscs for us", {"qdisc": [ack(errno.EPERM)]}, ("qdisc",), ("onramp_qdisc", "ecnsharp_qdisc", "cp_qdisc")),
            ("qdiscs and an error", {"qdisc": numbers[:2] + [done(errno.ENOBUFS)]}, ("qdisc",), ("onramp_qdisc", "ecnsharp_qdisc", "cp_qdisc")),
            ("qdiscs without an end", {"qdisc": numbers[:2]}, ("qdisc",), ("onramp_qdisc", "ecnsharp_qdisc", "cp_qdisc"))):
        found = parse(world.run(**parts).out)
        state = ups(found) if "sharpramp_up" in found.samples else {}
        tap.ok(f"{what}: that source is down, and nothing else changes", ctl.code == 0 and not found.wrong and
               state == {source: int(source not in down) for source in SOURCES} and
               others(found, *families) == others(whole, *families) == others(found, "sharpramp_up"), (state, found.wrong, ctl.err))
    found = parse(world.run(qdisc=[done()]).out)
    tap.ok("no qdisc at all is an answer", ups(found) == dict.fromkeys(SOURCES, 1) and
           others(found, "x") == others(whole, ".*_qdisc"), ups(found))
    found = parse(world.run(spoilt="absent").out)
    tap.ok("no huygensctl, no accctl", ctl.code == 0 and not ctl.err and
           ups(found) == {each: int(not each.startswith(("huygens", "acc"))) for each in SOURCES} and
           others(found, "x") == others(whole, "huygens", "acc"), (ups(found), ctl.err))
    ran = world.run(spoilt="absent", **{**absent, "family": [ack(errno.ENOENT)], "qdisc": [ack(errno.EPERM)]})
    found = parse(ran.out)
    tap.ok("nothing at all: nothing is up, and nothing else is printed", ran.code == 0 and not found.wrong and
           list(found.samples) == ["sharpramp_up"] and ups(found) == dict.fromkeys(SOURCES, 0), ran.outcome())
    short = message(36, MULTI, b"\0" * 8)
    crooked = message(36, MULTI, struct.pack("=BxxxiIII", 0, 1, 0x10000, ROOT_PARENT, 2) + attr(1, b"onramp") + attr(2, b"\1\2\3"))
    found = parse(world.run(qdisc=[short, crooked] + numbers).out)
    tap.ok("messages that are too short, and a kind that does not end", not found.wrong and
           others(found, "x") == others(whole, "x"), found.wrong)


def spoils(tap, ctl, world, whole):
    """A huygensctl that fails or prints no whole JSON is down, and takes no other's numbers along."""
    for command, source, family_of in (("peers", "huygens_peer", "huygens_peer_"),
                                                                                    ("stats", "huygens", "huygens_(?!peer|tracking)")):
        good = json.dumps(world.daemon[command], separators=(",", ":"))
        inner = good[1:-1] if command == "stats" else good[2:-2]
        for what, output, status in (("nothing", "", 0), ("a line end", "\n", 0), ("half of it", good[:len(good) // 2], 0),
                                   ("all but the last bracket", good[:-1], 0), ("an open string", good[:-1] + ',{"a":"b', 0),
                                   ("it, and fails", good, 1), ("a bracket too many", good + "]", 0), ("another's bracket",
                                                                                                       good[:-1] + ")", 0),
                                   ("a quote in a text", f'[{{{inner},"a":"b"c"}}]', 0), ("a comma too many", f"[{{{inner},}}]", 0),
                                   ("no comma", f'[{{{inner} "a":1}}]', 0), ("text behind it", good + " Error", 0),
                                                                                                                      ("text only", "Error", 0),
                                   ("a number", "5", 0), ("a list of numbers", "[5]", 0), ("a number that is none",
                                                                                           f'[{{{inner},"a":1.}}]', 0),
                                   ("a leading zero", f'[{{{inner},"a":01}}]', 0), ("a key without quotes", f"[{{{inner},a:1}}]",
                                                                                    0),
                                   ("an escape that is none", f'[{{{inner},"a":"\\x"}}]', 0), ("half an escape",
                                                                                               f'[{{{inner},"a":"\\u00', 0),
                                   ("a raw line feed", f'[{{{inner},"a":"\n"}}]', 0), ("a long key",
                                                                                       f'[{{{inner},"{"k" * 1100}":1}}]', 0),
                                   ("a deep list", f'[{{{inner},"a":{"[" * 99}{"]" * 99}}}]', 0), ("a zero byte",
                                                                                                   good.encode() + b"\0x", 0)):
            found = parse(world.run(spoilt={command: (output, status)}).out)
            tap.ok(f"huygensctl {command} prints {what}", ctl.code == 0 and not found.wrong and not ctl.err and
                   ups(found) == {each: int(each != source) for each in SOURCES} and
                   others(found, "x") == others(whole, family_of), (ups(found), ctl.err))


def files(tap, ctl, world):
    """A file is replaced whole, or not at all."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "onramp.prom")
        with open(path, "w", encoding="ascii") as file:
            file.write("old\n")
        with open(path, encoding="ascii") as reader:
            ran = world.run("file", path)
            tap.ok("a reader has the old file, whole", ran.code == 0 and not ran.out + ran.err and reader.read() == "old\n",
                   ran.outcome())
        with open(path, encoding="utf-8") as file:
            tap.ok("the new one is what is printed", file.read() == world.run().out)
        tap.ok("all may read it, and no other file is left", stat.S_IMODE(os.stat(path).st_mode) == 0o644 and
               os.listdir(folder) == ["onramp.prom"])
        for what, out, text in (("a directory", folder, "is a directory"), ("a folder that is not there",
                                                                            folder + "/no/x", "cannot write a file next to it"),
                                ("a file as folder", path + "/x", "cannot write a file next to it"),
                                                                                              ("a long name", "x" * 5000, "too long"),
                                ("no name", "", "the name is empty")):
            ran = world.run("file", out)
            tap.ok(f"refused: {what}", ran.code == (1 if out else 2) and text in ran.err and os.listdir(folder) == ["onramp.prom"],
                   ran.outcome())
        with open("/dev/full", "w", encoding="ascii") as device:
            ctl.run("metrics", stdout=device)
        tap.ok("into a full device: a line and a status", ctl.code == 1 and ctl.err.count("No space left on device") == 1, ctl.err)
    for arguments, text in ((("paths", "-1"), "not a number"), (("paths", ""), "not a number"), (("paths", "1e3"), "not a number"),
                        (("paths", "1000000"), "0 to 999999"), (("paths",), "needs a value"), (("file",), "needs a value"),
                        (("--port", "9100"), "is not a parameter"), (("-j",), "have one format")):
        ran = world.run(*arguments)
        tap.ok(f"refused: {' '.join(arguments)}", ran.code == 2 and text in ran.err and not ran.out, ran.outcome())


def parser(tap):
    """This test's parser would notice."""
    good = '# HELP a_total x\n# TYPE a_total counter\na_total{b="c"} 1\n'
    tap.ok("the parser takes what is right", not problems(good), problems(good))
    parts = '# HELP h x\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 3\nh_count 3\nh_sum 2.5\n'
    tap.ok("and a histogram", not problems(parts), problems(parts))
    for what, old, new in (("a bucket below the one before", "} 2", "} 4"), ("a last bucket without all", "h_count 3", "h_count 4"),
                           ("no last bucket", 'h_bucket{le="+Inf"} 3\n', ""), ("no sum", "h_sum 2.5\n", ""), ("no count", "h_count 3\n", ""),
                           ("bounds that fall", '"1"', '"+Inf"'), ("a bucket without a bound", '{le="1"}', ""), ("no buckets at all", "h_bucket", "g")):
        tap.ok(f"the parser notices: {what}", old in parts and problems(parts.replace(old, new)), parts.replace(old, new))
    for what, text in (("no type", "a 1\n"), ("no help", "# TYPE a gauge\na 1\n"), ("twice", good + 'a_total{b="c"} 2\n'),
                       ("apart", good + '# HELP b x\n# TYPE b gauge\nb 1\na_total{b="d"} 1\n'), ("a name",
                                                                                                 good.replace("a_total", "a-total")),
                       ("a counter without _total", good.replace("_total", "")), ("a gauge with it",
                                                                                  good.replace("counter", "gauge")),
                       ("a label", good.replace('b="c"', "b=c")), ("an escape", good.replace('"c"', '"\\u"')), ("a value",
                                                                                                                good.replace(" 1\n", " one\n")),
                       ("no end", good.rstrip("\n")), ("a negative counter", good.replace(" 1\n", " -1\n")), ("no sample",
                                                                                                              good.rsplit("\n", 2)[0] + "\n"),
                       ("a unit", good.replace("a_total", "a_ns_total"))):
        tap.ok(f"the parser notices: {what}", problems(text), text)


def main():
    """All of it."""
    tap, ctl = Tap(), Ctl()
    parser(tap)
    world, found = formats(tap, ctl)
    older(tap, ctl, world)
    many(tap, ctl, world)
    page(tap, found)
    dashboard(tap, found)
    alerts(tap, found)
    provenances(tap, ctl)
    absences(tap, ctl, world, found)
    spoils(tap, ctl, world, found)
    files(tap, ctl, world)
    tap.end()


if __name__ == "__main__":
    main()
