# SPDX-License-Identifier: GPL-2.0
"""A switch whose queues acc-tuner tunes: the daemon in the guest, static thresholds to compare it with, and controls.

A control is a model whose decisions are spoiled: a test that a network decides well must also see bad decisions fail. They are made here of
the bytes of a model file (acc-tuner/model/model.h), and kept in the cache under their hash, as the daemon's other files are.
"""

import hashlib
import json
import math
import os
import random
import struct
from dataclasses import dataclass

from lab.host.artifacts import CACHE, ROOT
from lab.host.keys import Key, choice, number, time, user_file
from lab.host.network import EPOCH_NS
from lab.host.units import Refused, show_time, time_ns

SCRIPT = os.path.join(ROOT, "lab/daemons/acc")
MODELS = {"network": os.path.join(ROOT, "acc-tuner/models/ramp20.accm"), "shuffled": os.path.join(ROOT, "lab/daemons/shuffled.accm")}
OUTPUT = "acc.json"
# The network that was learned in a run, in the folder of its raw results.
RESULTS, OUTPUT_LEARNED = "/run/lab/result", "learned.accm"

# Static thresholds that were published, as tc takes them; ramp-TIME marks between 6.5 us and that time, with a probability from 0 to 1.
STATIC = {
    "secn0": "kmin 5800ns kmax 5800ns pmax 100%",
    "secn1": "kmin 1600ns kmax 64us pmax 1%",
    "secn2": "kmin 32us kmax 128us pmax 20%",
    "vendor": "kmin 2200ns kmax 48us pmax 30%",
    "vendor-storage": "kmin 9600ns kmax 86us pmax 10%",
}
RAMP, RAMP_KMIN_NS, RAMP_KMAX_MOST_NS = "ramp-", 6500, 10**8
NAMES = (*STATIC, f"{RAMP}TIME")

# Deciders: none, the daemon without rights, its policies, and the controls.
POLICIES = {"observe": "follow", "static": "static", "follow": "follow", "ddqn": "ddqn", "online": "ddqn", "learn": "ddqn"}
CONTROLS = ("permuted", "negated", "shuffled", "frozen", "untrained")
LEARNING = ("online", "learn")
LEARNED = tuple(name for name, policy in POLICIES.items() if policy == "ddqn")
TUNERS = ("off", *POLICIES, *CONTROLS, "chance")

# Layout of a model file, and names of its rewards by their numbers.
REWARDS = ("marks", "paper", "busy")
REWARD_AT, INTERVAL_AT = 12, 16
BYTES, TEMPLATES_AT, NET_AT, SUM_AT = 15232, 44, 960, 15200
WIDTHS = (12, 20, 40, 40, 20)
TEMPLATES = WIDTHS[-1]
FEATURES = 4
# Values of the network ramp20 in the conditions of acc-train evaluate: means of its features, and how often it took each template.
MEANS = (0.382700145, 0.95418781, 0.0933558643, 0.676401198)
TAKEN = (0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 247, 0, 95, 0, 159, 8, 18, 68, 26, 23)
SEED = 1
# A decision a millisecond, and as many of them as a run of so long has.
CHANCE_MOST = 20_000


@dataclass(frozen=True)
class Model:
    """A model file: its bytes before the parameters, and these."""

    head: bytes
    parameters: tuple

    @classmethod
    def read(cls, path):
        """One that is whole."""
        with open(path, "rb") as file:
            data = file.read()
        if len(data) != BYTES or hashlib.sha256(data[:SUM_AT]).digest() != data[SUM_AT:]:
            raise Refused(f"{path} is not a model of acc-train")
        return cls(data[:NET_AT], struct.unpack(f"<{(SUM_AT - NET_AT) // 4}f", data[NET_AT:SUM_AT]))

    def bytes(self):
        """Content of the file."""
        data = self.head + struct.pack(f"<{len(self.parameters)}f", *self.parameters)
        return data + hashlib.sha256(data).digest()

    def reward(self):
        """Name of the reward that it was trained with."""
        number_, = struct.unpack_from("<I", self.head, REWARD_AT)
        if number_ >= len(REWARDS):
            raise Refused(f"model: its reward has number {number_}, known are 0 to {len(REWARDS) - 1}")
        return REWARDS[number_]

    def interval_ns(self):
        """From one decision to the next in its training."""
        return struct.unpack_from("<Q", self.head, INTERVAL_AT)[0]

    def templates(self):
        """(kmin, kmax, pmax in ppm) of each, ns."""
        return [struct.unpack_from("<QQI", self.head, TEMPLATES_AT + 20 * place) for place in range(TEMPLATES)]

    def first(self):
        """Weights of the first layer, a tuple an input, and its biases."""
        inputs, outputs = WIDTHS[:2]
        rows = [self.parameters[place * outputs:(place + 1) * outputs] for place in range(inputs + 1)]
        return rows[:-1], rows[-1]

    def last(self):
        """Where the last layer's parameters begin."""
        return len(self.parameters) - (WIDTHS[-2] + 1) * WIDTHS[-1]

    def spoiled(self, parameters):
        """The same with other parameters."""
        return Model(self.head, tuple(parameters))


