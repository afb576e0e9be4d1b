# SPDX-License-Identifier: GPL-2.0
"""Results that are kept on this machine, found again by what decides them.

That is what a run loads (kernel, modules, file system), its input (topology script, traffic, seed), and the programs that make JSON
of raw results. So a study that was stopped, or changed in one place, runs only what is missing.
"""

import ast
import functools
import json
import os
import shutil
import tempfile

from runs import ROOT, Result   # first: it says where the next ones are
import trials
from artifacts import CACHE, digest

# What these decide is in the topology script, the traffic, the parameters or the fingerprint, and boot.py and program.py decide only
# whether there is a result.
SPELLED = {"aqm", "artifacts", "boot", "keys", "module_list", "program", "rtt"}


def _imports(path):
    """Names of the modules that a Python file imports, and of what it imports from them."""
    with open(path, encoding="utf-8") as file:
        for node in ast.walk(ast.parse(file.read())):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))


@functools.cache
def readers(scenario):
    """Programs that make JSON of raw results: the scenario's, and what they import of lab/host and lab/scenarios."""
    found, wanted = {}, ["trials", f"scenarios.{scenario}"]
    while wanted:
        name = wanted.pop()
        path = os.path.join(ROOT, "lab" if "." in name else "lab/host", *name.split(".")) + ".py"
        if name not in SPELLED and name not in found and os.path.isfile(path):
            found[name] = path
            wanted += _imports(path)
    return [found[name] for name in sorted(found)]


def key_of(run, lab):
    """Of all inputs of a run."""
    trial = run.trial()
    return digest(trial.fingerprint(lab), *readers(run.scenario), trial.script(), trial.traffic(), trial.setting.memory, *trial.setting.kernel_args(),
                  json.dumps([run.scenario, sorted(trial.texts.items()), run.seed, list(run.trace)]))


class Cache:
    """Results under the hash of their inputs, a file each."""

    def __init__(self, lab, folder=None):
        self.folder = folder or os.path.join(CACHE, "report")
        self.lab = lab
        self._keys = {}

    def path(self, run):
        """The file for a run's result, whether or not there is one."""
        if run not in self._keys:
            self._keys[run] = key_of(run, self.lab)
        return os.path.join(self.folder, self._keys[run][:24] + ".json")

    def get(self, run):
        """The result, or None if there is none."""
        try:
            with open(self.path(run), encoding="ascii") as file:
                entry = json.load(file)
        except FileNotFoundError:
            return None
        return Result(entry["result"], [tuple(point) for point in entry["trace"]], entry["commit"])

    def put(self, run, result):
        """Keep a result, whole or not at all."""
        os.makedirs(self.folder, exist_ok=True)
        fd, fresh = tempfile.mkstemp(prefix=".run-", dir=self.folder)
        try:
            with os.fdopen(fd, "w", encoding="ascii") as file:
                json.dump({"commit": result.commit, "result": result.document, "trace": result.trace}, file)
            os.rename(fresh, self.path(run))
        finally:
            if os.path.exists(fresh):
                os.unlink(fresh)


def save_raw(found, folder):
    """The JSON of each run, as lab/run writes it."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, result in found.items():
        with open(os.path.join(folder, name.replace("/", "-") + ".json"), "w", encoding="ascii") as file:
            file.write(trials.dumps(result.document))
