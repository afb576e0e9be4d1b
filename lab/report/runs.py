# SPDX-License-Identifier: GPL-2.0
"""A pool of runs of the lab: two at a time, kept in the cache, resumed after an interruption.

A run is found again by what decides its result: scenario, parameters, seed, the lab's fingerprint and
the programs that read raw results. So a study that was stopped, or changed in one place, runs only what
is missing.
"""

import concurrent.futures
import json
import os
import shlex
import shutil
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "lab/host"))

# pylint: disable=wrong-import-position
import boot
import experiment
import results
from artifacts import CACHE, digest


class RunFailed(Exception):
    """Some runs gave no result; the text names each and says why."""


class Stopped(Exception):
    """The pool was told to end; raised inside a run to end its lab."""


@dataclass(frozen=True)
class Run:
    """One run of a study."""

    name: str               # its place in the study, such as incast/codel/100
    scenario: str
    words: tuple            # key=value, as lab/run takes them
    seed: int = 1
    cost_s: float = 5       # wall time on a slow core; only the minutes left are reckoned from it
    trace: tuple = ()       # (from, until) in ns: this much of the bottleneck's trace is kept

    def command(self):
        """What a user types for the same result."""
        words = " ".join(shlex.quote(word) for word in self.words)
        return f"lab/run {self.scenario} {words}".rstrip() + (f" --seed {self.seed}" if self.seed != 1 else "")

    def experiment(self):
        """Checked parameters; refuses nonsense."""
        return experiment.Experiment(self.scenario, self.words, self.seed)


@dataclass(frozen=True)
class Result:
    """What a run gave: the JSON of lab/run, and the kept part of the trace as (ns, packets)."""

    document: dict
    trace: list


def reader_digest():
    """Of the programs that plan a run and make JSON of its raw results."""
    files = []
    for folder in ("lab/host", "lab/scenarios", "lab/traffic/cdf"):
        path = os.path.join(ROOT, folder)
        files += sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith((".py", ".cdf")))
    return digest(*files)


class Store:
    """Results on disk, one folder each; an entry is complete if it exists."""

    def __init__(self, fingerprint, folder=None):
        self.folder = folder or os.path.join(CACHE, "report")
        self.base = digest(fingerprint, reader_digest())

    def path(self, run):
        trial = run.experiment()
        texts = {name: experiment.anonymous(text) for name, text in trial.texts.items()}
        key = json.dumps([run.scenario, sorted(texts.items()), run.seed, list(run.trace)])
        return os.path.join(self.folder, digest(self.base, key)[:24])

    def get(self, run):
        """The result, or None if there is none."""
        path = self.path(run)
        try:
            with open(os.path.join(path, "result.json"), encoding="ascii") as file:
                document = json.load(file)
            with open(os.path.join(path, "trace.json"), encoding="ascii") as file:
                return Result(document, [tuple(point) for point in json.load(file)])
        except FileNotFoundError:
            return None

    def put(self, run, result):
        path = self.path(run)
        os.makedirs(self.folder, exist_ok=True)
        fresh = tempfile.mkdtemp(prefix=".run-", dir=self.folder)
        try:
            with open(os.path.join(fresh, "result.json"), "w", encoding="ascii") as file:
                file.write(experiment.dumps(result.document))
            with open(os.path.join(fresh, "trace.json"), "w", encoding="ascii") as file:
                json.dump(result.trace, file)
            shutil.rmtree(path, ignore_errors=True)
            os.rename(fresh, path)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


