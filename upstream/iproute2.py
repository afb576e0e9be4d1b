# SPDX-License-Identifier: GPL-2.0
"""The series that adds the plugin of ecnsharp to iproute2, where it needs no plugin's copies of tc's declarations."""

import re

from . import adapt
from .linux import AUTHOR, before
from .series import Series

UAPI, MAKEFILE, COMPLETION = "include/uapi/linux/pkt_sched.h", "tc/Makefile", "bash-completion/tc"
TOUCHED = (UAPI, MAKEFILE, COMPLETION)
# Tables of parameters, which any qdisc may use.
TABLES = {f"tc/param{name}": path for name, path in (
    ("_attr.c", "tc-plugins/attr.c"), ("_attr.h", "tc-plugins/attr.h"), (".c", "tc-plugins/params.c"), (".h", "tc-plugins/params.h"),
    ("_print.c", "tc-plugins/print.c"), ("_print.h", "tc-plugins/print.h"), ("_units.c", "lib/units.c"), ("_units.h", "lib/units.h"),
    ("_hist.h", "kernel/algo/delay_hist.h"), ("_info.h", "kernel/algo/param_info.h"))}
NAMES = (("attr.h", "param_attr.h"), ("params.h", "param.h"), ("print.h", "param_print.h"), ("../lib/units.h", "param_units.h"),
         ("units.h", "param_units.h"), ("param_info.h", "param_info.h"), ("delay_hist.h", "param_hist.h"), ("port.h", "param_port.h"))

MESSAGES = {
    "uapi": """uapi: add ECN# to pkt_sched.h

From the series that adds the queue discipline to Linux.""",
    "tables": """tc: add tables of parameters

A queue discipline with many parameters repeats the parsing, checking,
dumping and printing of each.  Make them of one table, with the ranges
that the kernel checks.  Times and sizes are printed so that what tc
shows is what tc reads.""",
    "plugin": """tc: add the ECN# queue discipline

With its man page and completion.""",
}


def adapted(path):
    """A source as it is in tc/."""
    text = adapt.source(path)
    for was, now in NAMES:
        text = re.sub(rf'#include "{re.escape(was)}"', f'#include "{now}"', text)
    text = re.sub(r'#include "tc_plugin\.h"', '#include "utils.h"\n#include "tc_util.h"', text)
    text = re.sub(r"#include <linux/pkt_sch_ecnsharp\.h>", "#include <linux/pkt_sched.h>", text)
    text = re.sub(r"#include <linux/onramp\.h>\n", "", text).replace("ONRAMP_NS_NONE", "PARAM_NS_NONE")
    text = text.replace("#define ARRAY_SIZE(a)\t(sizeof(a) / sizeof((a)[0]))\n", '#include "utils.h"\n')
    text = text.replace("TC_REQUEST_MAX", "PARAM_REQUEST_MAX")
    text = re.sub(r"\bSHARPRAMP_(?:TC_|ALGO_|LIB_)?(\w+_H)\b", r"__TC_\1", text)
    text = text.replace("TC_PLUGIN_EXPORT ", "").replace("/* Not const: tc writes ->next. */\nextern struct qdisc_util ecnsharp_qdisc_util;\n", "")
    text = re.sub(r"kernel/algo/(?:NAME|ecnsharp)_params\.h", "ecnsharp_params.h", text).replace("lib/units.h", "param_units.h")
    return text


def port():
    """Definitions of the kernel that its parameter header needs in user space."""
    text = adapt.source("kernel/algo/port.h")
    body = text.partition("#else /* user space */\n")[2].partition("#endif /* __KERNEL__ */")[0].strip("\n")
    return f"""/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions of the kernel that a header shared with it needs
 */
#ifndef __TC_PARAM_PORT_H
#define __TC_PARAM_PORT_H

{body}

#endif /* __TC_PARAM_PORT_H */
"""


def tables():
    """The files of the tables."""
    found = {name: adapted(path) for name, path in TABLES.items()}
    found["tc/param.h"] = found["tc/param.h"].replace("/* Longest name", "/* A time that is not known. */\n#define PARAM_NS_NONE\t0x8000000000000000ULL\n\n/* Longest name", 1)
    found["tc/param_attr.h"] = found["tc/param_attr.h"].replace("/**\n * attr_nest()", "/* Bytes of the request that tc makes. */\n#define PARAM_REQUEST_MAX\t(64 * 1024)\n\n/**\n * attr_nest()", 1)
    return found | {"tc/param_port.h": port()}


def plugin():
    """The plugin, with its rows of the file that has all qdiscs' rows here."""
    kinds = adapt.source("tc-plugins/kinds.c")
    found = re.search(r"^/\* Numbers that never fall.*?(?=^static const struct param onramp_param)", kinds, re.M | re.S)
    if not found:
        raise adapt.Unknown("tc-plugins/kinds.c: the rows of ecnsharp are not where they were")
    rows = found[0].replace("const struct param_kind ecnsharp_kind", "static const struct param_kind ecnsharp_kind")
    text = adapted("tc-plugins/q_ecnsharp.c").replace('#include "kinds.h"\n', '#include "param.h"\n#include "param_hist.h"\n')
    text = text.replace("#include <stddef.h>\n", "#include <assert.h>\n#include <stddef.h>\n", 1)
    return text.replace("static struct param_values ecnsharp_values(", f"{rows}static struct param_values ecnsharp_values(", 1)


def page():
    """The man page, of another package."""
    text = adapt.source("tc-plugins/tc-ecnsharp.8").replace('"sharpramp"', '"iproute2"')
    text = text.replace(", as\n.BR ecnsharp\\-mq (8)\ndoes it:\n", ":\n").replace(".BR tc-mqprio (8),\n.BR ecnsharp\\-mq (8)\n", ".BR tc-mqprio (8)\n")
    left = re.search(r"sharpramp|ecnsharp\\?-mq", text)
    if left:
        raise adapt.Unknown(f"tc-ecnsharp.8: {left[0]} has no counterpart in iproute2")
    return text


def write(tree, out):
    """Write the series for a tree into a folder."""
    with Series(tree, AUTHOR, TOUCHED) as series:
        series.patch(MESSAGES["uapi"], {UAPI: re.sub(r"#endif\n\Z", lambda end: f"{adapt.uapi('ecnsharp')}\n{end[0]}", series.read(UAPI))})
        objects = "".join(f"TCLIB += param{name}.o\n" for name in ("", "_attr", "_print", "_units"))
        series.patch(MESSAGES["tables"], tables() | {MAKEFILE: before(series.read(MAKEFILE), r"^TCLIB \+= tc_red\.o$", objects)})
        series.patch(MESSAGES["plugin"], {
            "tc/q_ecnsharp.c": plugin(), "tc/ecnsharp_params.h": adapted("kernel/algo/ecnsharp_params.h"), "man/man8/tc-ecnsharp.8": page(),
            MAKEFILE: before(series.read(MAKEFILE), r"^TCMODULES \+= q_plug\.o$", "TCMODULES += q_ecnsharp.o\n"),
            COMPLETION: series.read(COMPLETION).replace("prio qfq dualpi2'", "prio qfq dualpi2 ecnsharp'", 1)})
        series.save(out, "PATCH iproute2-next", """tc: the queue discipline ECN#

The user space side of the series that adds sch_ecnsharp to Linux.  Its
parameters, ranges and messages are those of the table that the kernel has.
""")
