# SPDX-License-Identifier: GPL-2.0
"""onrampctl and a kernel with prepared answers: netlink_socket_fake.c. Bytes are made and read by the YAML's numbers."""

import os
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PARENT = os.path.dirname(HERE)
ROOT = os.path.dirname(os.path.dirname(PARENT))
sys.path[:0] = [os.path.join(ROOT, "selftests/consistency"), os.path.join(ROOT, "selftests/lib")]
# pylint: disable=wrong-import-position
from spec import SPEC, Spec  # noqa: E402

FAMILY, GROUP, CONTROL = 31, 9, 16
REQUEST, ACK, DUMP, MULTI, INTERRUPTED, CAPPED, TLVS = 1, 4, 0x300, 2, 0x10, 0x100, 0x200
ERROR, DONE = 2, 3
# The address sanitizer of gcc 12 finds no space under 32 random bits; a container may forbid setarch.
RUN = ["setarch", "-R"] if shutil.which("setarch") and not subprocess.call(["setarch", "-R", "true"], stderr=subprocess.DEVNULL) else []


def attr(kind, data):
    """An attribute by its number."""
    return struct.pack("=HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)


def message(kind, flags, payload):
    """A netlink message; number and port 0 answer any request."""
    return struct.pack("=IHHII", 16 + len(payload), kind, flags, 0, 0) + payload


def ack(error=0, text=None, offset=None, missing=None):
    """An acknowledgment, or a refusal with what the kernel says of it."""
    tlvs = b"" if text is None else attr(1, text.encode() + b"\0")
    tlvs += b"" if offset is None else attr(2, struct.pack("=I", offset))
    tlvs += b"" if missing is None else attr(5, struct.pack("=I", missing))
    return message(ERROR, CAPPED | (TLVS if tlvs else 0), struct.pack("=i", -error) + bytes(16) + tlvs)


def done(error=0):
    """The end of a dump."""
    return message(DONE, MULTI, struct.pack("=i", -error))


def family(group=True):
    """The family as the controller reports it."""
    groups = attr(0x8000 | 7, attr(0x8000 | 1, attr(2, struct.pack("=I", GROUP)) + attr(1, b"monitor\0")))
    body = attr(2, b"onramp\0") + attr(1, struct.pack("=H", FAMILY)) + (groups if group else b"")
    return [message(CONTROL, 0, struct.pack("=BBH", 1, 2, 0) + body), ack()]


def link(ifindex):
    """rtnetlink's answer about a device."""
    return [message(16, 0, struct.pack("=BBHiII", 0, 0, 1, ifindex, 0, 0)), ack()]


class Request:
    """Messages that the program sent."""

    def __init__(self, spec, data):
        size, self.kind, self.flags, self.number, port, cmd, version, reserved = struct.unpack_from("=IHHIIBBH", data)
        self.whole = size == len(data) and not port and not reserved and version == 1
        names = {o["value"]: name for name, o in spec.operations.items()}
        self.cmd = names.get(cmd, cmd) if self.kind == FAMILY else cmd
        self.attributes = spec.decode(data[20:]) if self.kind == FAMILY else data[20:]


class Ctl:
    """Runs the program; .requests, .code, .out and .err of the last run."""

    def __init__(self):
        with open(os.path.join(ROOT, SPEC), encoding="utf-8") as file:
            self.spec = Spec(file.read())
        self.program = os.path.join(os.environ["O"], "onrampctl-test")
        self.code, self.out, self.err, self.requests = None, "", "", []

    def reply(self, cmd, values, flags=0):
        """A message of the family."""
        return message(FAMILY, flags, struct.pack("=BBH", self.spec.operations[cmd]["value"], 1, 0) + self.spec.encode(values))

    def run(self, words, *answers, family_is=None, stdout=subprocess.PIPE):
        """Run the program; each answer is a list of datagrams, or of error numbers, for a request behind the first."""
        with tempfile.TemporaryDirectory() as folder:
            paths = {name: os.path.join(folder, name) for name in ("NL_ANSWERS", "NL_REQUESTS")}
            with open(paths["NL_ANSWERS"], "wb") as file:
                for answer in (family() if family_is is None else family_is, *answers):
                    file.write(struct.pack("=i", len(answer)))
                    for datagram in answer:
                        file.write(struct.pack("=i", -datagram) if isinstance(datagram, int)
                                   else struct.pack("=i", len(datagram)) + datagram)
            ended = subprocess.run([*RUN, self.program, *(words.split() if isinstance(words, str) else words)],
                                   stdout=stdout, stderr=subprocess.PIPE, text=True, check=False, env={**os.environ, **paths})
            self.code, self.out, self.err = ended.returncode, ended.stdout, ended.stderr
            self.requests = []
            if os.path.exists(paths["NL_REQUESTS"]):
                with open(paths["NL_REQUESTS"], "rb") as file:
                    while size := file.read(4):
                        self.requests.append(Request(self.spec, file.read(struct.unpack("=I", size)[0])))
        return self.code

    def outcome(self):
        """For a remark on a failure."""
        return f"status {self.code}\n{self.out}{self.err}"
