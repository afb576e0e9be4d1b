# SPDX-License-Identifier: GPL-2.0
"""pyroute2 with the qdiscs cp, ecnsharp and onramp: options and statistics as the description for ynl has them.

    import pyroute2_sharpramp
    from pyroute2 import IPRoute

    pyroute2_sharpramp.register()
    with IPRoute() as ip:
        eth0 = ip.link_lookup(ifname="eth0")[0]
        ip.tc("replace", "ecnsharp", eth0, "1:", pst_target_ns=85_000, transport="dctcp")
        for qdisc in ip.get_qdiscs(eth0):
            print(qdisc.get_attr("TCA_STATS2").get_attr("TCA_STATS_APP"))

A keyword is an option's name in the description with "_" for "-". Its value is a number, or one of the names that the option has.
Attributes of messages have the names of the uapi headers, such as TCA_ECNSHARP_PST_TARGET_NS.
"""

import os
import types

import yaml
from pyroute2.netlink import NLA_F_NESTED, nla
from pyroute2.netlink.rtnl import TC_H_ROOT
from pyroute2.netlink.rtnl.tcmsg import common, plugins

# The description of the qdiscs, in an installed package or in the sources.
PLACES = ("/usr/share/doc/sharpramp-tools/examples/qdiscs.yaml",
          os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/netlink/qdiscs.yaml"))
ATTRIBUTES = {"u8": "uint8", "s8": "int8", "u32": "uint32", "u64": "uint64", "pad": "none", "nest": "nested"}
MEMBERS = {"u32": "I", "u64": "Q", "s64": "q"}
# Keywords of IPRoute.tc() that are not options.
OTHERS = {"info", "opts"}


class Kind(types.SimpleNamespace):
    """The members that pyroute2 requires of a plugin: parent, get_parameters(), and the classes options, stats and stats2."""


def _upper(name):
    return name.upper().replace("-", "_")


def _struct(name, spec):
    """The fields of a struct. Those of a struct in it have its member's name before theirs."""
    for member in next(each for each in spec["definitions"] if each["name"] == name)["members"]:
        field = member["name"].replace("-", "_")
        if "struct" in member:
            yield from ((f"{field}_{inner}", form) for inner, form in _struct(member["struct"], spec))
        else:
            yield field, MEMBERS.get(member["type"]) or f"{member['len']}s"


def _kind(name, spec):
    """The plugin of a qdisc."""
    attributes = next(each for each in spec["attribute-sets"] if each["name"] == f"{name}-attrs")["attributes"]
    values = {each["name"]: {word: number for number, word in enumerate(each["entries"], each.get("value-start", 0))}
              for each in spec["definitions"] if each["type"] == "enum"}
    options = {each["name"].replace("-", "_"): each for each in attributes if each["type"] not in ("pad", "nest")}
    prefix = f"TCA_{_upper(name)}_"

    def get_parameters(keywords):
        """The message's options; ValueError if one has no such name or value. The kernel holds them to their ranges."""
        attrs = []
        for key, value in keywords.items():
            if key in OTHERS:
                continue
            if key not in options:
                raise ValueError(f"{name} has no option {key}: one of {', '.join(sorted(options))}")
            words = values.get(options[key].get("enum"), {})
            if isinstance(value, str):
                if value not in words:
                    raise ValueError(f"{key} is {' or '.join(words) or 'a number'}, not {value}")
                value = words[value]
            attrs.append([f"{prefix}{key.upper()}", value])
        return {"attrs": attrs}

    members = {"prefix": prefix, "nla_flags": NLA_F_NESTED,
               "nla_map": ((f"{prefix}UNSPEC", "none"), *((f"{prefix}{_upper(each['name'])}", ATTRIBUTES[each["type"]]) for each in attributes))}
    members["nested"] = type("nested", (nla,), dict(members))
    stats = type("stats", (nla,), {"fields": tuple(_struct(f"tc-{name}-xstats", spec))})
    return Kind(parent=TC_H_ROOT, get_parameters=get_parameters, options=type("options", (nla,), members), stats=stats,
                stats2=type("stats2", (common.stats2,), {"stats_app": type("stats_app", (stats,), {})}))


def register(path=None):
    """Let pyroute2 know the qdiscs of a description, by default of the one that is installed; OSError if it cannot be read."""
    with open(path or next(filter(os.path.exists, PLACES), PLACES[0]), encoding="utf-8") as file:
        spec = yaml.safe_load(file)
    for message in spec["sub-messages"]:
        if message["name"] == "options":
            plugins.update({entry["value"]: _kind(entry["value"], spec) for entry in message["formats"] if "attribute-set" in entry})
