# SPDX-License-Identifier: GPL-2.0
"""Results that are kept, found again by what decides them.

That is all a run reads: the plan and the traffic that its parameters amount to, the user's files, the seed,
the lab's fingerprint, and the programs that make JSON of raw results. So a study that was stopped, or changed
in one place, runs only what is missing. Of a result in the archive that another lab made, witness.py decides.
"""

import json
import os
import shutil
import tempfile

from runs import ROOT, Result   # first: it says where the next ones are
import experiment
from artifacts import CACHE, digest, sources_key

# What these decide is in the plan, the traffic, the parameters or the fingerprint, and boot.py and program.py decide only
# whether there is a result. All else of the host's side may
# take part in making JSON of a run.
SPELLED = ("aqm.py", "artifacts.py", "boot.py", "keys.py", "program.py", "rtt.py")


def readers(scenario):
    """Programs that make JSON of raw results."""
    host = os.path.join(ROOT, "lab/host")
    names = [name for name in sorted(os.listdir(host)) if name.endswith(".py") and name not in SPELLED]
    # Some scenarios build on another.
    bases = {place for kind in experiment.scenario(scenario).Setting.__mro__ for package, _, place in [kind.__module__.partition(".")]
             if package == "scenarios"} - {"common", scenario}
    return [*(os.path.join(host, name) for name in names),
            *(os.path.join(ROOT, "lab/scenarios", f"{name}.py") for name in ("common", scenario, *sorted(bases)))]


def key_of(run, fingerprint):
    """Of all inputs of a run."""
    trial = run.experiment()
    programs = trial.setting.programs
    return digest(fingerprint, *([sources_key(programs)] if programs else []), *readers(run.scenario), trial.plan(), trial.traffic(), *trial.setting.files().values(),
                  trial.setting.memory, *trial.setting.kernel_args(),
                  json.dumps([run.scenario, sorted(trial.texts.items()), run.seed, list(run.trace)]))


class Cache:
    """Results under the hash of their inputs, a file each."""

    def __init__(self, fingerprint, folder=None):
        self.folder = folder or os.path.join(CACHE, "report")
        self.fingerprint = fingerprint

        self._keys = {}

    def key(self, run):
        """Of a run in this lab."""
        if run not in self._keys:
            self._keys[run] = key_of(run, self.fingerprint)
        return self._keys[run]

    def path(self, run):
        """The file for a run's result, whether or not there is one."""
        return os.path.join(self.folder, self.key(run)[:24] + ".json")

    def get(self, run):
        """The result, or None if there is none."""
        entry = _read(self.path(run))
        return entry and _result(entry)

    def put(self, run, result):
        """Keep a result."""
        _write(self.path(run), {"result": result.document, "trace": result.trace})


# What an entry of the archive is to the lab at hand: made from these very inputs or vouched for; the same request, made
# by another lab; no answer to what is asked now.
CURRENT, UNVOUCHED, STALE, MISSING = "current", "unvouched", "stale", "missing"


class Archive:
    """Results under the names of their runs, for a repository.

    An entry has the key and the command of its run and the whole result, which names the lab that made it, and
    may have: trace and window, the points kept and (from, until); vouched, the fingerprint of another lab, whose key it
    then has; equals, the fingerprint of the lab whose result it repeated; differs, why it is stale.
    """

    def __init__(self, folder, cache):
        self.folder = folder
        self.cache = cache

    def path(self, run):
        """The file for a run's result, whether or not there is one."""
        return os.path.join(self.folder, run.name + ".json")

    def get(self, run):
        """The result, or None if there is no current one; what only the cache has comes here too."""
        entry = _read(self.path(run))
        if entry and self._state(run, entry) == CURRENT:
            return _result(entry)
        result = self.cache.get(run)
        if result:
            self.put(run, result)
        return result

    def put(self, run, result, equals=None):
        """Keep a result, here and in the cache; equals is the fingerprint of a lab that had the same."""
        self.cache.put(run, result)
        entry = {"key": self.cache.key(run), "command": run.command(), "result": result.document}
        if equals:
            entry["equals"] = equals
        if run.trace:
            entry.update(window=list(run.trace), trace=result.trace)
        _write(self.path(run), entry)

    def _state(self, run, entry):
        if entry["key"] == self.cache.key(run):
            return CURRENT
        return STALE if "differs" in entry or not _answers(entry, run) else UNVOUCHED

    def state(self, run):
        """What the run's entry is to this lab: CURRENT, UNVOUCHED, STALE or MISSING."""
        entry = _read(self.path(run))
        return self._state(run, entry) if entry else MISSING

    def entry(self, run):
        """As it is kept, whoever made it; None if there is none."""
        return _read(self.path(run))

    def kept(self, run):
        """The result, whoever made it; None if there is none."""
        entry = self.entry(run)
        return entry and _result(entry)

    def vouch(self, run):
        """Let an entry of another lab stand in this one."""
        entry = _read(self.path(run))
        entry.pop("equals", None)
        _write(self.path(run), {**entry, "key": self.cache.key(run), "vouched": self.cache.fingerprint})

    def condemn(self, run, why):
        """Have an entry run again in every lab but the one whose key it has."""
        _write(self.path(run), {**_read(self.path(run)), "differs": why})

    def prune(self, runs):
        """Remove what belongs to none of the runs."""
        known = {self.path(run) for run in runs}
        for folder, _, names in os.walk(self.folder, topdown=False):
            for name in names:
                path = os.path.join(folder, name)
                if path not in known:
                    os.unlink(path)
            if folder != self.folder and not os.listdir(folder):
                os.rmdir(folder)


def _answers(entry, run):
    """Whether the entry is of this command and part of the trace, with these values of the parameters that it knows."""
    params = run.experiment().texts
    return (entry["command"] == run.command() and entry.get("window", []) == list(run.trace)
            and all(params[name] == value for name, value in entry["result"]["params"].items() if name in params))


def _result(entry):
    return Result(entry["result"], [tuple(point) for point in entry.get("trace", [])])


def _read(path):
    try:
        with open(path, encoding="ascii") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def _write(path, entry):
    """Whole or not at all."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    fd, fresh = tempfile.mkstemp(prefix=".run-", dir=os.path.dirname(path))
    try:
        # A list of points in one line: a trace has thousands.
        trace = entry.pop("trace", None)
        text = json.dumps(entry, indent=1)
        if trace is not None:
            text = text[:-2] + f',\n "trace": {json.dumps(trace)}\n}}'
        with os.fdopen(fd, "w", encoding="ascii") as file:
            file.write(text + "\n")
        os.chmod(fresh, 0o644)
        os.rename(fresh, path)
    finally:
        if os.path.exists(fresh):
            os.unlink(fresh)


def save_raw(found, folder):
    """The JSON of each run, as lab/run writes it."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, result in found.items():
        with open(os.path.join(folder, name.replace("/", "-") + ".json"), "w", encoding="ascii") as file:
            file.write(experiment.dumps(result.document))
