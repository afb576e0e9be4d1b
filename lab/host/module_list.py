# SPDX-License-Identifier: GPL-2.0
"""Kernel modules, programs and scripts of this project in the lab, and their places in the guest."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Module:
    """A kernel module: where its build leaves it, and what makes a run need it."""

    path: str               # in the tree that is built, FOLDER/NAME.ko
    tree: str = "."         # of the repository: where kbuild starts
    kinds: tuple = ()       # it is loaded if one of these qdiscs is set up; none: always

    @property
    def name(self):
        """Its name in the guest."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True)
class Program:
    """A program or plugin: the folder whose Makefile builds it with O=, and where the guest has it."""

    folder: str
    name: str
    place: str              # {plugins}: where the guest's tc looks for plugins
    kind: str = "bin"       # of the image's manifest: bin with its libraries, or file
    variables: tuple = ()   # of its Makefile


# In the order of loading: a module stands below those that it needs.
MODULES = (
    Module("kernel/hook/onramp_hook.ko"),
    Module("labnic.ko", tree="lab/labnic"),
    Module("sch_ecnsharp/sch_ecnsharp.ko", kinds=("ecnsharp",)),
    Module("kernel/core/onramp.ko", kinds=("onramp",)),
    Module("sch_onramp/sch_onramp.ko", kinds=("onramp",)),
    Module("onramp_acker/onramp_acker.ko", kinds=("onramp",)),
    Module("sch_cp/sch_cp.ko", kinds=("cp",)),
)

# Files that every run has.
PROGRAMS = (
    Program("lab/guest", "init", "/init"),
    Program("lab/guest", "phcline", "/usr/bin/phcline"),
    Program("lab/guest", "truth", "/usr/bin/truth"),
    # Hosts are namespaces, whose addresses have no device.
    Program("lab/traffic", "flowgen", "/usr/bin/flowgen", variables=("NETLINK=",)),
)

# Files that only some runs need are added to the image that all have, so that a change of it leaves the others' results alone.
# By qdisc:
QDISCS = {
    "cp": (Program("tc-plugins", "q_cp.so", "{plugins}q_cp.so", "file"),),
    "ecnsharp": (Program("tc-plugins", "q_ecnsharp.so", "{plugins}q_ecnsharp.so", "file"),),
    "onramp": (Program("tc-plugins", "q_onramp.so", "{plugins}q_onramp.so", "file"),
               Program("tc-plugins/onrampctl", "onrampctl", "/usr/bin/onrampctl")),
}

# In scenarios with clocks that are kept:
HUYGENS = (
    Program("huygens-lite", "huygens-lite", "/usr/sbin/huygens-lite"),
    Program("huygens-lite", "huygensctl", "/usr/bin/huygensctl"),
)

# In scenarios with thresholds that are tuned:
ACC = (
    Program("acc-tuner", "acc-tuner", "/usr/sbin/acc-tuner"),
    Program("acc-tuner", "accctl", "/usr/bin/accctl"),
)

# (source, place in the guest)
SCRIPTS = (("lab/guest/poll", "/usr/bin/poll"), ("lab/guest/delays", "/usr/bin/delays"), ("lab/guest/huygens", "/usr/bin/huygens"))


def _arguments(qdiscs):
    return {argument for qdisc in qdiscs for argument in qdisc}


def programs(qdiscs):
    """Entries of QDISCS for a run that sets up these qdiscs, each a list of arguments for tc."""
    arguments = _arguments(qdiscs)
    return [added for qdisc, added in QDISCS.items() if qdisc in arguments]


def needed(qdiscs):
    """Names of the modules for a run that sets up these qdiscs, each a list of arguments for tc, in the order of loading."""
    arguments = _arguments(qdiscs)
    return [module.name for module in MODULES if not module.kinds or arguments & set(module.kinds)]
