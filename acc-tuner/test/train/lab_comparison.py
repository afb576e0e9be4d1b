#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Compare the model of a port with the laboratory: the same flows, some settings, means and their order.

    lab_comparison.py ACC_TRAIN FOLDER [KMAX_US ...]

Runs ramps from 6.5 us to each KMAX_US (13 75 210 840) in the laboratory, with DCTCP's and DCQCN's senders under web search at 50
and 80 %, and the same in the model. Results of the laboratory are kept in FOLDER and not run again: a run takes a minute or two.
Status 1 where the order of all flows' means differs, or a mean by more than a quarter.
"""

import json
import os
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../.."))
WORKLOADS = os.path.join(ROOT, "lab/traffic/cdf")
# Templates of ramp20 in which all is marked above 13, 75, 210 or 840 us.
RAMPS_US = ("13", "75", "210", "840")
# Virtual seconds of a run.
SECONDS = {"dctcp": 2, "dcqcn": 1}
LOADS = (50, 80)
CLASSES = ("all", "short", "large")
FAR = 0.25


def lab_arguments(sender, load, kmax_us):
    """Arguments of lab/run."""
    common = [f"load={load / 100:g}", f"duration={SECONDS[sender]}s", "--seed", "1"]
    if sender == "dctcp":
        return ["fct", f"aqm=ecnsharp kmin 6.5us kmax {kmax_us}us pmax 100% persistent off", *common]
    return ["probabilistic", "aqm=ramp", "kmin=6500ns", f"kmax={kmax_us}us", "pmax=1", "rtt=70us-210us", *common]


def lab_means(folder, sender, load, kmax_us):
    """Means of completion times in the laboratory, us."""
    path = os.path.join(folder, f"{sender}{load}-{kmax_us}.json")
    if not os.path.exists(path):
        subprocess.run([os.path.join(ROOT, "lab/run"), *lab_arguments(sender, load, kmax_us), "--json", path], check=True,
                       stdout=subprocess.DEVNULL)
    with open(path, encoding="utf-8") as file:
        output = json.load(file)
    flows = output.get("results", output)["flows"]
    return {name: flows[name]["mean_us"] for name in CLASSES}


def gate(acc_train, seconds):
    """The gate of one seed as long as the laboratory's runs."""
    output = subprocess.run([acc_train, "gate", "-j", "--seeds", "1", "--duration", f"{seconds}s", "--workloads", WORKLOADS], check=True,
                          capture_output=True, text=True).stdout
    return {setting["name"]: {condition["name"]: condition["episodes"][0] for condition in setting["conditions"]}
            for setting in json.loads(output)["settings"]}


def model_means(output, sender, load, kmax_us):
    """The same in the model."""
    episode = output[f"6.5/{kmax_us} us 100 %"][f"{sender}, web search {load} %"]
    return {name: episode[f"{name}_ns"] / 1000 for name in CLASSES}


def compare(sender, load, lab, model):
    """Print a condition; return how many of its means are far apart, and whether the orders are equal."""
    far = 0
    for kmax_us, real in lab.items():
        cells = []
        for name in CLASSES:
            change = model[kmax_us][name] / real[name] - 1
            far += name == "all" and abs(change) > FAR
            cells.append(f"{real[name]:9.1f} {model[kmax_us][name]:9.1f} {100 * change:+6.1f} %")
        print(f"{sender} {load} %  {kmax_us:>4} us  {'   '.join(cells)}")
    orders = [sorted(means, key=lambda kmax_us, means=means: means[kmax_us]["all"]) for means in (lab, model)]
    return far, orders[0] == orders[1]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1].strip())
    acc_train, folder, ramps = sys.argv[1], sys.argv[2], sys.argv[3:] or RAMPS_US
    os.makedirs(folder, exist_ok=True)
    print("Mean completion times, us: laboratory, model, difference.")
    print(f"{'sender, ramp to':21}{'all flows':28}   {'up to 100 kB':28}   10 MB and more")
    far, ordered = 0, 0
    for sender, seconds in SECONDS.items():
        output = gate(acc_train, seconds)
        for load in LOADS:
            more, same = compare(sender, load, {kmax: lab_means(folder, sender, load, kmax) for kmax in ramps},
                                 {kmax: model_means(output, sender, load, kmax) for kmax in ramps})
            far += more
            ordered += same
    conditions = len(SECONDS) * len(LOADS)
    print(f"The order of settings is equal in {ordered} of {conditions} conditions; {far} means of all flows differ by more than "
          f"{100 * FAR:.0f} %.")
    sys.exit(far > 0 or ordered < conditions)


if __name__ == "__main__":
    main()
