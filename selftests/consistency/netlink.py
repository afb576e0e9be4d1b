#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The generic netlink family "onramp", described in many places: are the descriptions the same?

Compared are docs/netlink/onramp.yaml, the uapi headers, and the policies and operations of core. The YAML is also held against
the kernel's schema, and core's policies against those that the kernel's generator makes of it. docs/netlink/qdiscs.yaml is made
again, and compared. Output is TAP; the status is 0 if everything agrees.
"""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from parameters import ROOT, Tap, differ  # noqa: E402
import ynl  # noqa: E402
from spec import SIZES, SPEC, Broken, Spec  # noqa: E402

QDISCS = "docs/netlink/qdiscs.yaml"
UAPI = "kernel/include/uapi/linux/onramp.h"
WIRE = "kernel/include/uapi/linux/onramp_wire.h"
GENL = "kernel/core/genl.c"
HEADERS = {None: UAPI, "linux/onramp_wire.h": WIRE}

# Which the YAML needs, and the header does not.
OPPOSITES = {"range-drift-min": "range-drift-max", "range-bias-min-ns": "range-bias-max-ns"}

# The kernel's macros, as far as the policies use them, as rows that can be read again.
POLICY = r"""
#define NLA_POLICY_RANGE(type, lo, hi) <type, (lo), (hi)>
#define NLA_POLICY_MIN(type, lo) <type, (lo), None>
#define NLA_POLICY_MAX(type, hi) <type, None, (hi)>
#define NLA_POLICY_FULL_RANGE(type, range) <type, range, range>
#define NLA_POLICY_FULL_RANGE_SIGNED(type, range) <type, range, range>
#define ONRAMP_RANGE_DRIFT_MIN -ONRAMP_RANGE_DRIFT_MAX
#define ONRAMP_RANGE_BIAS_MIN_NS -ONRAMP_RANGE_BIAS_MAX_NS
#define S32_MAX 2147483647
#define U32_MAX 4294967295
"""


def upper(prefix, name):
    """As an enum in C has it."""
    return (prefix + name).upper().replace("-", "_")


class Facts:
    """Subject of all checks."""

    def __init__(self, root):
        self.root = root
        self.spec = Spec(self.text(SPEC))
        self.numbers = {}

    def text(self, path):
        """Content of a file, by its path below the root."""
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    def block(self, path, head):
        """Text between the line head and the closing brace in the first column."""
        match = re.search(rf"^{re.escape(head)}\n(.*?)^\}}", self.text(path), re.M | re.S)
        if not match:
            raise Broken(f"{path}: no {head}")
        return match.group(1)

    def enum(self, path, name):
        """{constant: number} of an enum, as C counts."""
        found, value = {}, -1
        for constant, given in re.findall(r"^\t(\w+)(?: = (\d+))?,", self.block(path, f"enum {name} {{"), re.M):
            value = int(given) if given else value + 1
            found[constant] = value
        return found

    def comments(self, path, kind, name):
        """{member: comment} of the kernel-doc of a struct or enum."""
        match = re.search(rf"/\*\*\n \* {kind} {name} - (.*?)\*/", self.text(path), re.S)
        found, member = {}, None
        for line in (match.group(1) if match else "").splitlines()[1:]:
            entry = re.match(r" \* @(\w+): (.*)", line)
            if entry:
                member = entry.group(1)
                found[member] = entry.group(2)
            elif member and line.strip(" *"):
                found[member] += " " + line.strip(" *")
        return found

    def preprocessed(self, text):
        """The tables of a source such as genl.c in one line, with macros expanded."""
        tables = re.findall(r"^(?:#define ONRAMP_.*?[^\\]$|(?:static )?(?:const )?struct (?:netlink_range_validation|nla_policy|genl_)"
                            r".*?^\};|struct genl_family.*?^\};)", text, re.M | re.S)
        includes = "".join(f'#include "{path}"\n' for path in ("linux/onramp.h",))
        done = subprocess.run(["cc", "-E", "-P", "-I" + os.path.join(self.root, "kernel/include/uapi"), "-x", "c", "-"],
                              input=includes + POLICY + "@@@\n" + "\n".join(tables), capture_output=True, text=True, check=False)
        if done.returncode:
            raise Broken(f"{GENL} does not expand: {done.stderr}")
        return re.sub(r"\s+", " ", done.stdout.split("@@@")[1])

    def number(self, text, ranges, which):
        """A limit of a policy: a constant expression, or a struct with one."""
        text = text.strip()
        if text.startswith("&"):
            return ranges[text[1:]].get(which)
        if text == "None":
            return None
        for path, enums in ((UAPI, ("onramp_clock_base", "onramp_event", "onramp_follow")), (WIRE, ("onramp_clock_id", "onramp_stamp"))):
            for enum in enums:
                for name, value in self.enum(path, enum).items():
                    text = re.sub(rf"\b{name}\b", str(value), text)
        text = re.sub(r"(?<=\d)(?:U?LL|UL|U|L)\b", "", text)
        if not re.fullmatch(r"[\d\s()+*<-]+", text):
            raise Broken(f"not a number: {text}")
        return eval(text)  # pylint: disable=eval-used # digits and operators only

    def policies(self, text):
        """{name of a policy: {attribute: (type, least, most)}} of such a source."""
        text = self.preprocessed(text)
        ranges = {}
        for name, body in re.findall(r"netlink_range_validation\w* (\w+) = \{(.*?)\};", text):
            ranges[name] = {which: self.number(value, {}, which) for which, value in re.findall(r"\.(min|max) = ([^,}]*)", body)}
            ranges[name].setdefault("min", 0)
        found = {}
        for name, body in re.findall(r"struct nla_policy (\w+)\[[^]]*\] = \{(.*?)\};", text):
            found[name] = {}
            for attribute, kind, least, most in re.findall(r"\[(\w+)\] = <(\w+), (.*?), ([^>]*)>", body):
                found[name][attribute] = (kind, self.number(least, ranges, "min"), self.number(most, ranges, "max"))
            for attribute, kind, most in re.findall(r"\[(\w+)\] = \{ \.type = (\w+)(?:, \.len = ([^,}]+))?", body):
                found[name][attribute] = (kind, None, self.number(most, ranges, "max") if most else None)
        return found

    def operations(self):
        """{command: its row's text} of the family."""
        text = self.preprocessed(self.text(GENL))
        rows = re.search(r"struct genl_(?:small_|split_)?ops \w+\[\] = \{(.*?)\};", text)
        if not rows:
            raise Broken(f"{GENL}: no operations")
        return {re.search(r"\.cmd = (\w+)", row).group(1): row for row in re.findall(r"\{ (\.cmd.*?) \}", rows.group(1))}


def reads(f):
    """The YAML can be read, and names nothing that is not there."""
    bad = []
    spec = f.spec
    for name, entry in spec.attributes.items():
        for key, known in (("enum", spec.enums), ("struct", spec.structs), ("nested-attributes", spec.sets)):
            if entry.get(key, None) is not None and entry[key] not in known:
                bad.append(f"{name}: no {key} {entry[key]}")
        for which, limit in entry.get("checks", {}).items():
            if which in ("min", "max") and spec.limit(name, which) is None:
                bad.append(f"{name}: {which} {limit} is no number")
    for name, entry in spec.sets.items():
        bad += [f"{name}: no attribute {a['name']}" for a in entry["attributes"] if a["name"] not in spec.attributes]
    for name, operation in spec.operations.items():
        for part in ("do", "dump", "event"):
            declared = operation.get(part, {})
            lists = [declared.get("attributes", [])] + [declared.get(way, {}).get("attributes", []) for way in ("request", "reply")]
            bad += [f"{name}: no attribute {a}" for names in lists for a in names if a not in spec.attributes]
    return bad


def attributes(f):
    """Names and numbers."""
    prefix = f.spec.sets["onramp"]["name-prefix"]
    enum = {name: value for name, value in f.enum(UAPI, "onramp_attr").items() if not name.startswith("__")}
    return differ("attribute", enum.items(), {upper(prefix, name): a["value"] for name, a in f.spec.attributes.items()}.items())


def types(f):
    """The header's comments say the width of each."""
    comments = re.findall(r"^\tONRAMP_A_(\w+),[ \t]*/\* (.*?) \*/", f.block(UAPI, "enum onramp_attr {"), re.M)
    bad = differ("comment of the width", {upper("", name) for name in f.spec.attributes}, {name for name, _ in comments})
    for name, documented in comments:
        entry = f.spec.attributes.get(name.lower().replace("_", "-"), {"type": None})
        wanted = {"nest": "nest", "be16": "u16", "4": "binary", "16": "binary", "struct": "binary"}.get(re.match(r"\w+", documented).group(0),
                                                                                        documented.split(",")[0])
        if wanted != entry["type"] or (documented.startswith("be16")) != ("byte-order" in entry):
            bad.append(f"{name}: the header says {documented}, the YAML {entry['type']}")
        if documented.startswith("struct") and "struct onramp_" + str(entry.get("struct")).replace("-", "_") != documented.split(",")[0]:
            bad.append(f"{name}: the header says {documented}, the YAML {entry.get('struct')}")
        enum = re.search(r"enum onramp_(\w+)", documented)
        if (enum.group(1).replace("_", "-") if enum else None) != entry.get("enum"):
            bad.append(f"{name}: the header says {documented}, the YAML enum {entry.get('enum')}")
    return bad


def commands(f):
    """Names and numbers."""
    prefix = f.spec.tree["operations"]["name-prefix"]
    enum = {name: value for name, value in f.enum(UAPI, "onramp_cmd").items() if not name.startswith("__")}
    return differ("command", enum.items(), {upper(prefix, name): o["value"] for name, o in f.spec.operations.items()}.items())


def enums(f):
    """Names, numbers and comments of the others."""
    bad = []
    for name, entry in f.spec.enums.items():
        path, enum = HEADERS[entry.get("header")], entry["enum-name"].replace("-", "_")
        prefix = entry["name-prefix"]
        declared = {upper(prefix, e): value for e, value in f.spec.entries(name).items()}
        found = f.enum(path, enum)
        bad += differ(f"enum {name}", found.items(), declared.items())
        comments = {upper(prefix, e["name"]): e.get("doc") for e in entry["entries"]}
        bad += differ(f"comment of {name}", f.comments(path, "enum", enum).items(), comments.items())
    return bad


def structs(f):
    """Members, their order, types and comments."""
    bad = []
    for name, members in f.spec.structs.items():
        struct = "onramp_" + name.replace("-", "_")
        declared = [(m["type"], m["name"].replace("-", "_")) for m in members]
        found = [(kind, member) for kind, member in re.findall(r"^\t__(\w+)\t(\w+);", f.block(UAPI, f"struct {struct} {{"), re.M)]
        bad += differ(f"member of {name}", found, declared)
        if found != declared:
            bad.append(f"{name}: another order")
        bad += differ(f"comment of {name}", f.comments(UAPI, "struct", struct).items(),
                      {m["name"].replace("-", "_"): m.get("doc") for m in members}.items())
    return bad


def names(f):
    """The names of the family, its version, its group and its ranges are those of the YAML."""
    defines = dict(re.findall(r'^#define (ONRAMP_\w+)\s+"?([\w]+)"?', f.text(UAPI), re.M))
    tree = f.spec.tree
    bad = []
    for what, documented in (("c-family-name", tree["name"]), ("c-version-name", str(tree["version"]))):
        if defines.get(upper("", tree[what])) != documented:
            bad.append(f"{what}: the header has {defines.get(upper('', tree[what]))}, the YAML {documented}")
    if f.spec.groups != [defines.get("ONRAMP_GENL_MONITOR")]:
        bad.append(f"groups: {f.spec.groups}")
    ranges = {name: int(value) for name, value in defines.items() if name.startswith("ONRAMP_RANGE_")}
    declared = {upper("onramp-", name): value for name, value in f.spec.consts.items() if name not in OPPOSITES}
    bad += [f"{name} is not the opposite of {of}" for name, of in OPPOSITES.items() if f.spec.consts[name] != -f.spec.consts[of]]
    return bad + differ("range", ranges.items(), declared.items())


def documented_policy(f, command):
    """{attribute: (type, least, most)} that a request takes, by the YAML."""
    found = {}
    for name in f.spec.operations[command].get("do", {}).get("request", {}).get("attributes", []):
        entry = f.spec.attributes[name]
        kind = "NLA_NUL_STRING" if entry["type"] == "string" else "NLA_" + entry["type"].upper()
        checks = entry.get("checks", {})
        limits = ("min-len", "max-len") if kind in ("NLA_BINARY", "NLA_NUL_STRING") else ("min", "max")
        least, most = (f.spec.limit(name, limit) for limit in limits)
        if "enum" in entry and not checks:
            least, most = min(f.spec.entries(entry["enum"]).values()), max(f.spec.entries(entry["enum"]).values())
        found[upper("onramp-a-", name)] = (kind, least, most)
    return found


def same(kind, one, other):
    """Do two limits let the same numbers through?"""
    bits = {"NLA_" + name.upper(): 8 * {"B": 1, "H": 2, "I": 4, "Q": 8, "i": 4, "q": 8}[form] for name, form in SIZES.items()}
    ends = (-2**63, 2**63 - 1) if kind == "NLA_S64" else (0, 2**bits.get(kind, 64) - 1)
    return all((ends[i] if one[i] is None else one[i]) == (ends[i] if other[i] is None else other[i]) for i in (0, 1))


def core_policies(f):
    """{command: its policy in core's genl.c}"""
    tables = f.policies(f.text(GENL))
    rows = f.operations()
    found = {}
    for command in f.spec.operations:
        table = re.search(r"\.policy = (\w+)", rows.get(upper("onramp-cmd-", command), ""))
        found[command] = tables.get(table.group(1), {}) if table else {}
    return found


def policies(f):
    """Which attributes a request takes, of which type and range, in core's genl.c."""
    bad = []
    for command, found in core_policies(f).items():
        declared = documented_policy(f, command)
        bad += differ(f"policy of {command}", found, declared)
        for attribute in sorted(set(found) & set(declared)):
            if found[attribute][0] != declared[attribute][0] or not same(declared[attribute][0], found[attribute][1:], declared[attribute][1:]):
                bad.append(f"{command}, {attribute}: core has {found[attribute]}, the YAML {declared[attribute]}")
    return bad


def schema(f):
    """The kernel's schema for such files has nothing against it."""
    return ynl.complaints(f.text(SPEC))


def generated(f):
    """The kernel's generator makes core's policies of it; but for lengths, of which it can do no range."""
    source, bad = ynl.policies(f.text(SPEC))
    if bad:
        return bad
    tables = f.policies(source)
    for command, found in core_policies(f).items():
        declared = tables.get(f"onramp_{command.replace('-', '_')}_nl_policy", {})
        bad += differ(f"generated policy of {command}", found, declared)
        for attribute in sorted(set(found) & set(declared)):
            kind, least, most = found[attribute]
            if kind != declared[attribute][0] or not same(kind, (least, most) if kind != "NLA_BINARY" else (None, None), declared[attribute][1:]):
                bad.append(f"{command}, {attribute}: core has {found[attribute]}, the generator {declared[attribute]}")
    return bad


def operations(f):
    """Core's commands, their privileges, and whether they dump."""
    declared, found = {}, {}
    for name, operation in f.spec.operations.items():
        if "do" in operation or "dump" in operation:
            declared[upper("onramp-cmd-", name)] = ("do" in operation, "dump" in operation, "uns-admin-perm" in operation.get("flags", []))
    for command, row in f.operations().items():
        found[command] = (".doit" in row, ".dumpit" in row, "GENL_UNS_ADMIN_PERM" in row)
    return differ("operation", found.items(), declared.items())


def qdiscs(f):
    """docs/netlink/qdiscs.yaml is what its script makes, and the kernel's schema has nothing against it."""
    text = f.text(QDISCS)
    made = subprocess.run([os.path.join(f.root, "scripts/netlink-description")], check=True, capture_output=True, text=True).stdout
    bad = [] if text == made else [f"{QDISCS} differs: scripts/netlink-description >{QDISCS}"]
    broken = text.replace("max: 1000000\n", "max: -1\n", 1)
    return bad + ynl.complaints(text) + ([] if broken != text and ynl.complaints(broken) else [f"a range of {QDISCS} below 0 is not noticed"])


CHECKS = (
    ("reads", reads),
    ("attributes", attributes),
    ("types", types),
    ("commands", commands),
    ("enums", enums),
    ("structs", structs),
    ("names", names),
    ("schema", schema),
    ("policies", policies),
    ("operations", operations),
    ("generated", generated),
    ("qdiscs", qdiscs),
)


def check(root):
    """{name of a check: complaints}"""
    try:
        facts = Facts(root)
    except (Broken, KeyError) as why:
        return {name: [f"{SPEC}: {why}"] for name, _ in CHECKS}
    result = {}
    for name, function in CHECKS:
        try:
            result[name] = function(facts)
        except (Broken, KeyError, ynl.Missing) as why:
            result[name] = [str(why)]
    return result


def main():
    tap = Tap()
    for name, complaints in check(ROOT).items():
        tap.ok(name, not complaints, "\n".join(complaints))
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
