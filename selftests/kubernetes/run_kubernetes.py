#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Manifests and images of contrib/kubernetes: fields, names, commands and rights are those of Kubernetes, of this tree and of tests. TAP.

They are not run in a cluster, and no image is built.
"""

import copy
import glob
import os
import re
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, f"selftests/{folder}") for folder in ("lib", "qemu", "matrix")]
# pylint: disable=wrong-import-position
import module
import usage
from fields import faults
from tap import Tap

try:
    import yaml
except ImportError:
    yaml = None

FOLDER = "contrib/kubernetes"
PAGE = "docs/kubernetes.md"
# Programs of the image's Debian, and of one package that is installed there.
OTHERS = {"/usr/bin/sleep"}
INSTALLS = ("operations", "tc-plugins/onrampctl")
# Capabilities that onramp_pods.sh shows to suffice.
RIGHTS = {"onramp-host": {"NET_ADMIN", "SYS_ADMIN"}, "onrampctl": {"NET_ADMIN"}}
INSTRUCTIONS = {"FROM", "ARG", "RUN", "COPY", "WORKDIR"}


def text(path):
    """Content of a file of the tree."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def manifests():
    """All manifests, as (file, manifest)."""
    paths = sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, FOLDER, "*.yaml")))
    return [(path, manifest) for path in paths for manifest in yaml.safe_load_all(text(path))]


def one(found, kind):
    """The manifest of a kind."""
    manifest, = (manifest for _, manifest in found if manifest["kind"] == kind)
    return manifest


def pods(found):
    """Descriptions of pods, by kind."""
    return {"DaemonSet": one(found, "DaemonSet")["spec"]["template"]["spec"], "Pod": one(found, "Pod")["spec"]}


def containers(found):
    """All containers."""
    return [container for pod in pods(found).values() for container in (*pod.get("initContainers", ()), *pod["containers"])]


def test_fields(tap, found):
    """Fields are known and have their types, and faults are seen."""
    for path, manifest in found:
        wrong = faults(manifest)
        tap.ok(f"{path}: fields of a {manifest['kind']}", not wrong, wrong)
    breaks = {
        "unknown field": lambda pod: pod.update(hostNetworks=True), "no fields": lambda pod: pod.update(volumes=["settings"]),
        "is str, not bool": lambda pod: pod.update(hostNetwork="true"), "is no list": lambda pod: pod.update(containers={}),
        "has no containers": lambda pod: pod.pop("containers"), "has no image": lambda pod: pod["containers"][0].pop("image"),
    }
    for what, change in breaks.items():
        broken = copy.deepcopy(one(found, "DaemonSet"))
        change(broken["spec"]["template"]["spec"])
        wrong = faults(broken)
        tap.ok(f"a fault is seen: {what}", len(wrong) == 1 and what in wrong[0], wrong)
    tap.ok("a fault is seen: another version", faults(one(found, "Module") | {"apiVersion": "kmm.sigs.x-k8s.io/v1"}))


def test_names(tap, found):
    """Names lead to each other, and to this tree."""
    daemons, settings = one(found, "DaemonSet"), one(found, "ConfigMap")
    pod = pods(found)["DaemonSet"]
    labels = daemons["spec"]["template"]["metadata"]["labels"]
    tap.ok("the DaemonSet selects its pods", daemons["spec"]["selector"]["matchLabels"].items() <= labels.items(), labels)
    volumes = {volume["name"]: volume["configMap"]["name"] for volume in pod["volumes"]}
    mount, = pod["initContainers"][0]["volumeMounts"]
    tap.ok("its volume is the ConfigMap", volumes[mount["name"]] == settings["metadata"]["name"] and mount["subPath"] in settings["data"], volumes)
    tap.ok("mounted where onramp-host reads it", f"SHARPRAMP_DEFAULT:-{mount['mountPath']}}}" in text("operations/onramp-host"), mount)
    names = [line.partition("=")[0] for line in settings["data"]["sharpramp"].splitlines()]
    known = re.findall(r"^(ONRAMP_\w+)=", text("operations/sharpramp.default"), re.M)
    tap.ok("settings are those of sharpramp.default", names == known, (names, known))
    tap.ok("modules and hosts are those of one label", one(found, "Module")["spec"]["selector"] == pod["nodeSelector"])
    modprobe = one(found, "Module")["spec"]["moduleLoader"]["container"]["modprobe"]
    order, ours = modprobe["modulesLoadingOrder"], {os.path.basename(path) for path in module.MODULES}
    tap.ok("modules are ours, the first is that of its name", set(order) <= ours and order[0] == modprobe["moduleName"], order)
    wanted = {name for path in module.MODULES for name in module.MODULES[path] if os.path.basename(path) in order}
    tap.ok("depmod finds the others: none of the kernel's", wanted <= ours, wanted)
    used = {container["image"] for container in containers(found) if "application" not in container["image"]}
    version = re.match(r"sharpramp \(([^)]*)\)", text("debian/changelog"))[1]
    tap.ok("the image is that of this version, and the page builds it", used == {f"registry.example/sharpramp-tools:{version}"} and
           f"-t {''.join(used)} " in text(PAGE), used)


