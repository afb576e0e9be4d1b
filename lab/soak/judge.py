# SPDX-License-Identifier: GPL-2.0
"""Whether the parts of a soak, as `lab/run soak` says what they did, are sound: memory flat, counters consistent, log clean.

Memory is judged by the middle of all slopes from one quiet snapshot to another of the same part (Theil and Sen): a single step, as
when a cache first fills, does not move it, and what is lost again and again does, in whatever part.
"""


HOUR_S = 3600
# The first snapshots of a part see caches fill; from the third round on memory goes up and down.
SETTLED = 3
# kB an hour that each kind of memory may grow. A part's 13,000 flows an hour make 800 kB of the least thing that could be lost
# with each, 64 bytes. `used` and `anonymous` have what clock daemons and the log's page tables take and give back.
MOST_KB = {"slab": 200, "vmalloc": 16, "percpu": 16, "stacks": 64, "used": 800, "anonymous": 400}
# State that must be empty, and counters that must not be 0.
EMPTY = ("falls", "sums", "left", "log")
SOME = ("flows", "bytes", "snapshots", "counted", "summed")
# Events at congestion points; a part that is shorter than an hour may have only some of them.
OF_POINTS = ("marks", "cnm_tx", "xoff_tx", "cnms", "rds_answered")


def middle(values):
    """The median of some numbers, the higher one of two."""
    return sorted(values)[len(values) // 2]


def slopes(part, kind):
    """kB an hour from each settled snapshot to each later one."""
    points = [(at_s, kinds[kind]) for at_s, kinds in part["quiet"][SETTLED:]]
    return [(later - earlier) * HOUR_S / (to_s - from_s)
            for place, (from_s, earlier) in enumerate(points) for to_s, later in points[place + 1:]]


def memory(parts):
    """{kind: kB an hour} of all parts together; a kind without two snapshots in a part has None."""
    found = {}
    for kind in MOST_KB:
        every = [slope for part in parts for slope in slopes(part, kind)]
        found[kind] = middle(every) if every else None
    return found


def nothing(part):
    """Yield what a part counted none of."""
    did = part["did"]
    points = {name: did[name] for name in OF_POINTS}
    if part["virtual_seconds"] < HOUR_S and any(points.values()):
        did = {name: count for name, count in did.items() if name not in points}
    for name, count in [*((name, part[name]) for name in SOME), *did.items()]:
        if not count:
            yield name


def one(part):
    """Yield what is wrong with a part by itself."""
    if part["unfinished"] or part["short"]:
        yield f"{part['unfinished']} flows did not end, {part['short']} had another size"
    for name in EMPTY:
        if part[name]:
            yield f"{name}: {len(part[name])}, first {part[name][0]}"
    for name in nothing(part):
        yield f"{name}: none, so nothing was tried"
    accounting = part["conservation"]
    for what in ("packets", "bytes"):
        dropped = sum(amount[what] for amount in accounting["dropped"].values())
        if not accounting["lost_on_links"] and accounting["sent"][what] != accounting["delivered"][what] + dropped:
            yield f"{what}: {accounting['sent'][what]} sent, {accounting['delivered'][what]} delivered, {dropped} dropped"
    if part["modules"][0] != part["modules"][1]:
        yield f"users of modules: first {part['modules'][0]}, last {part['modules'][1]}"
    left = part["quiet"][-1][1]["own"] if part["quiet"] else None
    if left != 0:
        yield f"objects of our own caches in the end: {left}"


def judge(parts):
    """Return what is wrong with whole parts, a list of texts: of each by itself, and of the memory of all."""
    bad = [f"seed {part['seed']}: {why}" for part in parts for why in one(part)]
    for kind, grows in memory(parts).items():
        if grows is None:
            bad.append(f"{kind}: there are not two snapshots of it")
        elif grows > MOST_KB[kind]:
            bad.append(f"{kind} grows by {grows:.0f} kB an hour, limit {MOST_KB[kind]}")
    # One part that leaks among sound ones.
    for part in parts:
        for kind, grows in memory([part]).items():
            if grows is not None and grows > 2 * MOST_KB[kind]:
                bad.append(f"seed {part['seed']}: {kind} grows by {grows:.0f} kB an hour, limit of one part {2 * MOST_KB[kind]}")
    return bad