def permutation():
    """Places that are taken for those that the network chose."""
    chance, places = random.Random(SEED), list(range(TEMPLATES))
    return [places.pop(int(chance.random() * len(places))) for _ in range(TEMPLATES)]


def permuted(model):
    """The network's values are those of other templates."""
    at, places = model.last(), permutation()
    tail = [model.parameters[row + place] for row in range(at, len(model.parameters), TEMPLATES) for place in places]
    return model.spoiled((*model.parameters[:at], *tail))


def negated(model):
    """The worst template has the highest value."""
    at = model.last()
    return model.spoiled((*model.parameters[:at], *(-value for value in model.parameters[at:])))


def frozen(model):
    """A network whose features of the queue are always the mean: the first layer's outputs are constants."""
    weights, biases = model.first()
    seen = list(biases)
    for place, row in enumerate(weights):
        seen = [value + MEANS[place % FEATURES] * weight for value, weight in zip(seen, row)]
    count = len(weights) * len(biases)
    return model.spoiled((*(count * [0.0]), *seen, *model.parameters[count + len(biases):]))


def untrained(model):
    """A network that has learned nothing: weights of variance 2 / inputs, biases 0."""
    chance, values = random.Random(SEED), []
    for inputs, outputs in zip(WIDTHS, WIDTHS[1:]):
        # A sum of twelve uniform numbers, without libm.
        values += [(sum(chance.random() for _ in range(12)) - 6) * math.sqrt(2 / inputs) for _ in range(inputs * outputs)] + outputs * [0.0]
    return model.spoiled(values)


SPOIL = {"permuted": permuted, "negated": negated, "frozen": frozen, "untrained": untrained}


def stored(data, suffix):
    """Path of a file of the cache that holds these bytes."""
    path = os.path.join(CACHE, "acc", hashlib.sha256(data).hexdigest()[:16] + suffix)
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        fresh = f"{path}.{os.getpid()}"
        with open(fresh, "wb") as file:
            file.write(data)
        os.rename(fresh, path)
    return path


def arguments(template):
    """Options of a template, for tc."""
    kmin_ns, kmax_ns, pmax_ppm = template
    return f"kmin {kmin_ns}ns kmax {kmax_ns}ns pmax {pmax_ppm / 10_000:g}%"


def chance(model, seed):
    """Templates at random, a line each: as often as the network takes them."""
    draw = random.Random(seed)
    lines = [arguments(template) for template, times in zip(model.templates(), TAKEN) for _ in range(times)]
    return "".join(f"{lines[int(draw.random() * len(lines))]}\n" for _ in range(CHANCE_MOST)).encode()


def model_file(text):
    """A reader: a model that we ship, or a file of the user's."""
    path = MODELS["network"] if text == "ramp20" else user_file(text)
    if not path:
        raise Refused(f"'{text}' is neither ramp20 nor a file of acc-train")
    Model.read(path)
    return path


KEYS = (
    Key("tuner", "off", choice(*TUNERS), "thresholds are chosen by: off (nobody), observe (acc-tuner, which changes nothing), static, follow, ddqn, "
        "online (ddqn that learns from model), learn (ddqn that learns from weights of chance), or a control: " + ", ".join((*CONTROLS, "chance"))),
    Key("model", "ramp20", model_file, "network of ddqn: ramp20, or a file of acc-train"),
    Key("share", "0", number(0, 50), "percent of the time with the thresholds of aqm, to compare with, 0 to 50"),
    Key("explore", "2", number(0, 50), "percent of the decisions that are made by chance while it learns, 0 to 50"),
    Key("interval", "1ms", time("500us", "100ms"), "from one decision to the next, of a network that of its training"),
)


def aqm(text, memory=""):
    """A name of NAMES turned into arguments for tc; other texts stay as they are."""
    if text in STATIC:
        ramp = STATIC[text]
    elif text.startswith(RAMP):
        ramp = arguments((RAMP_KMIN_NS, ramp_kmax_ns(text), 10**6))
    else:
        return text
    return f"ecnsharp {memory}{ramp} persistent off"