def installed():
    """Programs that make would install."""
    paths = set()
    for folder in INSTALLS:
        made = subprocess.run(["make", "-n", "-C", os.path.join(ROOT, folder), "install", "DESTDIR=", "PREFIX=/usr"], capture_output=True,
                              text=True, check=True).stdout
        for line in made.splitlines():
            words = shlex.split(line)[4:] if line.startswith("install -D -m 755 ") else ["-t", ""]
            paths.update([f"{words[1]}/{name}" for name in words[2:]] if words[0] == "-t" else words[-1:])
    return paths


def test_commands(tap, found):
    """Commands are installed, with no more rights than tests show to suffice."""
    commands = {container["command"][0] for container in containers(found) if "command" in container} - OTHERS
    tap.ok(f"{len(commands)} commands are installed", commands and commands <= installed(), commands - installed())
    numbers = dict(re.findall(r"\b(\w+_ADMIN)=(\d+)", text("selftests/net/onramp_pods.sh")))
    tap.ok("onramp_pods.sh drops other capabilities than two", set(numbers) == set().union(*RIGHTS.values()), numbers)
    for container in containers(found):
        rights = container.get("securityContext")
        if rights:
            added = set(rights["capabilities"].get("add", ()))
            most = RIGHTS.get(os.path.basename(container["command"][0]), set())
            tap.ok(f"{container['name']} has no more rights", added == most and rights["capabilities"]["drop"] == ["ALL"] and
                   not rights["allowPrivilegeEscalation"] and "privileged" not in rights, rights)


def test_images(tap):
    """Instructions are known, and files, packages and programs that they name are there."""
    packages = set(re.findall(r"^Package: (\S+)", text("debian/control"), re.M))
    for path in sorted(glob.glob(os.path.join(ROOT, FOLDER, "Containerfile.*"))):
        name = os.path.relpath(path, ROOT)
        lines = [line for line in text(name).splitlines() if line and not line.startswith("#")]
        wrong = [line for line in lines if line.split()[0] not in INSTRUCTIONS]
        tap.ok(f"{name}: instructions", lines[0].startswith("FROM ") and not wrong, wrong)
        content = "\n".join(lines)
        there = [program for program in re.findall(r"/sharpramp/(\S+)", content) if not os.path.exists(os.path.join(ROOT, program))]
        debs = set(re.findall(r"\b(\w[\w-]*)_\*\.deb", content))
        tap.ok(f"{name}: programs and packages", not there and debs <= packages and (debs or "/sharpramp/" in content), (there, debs))
        tap.ok(f"{name}: {PAGE} has its command", f"-f {name} " in text(PAGE))


def main():
    usage.check(__doc__, not sys.argv[1:])
    tap = Tap()
    if not yaml:
        tap.skip("kubernetes", "no python3-yaml: make deps, or apt install python3-yaml")
        tap.end()
    found = manifests()
    test_fields(tap, found)
    test_names(tap, found)
    test_commands(tap, found)
    test_images(tap)
    tap.end()


if __name__ == "__main__":
    main()