class Progress:
    """One line for all runs: rewritten on a terminal, a line every ten seconds elsewhere."""

    def __init__(self, title, runs, stream=sys.stderr, clock=time.monotonic):
        self.title = title
        self.total = len(runs)
        self.cost = sum(run.cost_s for run in runs)
        self.stream = stream
        self.clock = clock
        self.live = stream.isatty()
        self.began = self.shown = clock()
        self.done = 0
        self.done_cost = 0.0
        self.running = {}       # run -> share done, 0 to 1

    def reached(self, run, share):
        self.running[run] = min(1.0, max(0.0, share))
        self.show()

    def ended(self, run):
        self.running.pop(run, None)
        self.done += 1
        self.done_cost += run.cost_s
        self.show(at_once=self.done == self.total)

    def left(self):
        """Wall seconds to go at the speed so far; None before there is a speed."""
        done = self.done_cost + sum(run.cost_s * share for run, share in self.running.items())
        spent = self.clock() - self.began
        if spent < 5 or done < 0.02 * self.cost:
            return None
        return spent * (self.cost - done) / done

    def text(self):
        running = ", ".join(f"{run.name} {share * 100:.0f} %" for run, share in sorted(
            self.running.items(), key=lambda item: item[0].name))
        left = self.left()
        remain = "" if left is None else f", about {left / 60:.1f} min left"
        return f"{self.title}: {self.done} of {self.total} runs done{remain}" + (f"; {running}" if running else "")

    def show(self, at_once=False):
        now = self.clock()
        if not at_once and now - self.shown < (0.2 if self.live else 10):
            return
        self.shown = now
        self.stream.write(f"\r\033[K{self.text()}" if self.live else self.text() + "\n")
        self.stream.flush()

    def end(self):
        if self.live:
            self.stream.write("\r\033[K")
            self.stream.flush()


def execute(run, lab, reached):
    """Run it in the lab; reached(share) is called as it goes and may raise."""
    trial = run.experiment()
    duration = trial.params["duration"]
    trace = []

    def keep(folder):
        if run.trace:
            points = results.read_trace(os.path.join(folder, "result", "bottleneck.trace"),
                                        experiment.EPOCH_NS)
            trace.extend((at, pkts) for at, pkts, _ in points if run.trace[0] <= at < run.trace[1])

    def progress(virtual_ns, done, flows, _wall_s):
        arrived = (virtual_ns - experiment.EPOCH_NS) / duration
        # After the last arrival flows drain: their share is what counts then.
        reached(min(arrived, done / flows if flows and arrived > 1 else 1, 0.99))

    document = trial.run(lab, progress=progress, keep=keep)
    if document["unfinished"]:
        raise RunFailed(f"{document['unfinished']} flows never ended")
    return Result(document, trace)


class Pool:
    """Runs what the store lacks; all labs end when it does."""

    def __init__(self, lab, store, workers=None, run_one=execute):
        self.lab = lab
        self.store = store
        self.workers = workers or max(1, len(os.sched_getaffinity(0)))
        self.run_one = run_one
        self.stop = threading.Event()
        self.lock = threading.Lock()

    def _one(self, run, progress):
        def reached(share):
            if self.stop.is_set():
                raise Stopped
            with self.lock:
                progress.reached(run, share)

        if self.stop.is_set():
            raise Stopped
        result = self.run_one(run, self.lab, reached)
        self.store.put(run, result)
        with self.lock:
            progress.ended(run)
        return result

    def run(self, runs, title, fresh=False, stream=sys.stderr):
        """name -> Result for all; RunFailed if any gave none (the others are kept)."""
        found = {} if fresh else {run.name: result for run in runs if (result := self.store.get(run))}
        missing = [run for run in runs if run.name not in found]
        if found:
            print(f"{title}: {len(found)} of {len(runs)} runs are in the cache", file=stream, flush=True)
        if not missing:
            return found
        progress = Progress(title, missing, stream)
        failures = []
        # The longest first, so that none is left alone at the end.
        queue = sorted(missing, key=lambda run: -run.cost_s)
        with concurrent.futures.ThreadPoolExecutor(self.workers) as threads:
            futures = {threads.submit(self._one, run, progress): run for run in queue}
            try:
                for future in concurrent.futures.as_completed(futures):
                    try:
                        found[futures[future].name] = future.result()
                    except (boot.LabError, RunFailed) as why:
                        failures.append(f"{futures[future].command()}: {why}")
            finally:
                # Interrupted or not: whatever still runs ends at its next look at the clock.
                self.stop.set()
                for future in futures:
                    future.cancel()
                progress.end()
        if failures:
            raise RunFailed("\n".join(sorted(failures)))
        return found


def save_raw(found, folder):
    """The JSON of each run, as lab/run writes it."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, result in found.items():
        with open(os.path.join(folder, name.replace("/", "-") + ".json"), "w", encoding="ascii") as file:
            file.write(experiment.dumps(result.document))