def ramp_kmax_ns(text):
    """The time of a name ramp-TIME."""
    kmax_ns = time_ns(text.removeprefix(RAMP))
    if not RAMP_KMIN_NS <= kmax_ns <= RAMP_KMAX_MOST_NS:
        raise Refused(f"aqm: '{text}': the time must be from {show_time(RAMP_KMIN_NS)} to {show_time(RAMP_KMAX_MOST_NS)}")
    return kmax_ns


def check(p, qdisc):
    """Refuse what the daemon would refuse, before anything boots."""
    if p["tuner"] not in ("off", "observe") and qdisc[0] != "ecnsharp":
        raise Refused(f"aqm: tuner={p['tuner']} needs an ecnsharp, or one of the names {', '.join(NAMES)}; '{qdisc[0]}' cannot be tuned")
    if p["tuner"] in (*LEARNED, *CONTROLS):
        trained_ns = Model.read(p["model"]).interval_ns()
        if p["interval"] != trained_ns:
            raise Refused(f"interval: {show_time(p['interval'])} is not that of the model, {show_time(trained_ns)}")
    if p["tuner"] == "chance" and p["duration"] > CHANCE_MOST * 10**6:
        raise Refused(f"duration: at most {CHANCE_MOST // 1000}s with tuner=chance")


def learned(raw):
    """SHA-256 of the network that was learned in a run, None if there was no update."""
    path = os.path.join(raw, OUTPUT_LEARNED)
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Tuner:
    """The daemon of one switch, as lines of a topology script; or what stands in its place."""

    def __init__(self, p, seed, port):
        self.p = p
        self.seed = seed
        self.port = port        # device whose queues are tuned
        self.kind = p["tuner"]

    @property
    def is_daemon(self):
        """Whether acc-tuner runs."""
        return self.kind not in ("off", "chance")

    @property
    def learns(self):
        """Whether the daemon trains its network."""
        return self.kind in LEARNING

    def model(self):
        """Path of the model that is used, None of a policy without."""
        if self.kind == "shuffled":
            return MODELS["shuffled"]
        if self.kind in SPOIL:
            return stored(SPOIL[self.kind](Model.read(self.p["model"])).bytes(), ".accm")
        if self.kind == "learn":
            return stored(untrained(Model.read(self.p["model"])).bytes(), ".accm")
        return self.p["model"] if self.kind in ("ddqn", "online") else None

    def files(self):
        """Files that the guest reads: name in the run's folder -> path."""
        if self.kind == "off":
            return {}
        found = {"acc": SCRIPT}
        if self.model():
            found["model.accm"] = self.model()
        if self.kind == "chance":
            found["actions"] = stored(chance(Model.read(self.p["model"]), self.seed), ".actions")
        return found

    def configuration(self):
        """Arguments "section.key=value"."""
        yield f"queues.queues={self.port}"
        yield f"tuner.mode={'observe' if self.kind == 'observe' else 'tune'}"
        yield f"tuner.policy={POLICIES.get(self.kind, 'ddqn')}"
        yield f"tuner.interval={self.p['interval']}ns"
        if self.model():
            yield "tuner.model=/run/lab/model.accm"
            yield f"tuner.reward={Model.read(self.model()).reward()}"
        if self.learns:
            yield "tuner.learn=yes"
            yield f"tuner.explore={self.p['explore']}%"
        yield f"limits.share={self.p['share']}%"
        yield "security.user=none"
        yield f"security.state={RESULTS if self.learns else '/run/acc-tuner/state'}"

    def watches(self):
        """Lines that begin it."""
        begin_s = EPOCH_NS // 10**9
        # With the traffic: its first hundred intervals are static, for the guard to know how long packets wait then.
        if self.is_daemon:
            yield f"spawn sw /bin/sh /run/lab/acc run {begin_s} {' '.join(self.configuration())}"
        elif self.kind == "chance":
            yield f"spawn sw /bin/sh /run/lab/acc chance {begin_s} {self.port}:1"

    def collects(self):
        """Lines that ask it at the end."""
        if self.is_daemon:
            yield f"exec sw /bin/sh /run/lab/acc ask {RESULTS}/{OUTPUT}"

    def figures(self, raw):
        """Counters of the daemon, and the SHA-256 of the network that it learned."""
        if not self.is_daemon:
            return {}
        with open(os.path.join(raw, OUTPUT), encoding="utf-8") as file:
            found = {"acc": json.load(file)}
        return {**found, "learned_sha256": learned(raw)} if self.learns else found
