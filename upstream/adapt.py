# SPDX-License-Identifier: GPL-2.0
"""C files of this project as they are in the kernel's own tree: one version of the kernel, its names, its folders."""

import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Replacements of kernel/compat by the newest kernel's own functions. A name of compat that is not here stops the series.
COMPAT = (
    (r"(#include <linux/skbuff\.h>\n)\n#include \"compat/compat\.h\"", r"\1#include <net/gso.h>\n#include <net/sch_generic.h>"),
    (r"\n#include \"compat/compat\.h\"", ""),
    (r"\tcompat_qdisc_segment\(skb\);", "\tqdisc_skb_cb(skb)->pkt_len = skb->len;\n\tqdisc_skb_cb(skb)->pkt_segs = 1;"),
    (r"\treturn compat_qdisc_drop_overlimit\(skb, sch, to_free\);",
     "\tqdisc_qstats_overlimit(sch);\n\treturn qdisc_drop_reason(skb, sch, to_free, QDISC_DROP_OVERLIMIT);"),
    (r"compat_qdisc_dequeue_drops\(sch\);", "sch->flags |= TCQ_F_DEQUEUE_DROPS;"),
    (r"compat_qdisc_dequeue_drop\(sch, skb\);", "qdisc_dequeue_drop(sch, skb, QDISC_DROP_CONGESTED);"),
    (r"compat_qdisc_sent_bytes\(sch\)", "u64_stats_read(&sch->bstats.bytes)"),
    (r"compat_extack_set\(", "param_nl_message("),
    (r"COMPAT_UNTRIED_PARAM\(\);\n\n", ""),
    (r"\tuntried = compat_warn_untried\(KBUILD_MODNAME\);\n", ""),
)

# Headers are next to the qdisc there, and uapi is in one file.
PLACES = (
    (r"#include \"algo/", '#include "'),
    (r"#include <linux/pkt_sch_ecnsharp\.h>\n", ""),
    (r"kernel/algo/(ecnsharp\.h|NAME_params\.h)", r"\1"),
    (r"\bSHARPRAMP_(?:ALGO_)?(\w+_H)\b", r"__NET_SCHED_\1"),
)


class Unknown(Exception):
    """A source has something that has no counterpart in the kernel's tree; the text says what."""


def source(path):
    """The text of a file of this project."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def _between(text, first, last):
    """The text between two lines."""
    return text.partition(f"{first}\n")[2].partition(f"{last}\n")[0].strip("\n")


def _message():
    """The function that gives the user a message which is no literal, under the name of the file that has it."""
    found = re.search(r"/\*\*\n \* compat_extack_set\(\).*?\n}\n", source("kernel/compat/compat.h"), re.S)
    return found[0].replace("compat_extack_set(struct netlink_ext_ack *extack,\n\t\t\t\t     const char *msg)",
                            "param_nl_message(struct netlink_ext_ack *extack,\n\t\t\t\t    const char *msg)").replace("compat_extack_set()", "param_nl_message()")


def kernel(path):
    """A source as it is in net/sched."""
    text = source(path)
    port = _between(source("kernel/algo/port.h"), "#ifdef __KERNEL__", "#else /* user space */")
    text = text.replace('#include "port.h"', port)
    if path.endswith("param_nl.h"):
        text = text.replace("/**\n * param_get()", f"{_message()}\n/**\n * param_get()", 1)
    for pattern, into in (*PLACES, *COMPAT):
        text = re.sub(pattern, into, text)
    text = re.sub(r"(#include <[^\n]*>\n)\n\n+(#include|/)", r"\1\n\2", text)
    left = re.search(r"\w*(?:compat|sharpramp)\w*", text, re.I)
    if left:
        raise Unknown(f"{path}: {left[0]} has no counterpart in the kernel")
    return text


def uapi(name):
    """The body of a uapi header, between its includes and its end."""
    text = source(f"kernel/include/uapi/linux/pkt_sch_{name}.h")
    body = _between(text, "#include <linux/types.h>", f"#endif /* _UAPI_LINUX_PKT_SCH_{name.upper()}_H */")
    return f"/* {name.upper()} */\n\n{body}\n"
