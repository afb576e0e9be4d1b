# SPDX-License-Identifier: GPL-2.0
"""One run of one scenario: topology script, boot, read the results."""

import functools
import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from lab.host import accounting, boot, module_list, program, results
from lab.host.artifacts import ROOT
from lab.host.keys import parse_all
from lab.host.network import EPOCH_NS
from lab.host.units import Refused

# A flow still alive this long after arrivals stopped will never end.
GIVE_UP_S = 300


def _experiment(name):
    return importlib.import_module(f"lab.experiments.{name}")


@functools.cache
def scenario_names():
    """Experiments that run by themselves: the others run these with other keys."""
    names = (name[:-3] for name in os.listdir(os.path.join(ROOT, "lab/experiments")) if re.fullmatch(r"[a-z]\w*\.py", name))
    return sorted(name for name in names if hasattr(_experiment(name), "KEYS"))


def scenario(name):
    names = scenario_names()
    if name not in names:
        other = [known for known in names if name in (experiment for experiment, _, _ in also(known))]
        raise Refused(f"'{name}' is no scenario; " + (f"it is {' or '.join(other)} with other keys, which lab/run list shows" if other
                                                       else f"there are {', '.join(names)}"))
    return _experiment(name)


def also(name):
    """Experiments of the report that are a scenario with other keys: (name there, arguments for lab/run, what it is) of each."""
    return getattr(scenario(name), "ALSO", ())


def _sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Trial:
    """A scenario with its parameters and seed, checked, not yet run."""

    def __init__(self, name, arguments, seed):
        if not 0 <= seed < 2**32:
            raise Refused(f"seed: {seed} must be from 0 to {2**32 - 1}")
        self.scenario = scenario(name)
        self.name = name
        self.seed = seed
        self.params, self.texts = parse_all(self.scenario.KEYS, arguments)
        self.setting = self.scenario.Setting(self.params, seed)
        self.setting.network.clocks.check(self.setting.network.hosts)

    def traffic(self):
        """Text for the traffic tool."""
        return "".join(line + "\n" for line in self.setting.traffic())

    def modules(self, given=None):
        """The modules that are loaded, in order: name -> the user's path, None of the project's."""
        return {**dict.fromkeys(module_list.needed(self.setting.qdiscs().values())),
                **{os.path.basename(path): path for path in given or []}}

    def programs(self):
        """Programs of the guest in addition to those of every guest, in tuples."""
        return [*module_list.programs(self.setting.qdiscs().values()), self.setting.programs]

    def fingerprint(self, lab):
        """A hash of all that the run loads, if the user has no modules."""
        return lab.fingerprint(self.modules(), self.programs(), self.setting.files().values())

    def script(self, module=None, pcap=None):
        """The topology script."""
        lines = [f"module {name}" for name in self.modules(module)]
        lines += self.setting.script()
        lines.append(f"epoch {EPOCH_NS}")
        lines += self.setting.network.clocks.steps()
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

    def rehearse(self, tools_dir):
        """Have the traffic tool draw the flows here and now: what it would refuse inside, it refuses before."""
        with tempfile.TemporaryDirectory(prefix="lab-") as folder:
            self.write_traffic(folder)
            done = subprocess.run([os.path.join(tools_dir, "flowgen"), "--dry-run", "--traffic", "traffic", "--seed",
                                   str(self.seed)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, errors="replace", check=False)
        if done.returncode:
            why = done.stderr.strip().removeprefix("flowgen: ")
            for name, path in self.setting.files().items():
                why = why.replace(name, f"workload: {path}")
            raise Refused(why)

    def write_traffic(self, folder):
        """Files of the traffic tool, and those that they name."""
        for name, path in self.setting.files().items():
            shutil.copyfile(path, os.path.join(folder, name))
        with open(os.path.join(folder, "traffic"), "w", encoding="ascii") as file:
            file.write(self.traffic())

    def write(self, folder, lab, module=None, pcap=None):
        """Fill a run folder."""
        os.makedirs(os.path.join(folder, "modules"))
        for name, path in self.modules(module).items():
            shutil.copyfile(path or os.path.join(lab.modules_dir, name), os.path.join(folder, "modules", name))
        self.write_traffic(folder)
        with open(os.path.join(folder, "topology"), "w", encoding="ascii") as file:
            file.write(self.script(module, pcap))

    def run(self, lab, *, folder=None, module=None, pcap=None, progress=None, keep=None):
        """Returns the JSON as a dictionary; keep(folder) may copy raw files before they go.

        They do not go if folder is given, nor if the run fails, whose error then says where they are.
        """
        made = os.path.abspath(folder) if folder else tempfile.mkdtemp(prefix="lab-", dir=os.environ.get("TMPDIR"))
        stays = bool(folder)
        try:
            os.makedirs(made, exist_ok=True)
            with program.writing(made):
                self.write(made, lab, module, pcap)
            outcome = boot.boot(made, lab.kernel_dir, lab.image(self.programs()), self.seed, mem=self.setting.memory,
                                watchdog_s=120, progress=progress, extra_args=self.setting.kernel_args())
            if outcome.status.strip() != "ok":
                raise boot.LabCrashed(outcome.status.strip())
            if keep:
                keep(made)
            return self.read(made, lab, module)
        except boot.LabError as why:
            stays = True
            raise type(why)(f"{why}\nthe run's folder is {made}") from why
        finally:
            if not stays:
                shutil.rmtree(made, ignore_errors=True)

    def read(self, folder, lab, module=None):
        raw = os.path.join(folder, "result")
        summary = results.read_summary(raw)
        document = {
            "scenario": self.name,
            "seed": self.seed,
            "params": self.texts,
            "fingerprint": self.fingerprint(lab),
        }
        if module:
            names = sorted(os.path.basename(path) for path in module)
            document["modules"] = {name: _sha256(os.path.join(folder, "modules", name)) for name in names}
        if self.setting.programs:
            document["programs"] = lab.programs(self.setting.programs)
        document.update(self.setting.results(raw, summary))
        document["conservation"] = accounting.balance(accounting.read(raw), self.setting.network.hosts)
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
