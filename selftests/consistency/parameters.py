#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""One interface, described in many places: are the descriptions the same?

Compared are the uapi header, the table of parameters, the qdisc's policy, dump and statistics, and of the tc plugin
the parser, printer, JSON keys, usage, man page and completion. The plugin is run and not read: its code is linked
with a stand-in for tc. Output is TAP; the status is 0 if everything agrees.
"""

import functools
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, "selftests/lib"))
# pylint: disable=wrong-import-position
from page import Page  # noqa: E402
from plugin import Plugin, usage_tokens  # noqa: E402
from sources import KINDS, Broken, Sources  # noqa: E402
from tap import Tap  # noqa: E402


def differ(what, one, other):
    """Complaints about what is in only one of two collections."""
    one, other = set(one), set(other)
    return [f"{what}: {x} is missing" for x in sorted(one - other)] + [f"{what}: {x} is too much"
                                                                       for x in sorted(other - one)]


class Facts:
    """Reference of all checks."""

    def __init__(self, kind, root, scratch):
        self.kind = kind
        self.other_tokens = {"preset", "help"} if kind.presets else {"help"}
        self.src = Sources(kind, root, scratch)
        self.params = self.src.params()
        self.names = {}
        for param in self.params:
            # A choice that stands alone is all there is to write.
            for name in param.choices.values() if param.alone else [param.name]:
                self.names.setdefault(name, []).append(param)
        self.members, self.member_comments = self.src.members()
        self.page = Page(self.src.text(kind.page))

    @functools.cached_property
    def plugin(self):
        """Built at its first use: a source that does not compile is one finding, not all."""
        return Plugin(self.src)

    def auto(self):
        """Tokens that are values of some units."""
        return {token for token, has in (("auto", lambda param: "auto" in param.unit), ("any", lambda param: param.address))
                if any(map(has, self.params))}

    def choices(self):
        """Every token that is the value of some parameter."""
        return {choice for param in self.params if param.choices and not param.alone for choice in param.choices.values()}


def uapi_and_table(f):
    """Attributes of the enum and rows of the table."""
    names, _ = f.src.attributes()
    return differ("attribute", [p.id for p in f.params], set(names) - {"UNSPEC", "PAD", *f.kind.derived})


def uapi_comments(f):
    """Every attribute and counter has its comment, with the width of the table."""
    names, unknown = f.src.attributes()
    bad = [f"@TCA_{f.kind.upper}_{name} has no comment" for name, comment in names.items() if comment is None]
    bad += [f"@TCA_{f.kind.upper}_{name} is no attribute" for name in unknown]
    for p in f.params:
        width = f"{'s' if p.least < 0 else 'u'}{p.bits}"
        if names.get(p.id) and not names[p.id].startswith(f"{width},"):
            bad.append(f"@TCA_{f.kind.upper}_{p.id}: the table says {width}, the comment '{names[p.id]}'")
    return bad + differ("comment of statistics", f.members, f.member_comments)


def uapi_names(f):
    """Values of the enums and choices of the table, by number."""
    bad = []
    for p in f.params:
        if not p.choices or p.alone or set(p.choices.values()) == {"off", "on"}:
            continue
        documented = f.src.enum_names(p.id)
        if documented is None:
            continue
        wire = dict(enumerate(documented, f.src.enum_first(p.id)))
        if {value: choice for value, choice in wire.items() if value >= p.least} != p.choices:
            bad.append(f"{p.name}: the header has {wire}, the table {p.choices}")
        if p.most != max(p.choices):
            bad.append(f"{p.name}: the table names {len(p.choices)} choices up to {max(p.choices)}, but allows {p.most}")
    return bad


def kernel_policy(f):
    """Width, range and number of each attribute in the module's policy; or width alone, then the table has the ranges."""
    wanted = {p.id: f"u{p.bits} {p.least} {p.most}" for p in f.params}
    k = f.kind
    policy = f.src.expanded(k.qdisc, rf"static const struct nla_policy {k.glue}_policy")
    found = {name: f"u{bits}" for name, bits in re.findall(rf"\[TCA_{k.upper}_(\w+)\] = \{{ \.type = NLA_U(\d+) \}}", policy)}
    if found:
        wanted = {name: text.partition(" ")[0] for name, text in wanted.items()}
    else:
        text = re.sub(r"\s+", " ", f.src.expanded(k.qdisc, rf"#define {k.upper}_X\([^\n]*\n\tstatic struct netlink_range"))
        ranges = {name: f"{lo} {hi}" for name, lo, hi in re.findall(
            rf"{k.glue}_range_(\w+) = \{{ \.min = (\d+), \.max = (\d+),", text)}
        found = {name: f"u{bits} {ranges.get(row)}" for name, bits, row in re.findall(
            rf"\[TCA_{k.upper}_(\w+)\] = NLA_POLICY_FULL_RANGE\( ?NLA_U(\d+), ?&{k.glue}_range_(\w+)\)", policy)}
    bad = differ("policy", wanted.items(), found.items())
    numbers = re.findall(r"\[(\w+)\] = (\w+)", f.src.expanded(k.qdisc, rf"static const u8 {k.glue}_attr"))
    return bad + differ("attribute number", {(f"{k.row}{p.id}", f"TCA_{k.upper}_{p.id}") for p in f.params}, numbers)


