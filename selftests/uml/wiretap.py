# SPDX-License-Identifier: GPL-2.0
"""Netlink messages that a command of tc sends to the kernel, taken with ptrace as it sends them.

For the x86-64 guests of the lab; no other ptrace is spoken.
"""

import ctypes
import errno
import os
import signal
import struct

# <sys/ptrace.h>
TRACEME, PEEKUSER, SYSCALL, SETOPTIONS = 0, 3, 24, 0x4200
OPTIONS = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x100000   # sysgood, fork, vfork, clone, exec, exitkill
WALL = 0x40000000
# struct user_regs_struct
RAX, RDX, RSI, ORIG_RAX = 80, 96, 104, 120
SENDTO, SENDMSG = 44, 46

# RTM_NEWQDISC to RTM_DELTCLASS, without that which asks for classes
TELLS = (36, 37, 38, 40, 41)

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.restype = ctypes.c_long
LIBC.ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)


def ptrace(request, pid, address=0, data=0):
    """Make the system call; raise OSError."""
    ctypes.set_errno(0)
    result = LIBC.ptrace(request, pid, address, data)
    if result == -1 and ctypes.get_errno():
        raise OSError(ctypes.get_errno(), f"ptrace: {os.strerror(ctypes.get_errno())}")
    return result


def message_at(pid, call):
    """Read what a process that stands before a send is about to send, in one piece as tc does it."""
    start, length = ptrace(PEEKUSER, pid, RSI), ptrace(PEEKUSER, pid, RDX)
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        if call == SENDMSG:
            pieces = struct.unpack("=QQ", os.pread(memory.fileno(), 16, start + 16))
            if pieces[1] != 1:
                return b""
            start, length = struct.unpack("=QQ", os.pread(memory.fileno(), 16, pieces[0]))
        return os.pread(memory.fileno(), length, start)


def look(pid, messages):
    """At a stop before a system call: keep the message if it is one."""
    call = ptrace(PEEKUSER, pid, ORIG_RAX)
    if call not in (SENDTO, SENDMSG) or ptrace(PEEKUSER, pid, RAX) != -errno.ENOSYS:
        return
    message = message_at(pid, call)
    if len(message) >= 16 and struct.unpack_from("=H", message, 4)[0] in TELLS:
        messages.append(message)


def start(command):
    """Start a command that is stopped until it is continued; return its process."""
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        ptrace(SETOPTIONS, pid, 0, OPTIONS)
        return pid
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        ptrace(TRACEME, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        os.execvp(command[0], command)
    finally:
        os._exit(127)


def messages(command):
    """Run a command; return (its exit status, what it and its children sent to the kernel's tc, in order)."""
    messages = []
    first = stopped = start(command)
    hand_on = 0
    while True:
        ptrace(SYSCALL, stopped, 0, hand_on)
        hand_on = 0
        stopped, status = os.waitpid(-1, WALL)
        while os.WIFEXITED(status) or os.WIFSIGNALED(status):
            if stopped == first:
                return os.waitstatus_to_exitcode(status), messages
            stopped, status = os.waitpid(-1, WALL)
        stop = os.WSTOPSIG(status)
        if stop == signal.SIGTRAP | 0x80:
            look(stopped, messages)
        elif stop not in (signal.SIGTRAP, signal.SIGSTOP):      # not ptrace's own, so the process's
            hand_on = stop
