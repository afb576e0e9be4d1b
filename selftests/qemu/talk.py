# SPDX-License-Identifier: GPL-2.0
"""A machine that runs commands, as a remote shell: a command a line goes in, its output comes out.

The guest's part is a loop that prints, after each command and once before the first, a line "finished N", N the status.
"""

import queue
import re
import threading

from machine import MachineError, Running

DONE = re.compile(r"finished (\d+)$")


class Host(Running):
    """A machine that is talked to."""

    def __init__(self, *given):
        super().__init__(*given, talk=True)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        """Keep what it prints until somebody asks; the last is None."""
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def hear(self, tick=lambda: None):
        """Wait until what it does is done; return (status, output). tick() is called each second without output."""
        lines = []
        while True:
            try:
                line = self.lines.get(timeout=1)
            except queue.Empty:
                tick()
                if self.late():
                    raise MachineError(f"{self.late()}; its output: {''.join(lines)}") from None
                continue
            if line is None:
                raise MachineError(f"the machine is off; its output: {''.join(lines)}")
            match = DONE.match(line)
            if match:
                return int(match[1]), "".join(lines).rstrip("\n")
            lines.append(line)

    def tell(self, command):
        """Have it do something; hear() says how that went."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
