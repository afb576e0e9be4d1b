# SPDX-License-Identifier: GPL-2.0
"""One run of one scenario: plan, boot, read the results."""

import importlib
import json
import os
import shutil
import sys
import tempfile
import time

import books
import boot
import results
from artifacts import ROOT, digest
from keys import parse_all
from network import EPOCH_NS
from units import Refused

sys.path.append(os.path.join(ROOT, "lab"))

# Ours, in the order of loading.
MODULES = ("labnic.ko", "sch_ecnsharp.ko")

# A flow still alive this long after arrivals stopped will never end.
GIVE_UP_S = 300


def scenario_names():
    folder = os.path.join(ROOT, "lab/scenarios")
    return sorted(name[:-3] for name in os.listdir(folder) if name.endswith(".py") and name not in ("common.py", "__init__.py"))


def scenario(name):
    if name not in scenario_names():
        raise Refused(f"'{name}' is no scenario; there are {', '.join(scenario_names())}")
    return importlib.import_module(f"scenarios.{name}")


def anonymous(text):
    """A user's file by what it holds: results name no paths."""
    return f"file:{digest(os.path.abspath(text))[:16]}" if os.path.isfile(text) else text


class Experiment:
    """A scenario with its parameters and seed, checked, not yet run."""

    def __init__(self, name, words, seed):
        if not 0 <= seed < 2**32:
            raise Refused(f"seed: {seed} must be from 0 to {2**32 - 1}")
        self.scenario = scenario(name)
        self.name = name
        self.seed = seed
        self.params, self.texts = parse_all(self.scenario.KEYS, words)
        self.setting = self.scenario.Setting(self.params, seed)

    def traffic(self):
        """What the traffic tool reads."""
        return "".join(line + "\n" for line in self.setting.traffic())

    def plan(self, modules=MODULES, pcap=None):
        """What the guest carries out."""
        lines = [f"module {name}" for name in modules]
        lines += self.setting.plan()
        lines.append(f"epoch {EPOCH_NS}")
        lines += self.setting.watches()
        if pcap:
            lines.append(f"pcap {' '.join(self.setting.network.port(pcap))} pcap.pcap")
        series = self.setting.series_ns
        lines.append("flowgen --traffic /run/lab/traffic --netns /run/netns "
                     f"--epoch {EPOCH_NS} --seed {self.seed} --give-up {GIVE_UP_S} "
                     "--flows /run/lab/result/flows.csv --summary /run/lab/result/summary.json "
                     "--progress /run/lab/progress"
                     + (f" --series /run/lab/result/series.csv --step {series}" if series else ""))
        lines += self.setting.collects()
        return "".join(line + "\n" for line in lines)

    def write(self, folder, lab, module=None, pcap=None):
        """Fill a run folder."""
        modules = {name: os.path.join(lab.modules_dir, name) for name in MODULES}
        modules.update((os.path.basename(path), path) for path in module or [])
        os.makedirs(os.path.join(folder, "modules"))
        for name, path in modules.items():
            shutil.copyfile(path, os.path.join(folder, "modules", name))
        for name, path in self.setting.files().items():
            shutil.copyfile(path, os.path.join(folder, name))
        for name, text in (("traffic", self.traffic()), ("plan", self.plan(modules, pcap))):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text)

    def run(self, lab, *, folder=None, module=None, pcap=None, progress=None, keep=None):
        """Returns the JSON as a dictionary; keep(folder) may copy raw files before they go."""
        made = folder or tempfile.mkdtemp(prefix="lab-", dir=os.environ.get("TMPDIR"))
        try:
            self.write(made, lab, module, pcap)
            outcome = boot.boot(made, lab.kernel_dir, lab.initramfs, self.seed, mem=self.setting.memory,
                                watchdog_s=120, progress=progress, extra_args=self.setting.kernel_args())
            if outcome.status.strip() != "ok":
                raise boot.LabCrashed(outcome.status.strip())
            if keep:
                keep(made)
            return self.read(made, lab)
        finally:
            if not folder:
                shutil.rmtree(made, ignore_errors=True)

    def read(self, folder, lab):
        raw = os.path.join(folder, "result")
        summary = results.read_summary(raw)
        document = {
            "scenario": self.name,
            "seed": self.seed,
            "params": {name: anonymous(text) for name, text in self.texts.items()},
            "fingerprint": lab.fingerprint,
        }
        document.update(self.setting.results(raw, summary))
        document["conservation"] = books.balance(books.read(raw), self.setting.network.hosts)
        return document


def dumps(document):
    """The one way a result is written: byte-identical for equal results."""
    return json.dumps(document, indent=1, sort_keys=False) + "\n"


class Progress:
    """One line on a terminal, a line every ten seconds elsewhere."""

    def __init__(self, title, expected_s, stream=sys.stderr):
        self.title = title
        self.expected_s = expected_s
        self.stream = stream
        self.shown = time.monotonic()
        self.live = stream.isatty()

    def __call__(self, virtual_ns, done, total, wall_s):
        now = time.monotonic()
        if now - self.shown < (0.2 if self.live else 10):
            return
        self.shown = now
        virtual = max(0, virtual_ns - EPOCH_NS) / 1e9
        text = (f"{self.title}: {virtual:.2f} of {self.expected_s:g} virtual s, {done} of {total} flows, "
                f"{wall_s:.0f} s of yours")
        self.stream.write(f"\r\033[K{text}" if self.live else text + "\n")
        self.stream.flush()

    def end(self):
        if self.live:
            self.stream.write("\r\033[K")
