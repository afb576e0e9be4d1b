# SPDX-License-Identifier: GPL-2.0
"""A pool of runs: as many at a time as there are processors, kept as they end, resumed after an interruption."""

import concurrent.futures
import os
import sys
import threading
import time

from lab.host import boot
from lab.report.runs import RunFailed, execute


class Stopped(Exception):
    """The pool was ended; raised inside a run to end its lab."""


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
        """A run has come so far; share is from 0 to 1."""
        self.running[run] = min(1.0, max(0.0, share))
        self.show()

    def ended(self, run):
        """A run is over; its estimated cost is done."""
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
        """The line as it is shown, without its end."""
        running = ", ".join(f"{run.name} {share * 100:.0f} %" for run, share in sorted(
            self.running.items(), key=lambda item: item[0].name))
        left = self.left()
        remain = "" if left is None else f", about {left / 60:.1f} min left"
        return f"{self.title}: {self.done} of {self.total} runs done{remain}" + (f"; {running}" if running else "")

    def show(self, at_once=False):
        """Write the line, if the last one is old enough: 0.2 s on a terminal, 10 s elsewhere."""
        now = self.clock()
        if not at_once and now - self.shown < (0.2 if self.live else 10):
            return
        self.shown = now
        self.stream.write(f"\r\033[K{self.text()}" if self.live else self.text() + "\n")
        self.stream.flush()

    def end(self):
        """Leave the line of the terminal empty."""
        if self.live:
            self.stream.write("\r\033[K")
            self.stream.flush()


class Pool:
    """Runs what the cache lacks; all labs end when it does."""

    def __init__(self, lab, cache, workers=None, run_one=execute):
        self.lab = lab
        self.cache = cache
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
        self.cache.put(run, result)
        with self.lock:
            progress.ended(run)
        return result

    def run(self, runs, title, fresh=False, stream=sys.stderr):
        """name -> Result for all; RunFailed if any gave none (the others are kept)."""
        found = {} if fresh else {run.name: result for run in runs if (result := self.cache.get(run))}
        missing = [run for run in runs if run.name not in found]
        if found:
            print(f"{title}: {len(found)} of {len(runs)} runs are there already", file=stream, flush=True)
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
