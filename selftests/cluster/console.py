# SPDX-License-Identifier: GPL-2.0
"""The operator's terminal on each machine. Commands and their output can be shown as comments of TAP."""

import json
import sys
import time


class Refused(Exception):
    """A command failed that must not; the text has it and its output."""


class Console:
    """Terminals of machines, by their names."""

    def __init__(self, hosts):
        self.hosts = hosts
        self.began = time.monotonic()

    def clock(self):
        """Minutes and seconds since the beginning."""
        seconds = int(time.monotonic() - self.began)
        return f"{seconds // 60}:{seconds % 60:02}"

    def tick(self):
        """Waiting is shown on a terminal."""
        if sys.stderr.isatty():
            print(f"\r{self.clock()} ...\r", end="", file=sys.stderr, flush=True)

    def say(self, text):
        """A line of what happens now."""
        print(f"#\n# {self.clock()} {text}", flush=True)

    @staticmethod
    def write(text):
        """A machine's output, or a table."""
        print("".join(f"#   {line}".rstrip() + "\n" for line in text.splitlines()), end="", flush=True)

    def up(self):
        """Wait until all machines are."""
        for name, host in self.hosts.items():
            host.hear(self.tick)
            self.write(f"{name} is up")

    def answer(self, name, command):
        """The output of the command that a machine ran."""
        status, output = self.hosts[name].hear(self.tick)
        if status:
            raise Refused(f"{name}# {command}\n{output}\nended with status {status}")
        return output

    def ask(self, name, command):
        """Run a command that must succeed; return its output."""
        self.hosts[name].tell(command)
        return self.answer(name, command)

    def json(self, name, command):
        """Output of a command, as JSON."""
        return json.loads(self.ask(name, command))

    def all(self, command, names=None):
        """A command for all machines, or some, which run it at the same time; {name: output}."""
        names = names or list(self.hosts)
        for name in names:
            self.hosts[name].tell(command)
        return {name: self.answer(name, command) for name in names}

    def show(self, name, command):
        """A command and its output, for the reader."""
        output = self.ask(name, command)
        self.write(f"{name}# {command}\n{output}")
        return output
