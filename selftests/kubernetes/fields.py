# SPDX-License-Identifier: GPL-2.0
"""Fields of the interfaces of Kubernetes that contrib/kubernetes uses, and a manifest's differences from them. No side effects.

A type is a Python type, a list with the type of its members, or a dictionary of fields; a field with a "!" must be there, and a "*"
stands for any name.
"""

METADATA = {"name!": str, "namespace": str, "labels": {"*": str}}
CAPABILITIES = {"drop": [str], "add": [str]}
SECURITY = {"allowPrivilegeEscalation": bool, "readOnlyRootFilesystem": bool, "runAsNonRoot": bool, "runAsUser": int, "privileged": bool,
            "capabilities": CAPABILITIES}
CONTAINER = {"name!": str, "image!": str, "command": [str], "securityContext": SECURITY,
             "volumeMounts": [{"name!": str, "mountPath!": str, "subPath": str, "readOnly": bool}]}
POD = {"hostNetwork": bool, "automountServiceAccountToken": bool, "terminationGracePeriodSeconds": int, "nodeSelector": {"*": str},
       "tolerations": [{"operator": str, "key": str, "effect": str}], "initContainers": [CONTAINER], "containers!": [CONTAINER],
       "volumes": [{"name!": str, "configMap": {"name!": str}}]}
# Kernel Module Management, config/crd/bases/kmm.sigs.x-k8s.io_modules.yaml.
MODPROBE = {"moduleName!": str, "dirName": str, "parameters": [str], "modulesLoadingOrder": [str]}
MAPPING = {"regexp": str, "literal": str, "containerImage!": str}
MODULE = {"moduleLoader!": {"container!": {"modprobe!": MODPROBE, "kernelMappings!": [MAPPING]}}, "selector!": {"*": str}}
DAEMONS = {"selector!": {"matchLabels!": {"*": str}}, "template!": {"metadata!": {"labels!": {"*": str}}, "spec!": POD},
           "updateStrategy": {"type!": str, "rollingUpdate": {"maxUnavailable": int}}}

# By apiVersion and kind.
KINDS = {
    ("v1", "Namespace"): {},
    ("v1", "ConfigMap"): {"data!": {"*": str}},
    ("v1", "Pod"): {"spec!": POD},
    ("apps/v1", "DaemonSet"): {"spec!": DAEMONS},
    ("kmm.sigs.x-k8s.io/v1beta1", "Module"): {"spec!": MODULE},
}


def differences(value, wanted, where):
    """Differences of a value from a type, each with its place; none of a value that is as it must be."""
    if isinstance(wanted, list):
        if not isinstance(value, list):
            return [f"{where} is no list"]
        return [one for number, member in enumerate(value) for one in differences(member, wanted[0], f"{where}[{number}]")]
    if not isinstance(wanted, dict):
        return [] if type(value) is wanted else [f"{where} is {type(value).__name__}, not {wanted.__name__}"]
    if not isinstance(value, dict):
        return [f"{where} has no fields"]
    known = {name.rstrip("!"): kind for name, kind in wanted.items()}
    found = [f"{where} has no {name[:-1]}" for name in wanted if name.endswith("!") and name[:-1] not in value]
    for name, member in value.items():
        if name not in known and "*" not in known:
            found.append(f"{where} has an unknown field {name}")
        else:
            found += differences(member, known.get(name, known.get("*")), f"{where}.{name}")
    return found


def faults(manifest):
    """Differences of a manifest from its kind."""
    kind = manifest.get("apiVersion"), manifest.get("kind")
    if kind not in KINDS:
        return [f"unknown kind {kind}"]
    return differences(manifest, {"apiVersion!": str, "kind!": str, "metadata!": METADATA} | KINDS[kind], kind[1])