def kernel_dump(f):
    """Dump and parser go through the whole table, with the attributes' numbers and policy."""
    k, text = f.kind, re.sub(r"\s+", " ", f.src.text(f.kind.qdisc))
    bad = [f"no {part}" for part in (
        f"struct param_nl {k.glue}_nl = {{ .table = {k.name}_param_info, .attr = {k.glue}_attr, .policy = {k.glue}_policy, "
        f".max_attr = TCA_{k.upper}_MAX, .pad = TCA_{k.upper}_PAD, }}", f"param_nl_parse(&{k.glue}_nl, ") if part not in text]
    if f"param_nl_put(&{k.glue}_nl, skb, " not in f.src.block(k.qdisc, rf"(?:static )?int {k.put}\("):
        bad.append(f"{k.put}() does not go through the whole table")
    dump = f.src.block(k.qdisc, rf"(?:static )?int {k.glue}_dump\(")
    if k.derived:
        bad += [f"{k.glue}_dump() does not call {name}()" for name in (f"{k.glue}_put_given", f"{k.glue}_put_derived")
                if f"{name}(skb, &q->settings)" not in dump]
    return bad


def kernel_statistics(f):
    """Each counter of the interface is written somewhere in the module."""
    text = "".join(f.src.text(path) for path in f.kind.counters)
    return [f"{name} is never written" for name in f.members
            if not re.search(rf"(?:\bst|->count)(?:\.|->){name}(?:\+\+| \+?= )|&(?:st|q->count)\.{name}\b|memcpy\(st(?:\.|->){name}, ", text)]


