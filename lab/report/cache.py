# SPDX-License-Identifier: GPL-2.0
"""Results that are kept on this machine, found again by what decides them.

A result depends on what its run loads (kernel, modules, file system), on its input (topology script, traffic, seed), and on the code that
makes JSON of raw results. So a study that was stopped, or changed in one place, runs only what is missing.
"""

import ast
import functools
import json
import os
import shutil
import tempfile

from lab import trials
from lab.host.artifacts import CACHE, digest
from lab.report.runs import ROOT, Result, trial_of

# The effects of these are in the topology script, the traffic, the parameters or the fingerprint; boot and program decide only
# whether there is a result.
SPELLED = {f"lab.host.{name}" for name in ("aqm", "artifacts", "boot", "keys", "module_list", "program", "rtt")}


def _path(module):
    return os.path.join(ROOT, *module.split(".")) + ".py"


def _names(node):
    """Names that a top-level statement defines."""
    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        return [node.name]
    return [part.id for target in getattr(node, "targets", ()) for part in ast.walk(target) if isinstance(part, ast.Name)]


@functools.cache
def _module(module):
    """{name: statements that define it}, {name: (module, name there or None) that it is imported from} of a module of this package."""
    with open(_path(module), encoding="utf-8") as file:
        body = ast.parse(file.read()).body
    defined, imported = {}, {}
    for node in body:
        for name in _names(node):
            defined.setdefault(name, []).append(node)
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "lab":
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                is_module = os.path.isfile(_path(whole))
                imported[alias.asname or alias.name] = (whole, None) if is_module else (node.module, alias.name)
    return defined, imported


def _text(node):
    """A statement without its comments and doc strings."""
    for part in ast.walk(node):
        if isinstance(part, (ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(part) is not None:
            part.body = part.body[1:] or [ast.Pass()]
    return ast.unparse(node)


def _uses(module, node):
    """(module, name) of all of this package that a statement refers to."""
    defined, imported = _module(module)
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in defined:
            yield module, part.id
        elif isinstance(part, ast.Name) and imported.get(part.id, (None, None))[1]:
            yield imported[part.id]
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id in imported:
            yield imported[part.value.id][0], part.attr


@functools.cache
def readers(scenario):
    """(module, name) -> text of all that makes JSON of raw results: an experiment's keys and setting, and what these refer to.

    Rows and figures of the same file do not count.
    """
    found, wanted = {}, [("lab.trials", "Trial"), (f"lab.experiments.{scenario}", "KEYS"), (f"lab.experiments.{scenario}", "Setting")]
    while wanted:
        module, name = wanted.pop()
        if module in SPELLED or (module, name) in found:
            continue
        defined, imported = _module(module)
        if name in defined:
            found[module, name] = "\n".join(map(_text, defined[name]))
            for node in defined[name]:
                wanted += _uses(module, node)
        elif name in imported:
            wanted.append(imported[name])
    return found


def _spelled_out(parts):
    return [f"{module}.{name}\n{text}" for (module, name), text in sorted(parts.items())]


def key_of(run, lab):
    """Hash of all inputs of a run."""
    trial = trial_of(run)
    return digest(trial.fingerprint(lab), *_spelled_out(readers(run.scenario)), trial.script(), trial.traffic(), trial.setting.memory, *trial.setting.kernel_args(),
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
