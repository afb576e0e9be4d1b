# SPDX-License-Identifier: GPL-2.0
"""Events of the kernel's tracing, in instances of its own: trace events, entries of functions, what is done while a lock is held."""

import os
import re


class Trace:
    """Trace events, those of onramp if no others are named, in an instance of tracefs of our own."""

    TOP = "/sys/kernel/tracing"

    def __init__(self, name=f"onramp-{os.getpid()}", events="events/onramp", filters=()):
        self.here, self.events = os.path.join(self.TOP, "instances", name), events
        self.exists = os.path.isdir(os.path.join(self.TOP, events))
        if self.exists:
            os.mkdir(self.here)
            for event, condition in filters:
                self.write(f"{events}/{event}/filter", condition)
            self.write(f"{events}/enable", "1")

    def write(self, name, text):
        """To a file of it."""
        with open(os.path.join(self.here, name), "w", encoding="ascii") as file:
            file.write(text)

    def lines(self, pattern):
        """Those with a match."""
        if not self.exists:
            return []
        with open(os.path.join(self.here, "trace"), encoding="ascii") as file:
            return [line for line in file if re.search(pattern, line)]

    def end(self):
        """Take it away."""
        if self.exists:
            self.write(f"{self.events}/enable", "0")
            os.rmdir(self.here)


class Probes:
    """Events where a function of the kernel's is entered, (name, function and what is fetched, filter) each, in an instance of tracefs of their own."""

    ALL = os.path.join(Trace.TOP, "kprobe_events")

    def __init__(self, *events):
        self.group, self.names, self.exists = f"onramp_{os.getpid()}", [name for name, _, _ in events], os.path.exists(self.ALL)
        if not self.exists:
            return
        for name, what, _ in events:
            self.tell(f"p:{self.group}/{name} {what}")
        self.trace = Trace(self.group, f"events/{self.group}", [(name, condition) for name, _, condition in events])

    def tell(self, line):
        """One more, or one less; the file has no end that Python could look for."""
        file = os.open(self.ALL, os.O_WRONLY | os.O_APPEND)
        os.write(file, line.encode())
        os.close(file)

    def count(self, name):
        """How often so far, as the filter has it."""
        return len(self.trace.lines(rf" {name}: \("))

    def entered(self, name):
        """Did anybody enter it at all, whatever the filter has?"""
        with open(os.path.join(Trace.TOP, "kprobe_profile"), encoding="ascii") as file:
            return any(int(line.split()[1]) for line in file if line.split()[0] == name)

    def end(self):
        """Take them away."""
        if self.exists:
            self.trace.end()
            for name in self.names:
                self.tell(f"-:{self.group}/{name}")


class Holds:
    """How many things a module frees by functions while it holds a spinlock that keeps softirqs off, in processes whose names begin so."""

    LOCK, UNLOCK = "_raw_spin_lock_bh", "_raw_spin_unlock_bh"

    def __init__(self, module, command, *frees):
        text = self.text(module) if os.path.exists(Probes.ALL) else []
        self.exists = bool(text)
        if not self.exists:
            return
        # A tail call hides the caller, so unlocks are matched by the command and the lock only.
        caller, by = "caller=+0($stack):x64", f'comm ~ "{command}*"'
        condition = f"{by} && caller >= {min(text):#x} && caller < {max(text) + 4096:#x}"
        self.probes = Probes(("locked", f"{self.LOCK} lock=%di:x64 {caller}", condition), ("unlocked", f"{self.UNLOCK} lock=%di:x64", by),
                             *((f"freed_{number}", f"{free} {caller}", condition) for number, free in enumerate(frees)))
        self.probes.trace.write("buffer_size_kb", "8192")

    def text(self, module):
        """Where the functions of a module are; nowhere if there are no such locks."""
        with open("/proc/kallsyms", encoding="ascii") as file:
            symbols = [line.split() for line in file]
        names = {name for _, kind, name, *_ in symbols if kind in "tT"}
        return [int(place, 16) for place, kind, _, *of in symbols if of == [f"[{module}]"] and kind in "tT"] if {self.LOCK, self.UNLOCK} <= names else []

    def totals(self):
        """The most at one time, and all of them; the holder of a lock keeps its CPU."""
        held, counts, freed = {}, [0], 0
        for line in self.probes.trace.lines(r" (?:(?:un)?locked|freed_\d): \("):
            cpu, event, lock = re.search(r"\[(\d+)\].* (\w+): \([^)]*\)(?: lock=(\w+))?", line).groups()
            if event == "locked":
                held[cpu] = [lock, 0]
            elif event == "unlocked":
                if held.get(cpu, [""])[0] == lock:
                    counts.append(held.pop(cpu)[1])
            else:
                freed += 1
                if cpu in held:
                    held[cpu][1] += 1
        return max(counts), freed

    def end(self):
        """Take them away."""
        self.probes.end()