def parser(f):
    """Attributes that the plugin sends for the ends, the default and the choices of each parameter."""
    bad = []
    for p in f.params:
        if p.crumbs or len(f.names.get(p.name, [p])) > 2:
            continue        # several arguments each: see rows()
        tries = {p.least, p.most} | ({p.default} - {None}) | set(p.choices or ())
        for value in sorted(tries):
            choices = f.plugin.spelling(p, value) if p.alone else f"{p.name} {f.plugin.spelling(p, value)}"
            got = f.plugin.parse(choices)
            value &= (1 << p.bits) - 1
            if got != {p.attr: (p.bits // 8, value)}:
                bad.append(f"'{choices}' becomes {got}, not {{{p.attr}: ({p.bits // 8}, {value})}}")
    return bad


def printer(f):
    """The name and value that the plugin prints for the ends of each parameter."""
    bad = []
    for p in f.params:
        for value in {p.least, p.most}:
            name, _, spelling = (f"{p.name} " * p.alone + f.plugin.show(p, value)).partition(" ")
            if name != p.name or not spelling or (p.choices and spelling != p.choices.get(value)):
                bad.append(f"{p.id} = {value} is printed as '{name} {spelling}'")
    return bad


def json_keys(f):
    """The key and value that the plugin prints with -j."""
    bad = []
    for p in f.params:
        shown = p.choices[p.most] if p.choices else f.plugin.spelling(p, p.most) if p.crumbs or p.address else p.most
        if shown == "on":
            shown = True
        got = f.plugin.show_json(p, p.most)
        got.pop("derived", None)
        if got != {p.id.lower(): shown}:
            bad.append(f"{p.id} = {p.most} becomes {got}")
    return bad


def places(f):
    """{name: its place in the structure, or those of an array as a list}; the number of 64-bit words."""
    found, words = {}, 0
    for name, length in f.members.items():
        found[name] = list(range(words + 1, words + 1 + length)) if length else words + 1
        words += length or 1
    found.pop("type", None)
    return found, words


def statistics(f):
    """Names, places and units of the counters in text and in JSON."""
    wanted, words = places(f)
    text, keys = f.plugin.xstats(8 * words)
    bad = [f"JSON has {name} {keys.get(name)}, the structure {wanted.get(name)}" for name in sorted(wanted.keys() | keys.keys())
           if keys.get(name) != wanted.get(name)]
    # In text a bucket follows its bound.
    for name in [name for name in wanted if isinstance(wanted[name], list)]:
        numbers, shown = wanted.pop(name), re.search(rf"\b{name} ((?:[\w.]+:\d+ )+)", text)
        if not shown or [int(pair.split(":")[1]) for pair in shown[1].split()] != numbers:
            bad.append(f"text does not say {name} {numbers}")
        else:
            text = text.replace(shown[0], "")
    # Values that are times are the only ones with a unit.
    pairs = dict(zip(text.split()[::2], text.split()[1::2]))
    for name, place in wanted.items():
        pair = (name, str(place))
        if name.endswith("_ns"):
            pair = (name[:-3] + "_time" * (name[:-3] in wanted), f"{place}ns")
        if pairs.pop(pair[0], None) != pair[1]:
            bad.append(f"text does not say '{pair[0]} {pair[1]}'")
    return bad + [f"text says '{name}', which is no counter" for name in pairs]


def usage(f):
    """Tokens of the usage."""
    return differ("usage", set(f.names) | f.choices() | set(f.kind.presets) | f.auto() | f.other_tokens,
                  usage_tokens(f.plugin.usage(), f.kind.name))


def synopsis(f):
    """Tokens of the man page's grammar."""
    # Prose begins behind the last token of the grammar, which is help.
    grammar = f.page.text("SYNOPSIS").partition(f.kind.name)[2].partition("help")[0]
    choices = set(re.findall(r"\b[a-z][a-z_0-9]*\b", grammar)) | {"help"}
    return differ("synopsis", set(f.names) | f.choices() | set(f.kind.presets) | f.auto() | f.other_tokens, choices)


def expected_line(f, params):
    """How a paragraph about a parameter ends."""
    first = params[0]
    defaults = [f.plugin.spelling(p, p.default) for p in params if p.default is not None]
    line = f"Default {' '.join(defaults)}" if defaults else "No default"
    if first.crumbs:
        line += ", range 0 to 2"
    elif not first.choices:
        ranges = [f"{f.plugin.spelling(p, p.least)} to {f.plugin.spelling(p, p.most)}" for p in params]
        line += ", range " + " or ".join(dict.fromkeys(ranges))
    return line + "."


def page_parameters(f):
    """A paragraph each in the man page, with default, range and choices."""
    entries = {tag.split()[0]: (tag, body) for tag, body in f.page.entries("PARAMETERS").items()}
    second = {spelling for p in f.params if p.alone for spelling in list(p.choices.values())[:-1]}
    for spelling in list(second):
        if spelling in entries or not any(spelling in tag for tag, _ in entries.values()):
            # The paragraph may begin with either of two choices that stand alone.
            second ^= {next(other for other, p in f.names.items() if spelling in (p[0].choices or {}).values()
                            and other != spelling), spelling} if spelling in entries else set()
    bad = differ("paragraph", set(f.names) - second, entries)
    for name in sorted(set(f.names) & set(entries)):
        tag, body = entries[name]
        params = f.names[name]
        if not body or body[-1] != expected_line(f, params):
            bad.append(f"{name}: ends with '{body[-1] if body else ''}', not '{expected_line(f, params)}'")
        if params[0].alone:
            bad += differ(f"heading of {name}", params[0].choices.values(), tag.split(" | "))
        elif params[0].choices:
            bad += differ(f"heading of {name}", params[0].choices.values(), tag.partition(" ")[2].replace(" ", "").split("|"))
    return bad


def page_json(f):
    """Which parameters the man page says that -j prints as strings, and which as true or false."""
    comment = re.search(r"in bytes;(.*?)are strings;(.*?)(?:is|are) true or false", f.page.text("NOTES"), re.S)
    if not comment:
        return ["it does not say which are strings and which true or false"]
    types = {p.name: type(f.plugin.show_json(p, p.most)[p.id.lower()]) for p in f.params}
    bad = []
    for kind, names in zip((str, bool), comment.groups()):
        bad += differ(f"JSON {kind.__name__}", {name for name in types if types[name] is kind},
                      set(re.findall(r"\w+", names)) - {"and"})
    return bad


def page_statistics(f):
    """A paragraph each in the man page."""
    tags = [tag.split(", ")[-1] for tag in f.page.entries("STATISTICS")]
    return differ("paragraph", set(f.members) - {"type"}, tags)


def page_tracepoints(f):
    """A paragraph each in the man page, and every field explained."""
    events = f.src.tracepoints()
    entries = f.page.entries("TRACEPOINTS")
    text = f.page.text("TRACEPOINTS")
    bad = differ("paragraph", {f"{f.src.trace_system()}:{event}" for event in events}, entries)
    for event, fields in events.items():
        bad += [f"{event}: field {field} is not explained" for field in fields if not re.search(rf"\b{field}\b", text)]
        if not fields:
            bad.append(f"{event} prints nothing")
    return bad


def presets(f):
    """Values that a preset sets in the plugin and in the man page."""
    entries = f.page.entries("PRESETS")
    bad = differ("paragraph", f.kind.presets, entries)
    for name, body in entries.items():
        got = f.plugin.parse(f"preset {name}")
        if not isinstance(got, dict):
            bad.append(f"{name}: {got}")
            continue
        line = " ".join(f.plugin.show(p, got[p.attr][1]) for p in f.params if p.attr in got)
        if not body or body[-1] != line:
            bad.append(f"{name}: the plugin sets '{line}', the man page says '{body[-1] if body else ''}'")
    return bad


def completion(f):
    """Names and values that completion proposes, and that the plugin takes."""
    bad = differ("names", set(f.names) | f.other_tokens, f.plugin.complete(""))
    if f.kind.presets:
        bad += differ("values of preset", f.kind.presets, f.plugin.complete("preset", ""))
    for name, params in f.names.items():
        if params[0].alone or params[0].crumbs or len(params) > 2:
            continue
        if params[0].choices:
            bad += differ(f"values of {name}", params[0].choices.values(), f.plugin.complete(name, ""))
            continue
        for value in f.plugin.complete(name, "1"):
            got = f.plugin.parse(f"{name} {value}")
            if isinstance(got, str) and "out of range" not in got:
                bad.append(f"it proposes '{name} {value}': {got}")
    return bad


def table_builds(_):
    """Without it there are no facts: see check()."""
    return []


def plugin_builds(f):
    """Without it the checks that ask it say nothing."""
    return [] if f.plugin else ["no plugin"]


CHECKS = (
    ("table builds", table_builds),
    ("uapi and table", uapi_and_table),
    ("uapi comments", uapi_comments),
    ("uapi names", uapi_names),
    ("kernel policy", kernel_policy),
    ("kernel dump", kernel_dump),
    ("kernel statistics", kernel_statistics),
    ("plugin builds", plugin_builds),
    ("parser", parser),
    ("printer", printer),
    ("JSON keys", json_keys),
    ("statistics", statistics),
    ("usage", usage),
    ("man page synopsis", synopsis),
    ("man page parameters", page_parameters),
    ("man page JSON", page_json),
    ("man page statistics", page_statistics),
    ("man page tracepoints", page_tracepoints),
    ("presets", presets),
    ("completion", completion),
)


def check(kind, scratch):
    """{name of a check: complaints}"""
    try:
        facts = Facts(kind, ROOT, scratch)
    except Broken as why:
        return {"table builds": [str(why)]}
    result = {}
    for name, function in CHECKS:
        try:
            result[name] = function(facts)
        except Broken as why:
            result[name] = [str(why)]
    return result


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as scratch:
        for kind in KINDS:
            for name, complaints in check(kind, scratch).items():
                tap.ok(f"{kind.name}: {name}", not complaints, "\n".join(complaints))
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
