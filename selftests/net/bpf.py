# SPDX-License-Identifier: GPL-2.0
"""BPF programs at the egress of a device: departure times, as bandwidth managers give them; forged marks."""

import ctypes
import os
import platform
import socket
import struct

SYS_BPF = {"x86_64": 321, "aarch64": 280}
BPF_PROG_LOAD, BPF_PROG_TYPE_SCHED_CLS = 5, 3
KTIME_GET_NS = 5
# offsetof(struct __sk_buff, ...)
SKB_QUEUE_MAPPING, SKB_PRIORITY, SKB_CB_4, SKB_TSTAMP = 12, 32, 64, 152
RTM_NEWTFILTER = 44
NLM_F_REQUEST, NLM_F_ACK, NLM_F_EXCL, NLM_F_CREATE = 0x1, 0x4, 0x200, 0x400
TC_H_CLSACT_EGRESS = 0xFFFFFFF3
TCA_KIND, TCA_OPTIONS, TCA_BPF_FD, TCA_BPF_NAME, TCA_BPF_FLAGS = 1, 2, 6, 7, 8
TCA_BPF_FLAG_ACT_DIRECT = 1
ETH_P_ALL = 0x0003


def instruction(code, to=0, source=0, offset=0, value=0):
    """One instruction."""
    return struct.pack("=BBhi", code, to | source << 4, offset, value)


def later(delay_ns):
    """skb->tstamp = bpf_ktime_get_ns() + delay_ns; return TC_ACT_OK."""
    return b"".join((
        instruction(0xbf, 6, 1),                        # r6 = r1
        instruction(0x85, value=KTIME_GET_NS),
        instruction(0x07, 0, value=delay_ns),           # r0 += delay_ns
        instruction(0x7b, 6, 0, SKB_TSTAMP),            # *(u64 *)(r6 + SKB_TSTAMP) = r0
        instruction(0xb7, 0),                           # r0 = 0
        instruction(0x95)))


def forge():
    """skb->cb[4] = skb->priority; skb->queue_mapping = skb->priority ? 2 : 1; return TC_ACT_OK."""
    return b"".join((
        instruction(0x61, 2, 1, SKB_PRIORITY),          # r2 = *(u32 *)(r1 + SKB_PRIORITY)
        instruction(0x63, 1, 2, SKB_CB_4),              # *(u32 *)(r1 + SKB_CB_4) = r2
        instruction(0xb7, 3, value=1),                  # r3 = 1
        instruction(0x15, 2, offset=1),                 # if (!r2) goto +1
        instruction(0xb7, 3, value=2),                  # r3 = 2
        instruction(0x63, 1, 3, SKB_QUEUE_MAPPING),     # *(u32 *)(r1 + SKB_QUEUE_MAPPING) = r3
        instruction(0xb7, 0),                           # r0 = 0
        instruction(0x95)))


def load(program):
    """Give the kernel a program; its descriptor."""
    code = ctypes.create_string_buffer(program, len(program))
    license_text = ctypes.create_string_buffer(b"GPL")
    attr = struct.pack("=IIQQ", BPF_PROG_TYPE_SCHED_CLS, len(program) // 8, ctypes.addressof(code),
                       ctypes.addressof(license_text)).ljust(72, b"\0")
    libc = ctypes.CDLL(None, use_errno=True)
    number = SYS_BPF.get(platform.machine())
    if number is None:
        raise OSError(f"the number of bpf() on {platform.machine()} is not known here")
    fd = libc.syscall(ctypes.c_long(number), BPF_PROG_LOAD, ctypes.create_string_buffer(attr, len(attr)), len(attr))
    if fd < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return fd


def attribute(kind, data):
    """Encode one attribute, padded to four bytes."""
    return struct.pack("=HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)


def attach(dev, fd):
    """Have a program see what leaves by a device that has a clsact."""
    options = (attribute(TCA_BPF_FD, struct.pack("=I", fd)) + attribute(TCA_BPF_NAME, b"later\0") +
               attribute(TCA_BPF_FLAGS, struct.pack("=I", TCA_BPF_FLAG_ACT_DIRECT)))
    body = struct.pack("=BxxxiIII", socket.AF_UNSPEC, socket.if_nametoindex(dev), 0, TC_H_CLSACT_EGRESS,
                       1 << 16 | socket.htons(ETH_P_ALL))
    body += attribute(TCA_KIND, b"bpf\0") + attribute(TCA_OPTIONS, options)
    flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_EXCL | NLM_F_CREATE
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as sock:
        sock.bind((0, 0))
        sock.sendto(struct.pack("=IHHII", 16 + len(body), RTM_NEWTFILTER, flags, 1, 0) + body, (0, 0))
        error = -struct.unpack_from("=i", sock.recv(65536), 16)[0]
    if error:
        raise OSError(error, os.strerror(error))
