# SPDX-License-Identifier: GPL-2.0
"""The kernels that are booted: Debian's stock ones, those of the installed headers, and the lab's for two CPUs."""

import dataclasses
import glob
import lzma
import os
import shutil
import subprocess
import sys

import cache

SERIES = ("6.1", "6.12")
# Of each series, and what Debian calls them: the kernel of the installed headers, the one with drivers of machines that are not
# virtual, and the one for real time.
FLAVOURS = {"cloud": "cloud-amd64", "generic": "amd64", "rt": "rt-amd64"}
PACKAGED = tuple(FLAVOURS.values())
SMP = "smp"             # the lab's kernel for two CPUs


class StockError(Exception):
    """A stock kernel cannot be had; the text says what to do."""


@dataclasses.dataclass(frozen=True)
class Stock:
    """One kernel: its release, build folder, boot image, and the folder that holds lib/modules."""

    release: str
    kdir: str
    vmlinuz: str
    root: str


def headers(series):
    """Return the build folder of the newest installed cloud headers of a series, such as 6.1."""
    found = [path for path in glob.glob(f"/usr/src/linux-headers-{series}.*-cloud-amd64")
             if os.path.isfile(os.path.join(path, "Makefile"))]
    if not found:
        name = "linux-headers-cloud-amd64" if series == "6.1" else f"linux-headers-{series}-cloud-amd64"
        raise StockError(f"no headers of kernel {series}: make deps, or apt install {name}")
    return max(found, key=os.path.getmtime)


def installed_version(release):
    """Return the package version of the headers of a release."""
    run = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", f"linux-headers-{release}"],
                         capture_output=True, text=True, check=False)
    if run.returncode:
        raise StockError(f"linux-headers-{release} is not an installed package: {run.stderr.strip()}")
    return run.stdout


def download(package, version, part):
    """Fetch a package that goes with the headers and unpack it into a folder; nothing is installed."""
    package = f"{package}={version}"
    print(f"fetching {package} ...", file=sys.stderr, flush=True)
    os.makedirs(part, exist_ok=True)
    run = subprocess.run(["apt-get", "-q", "download", package], cwd=part, capture_output=True, text=True, check=False)
    debs = glob.glob(os.path.join(part, "*.deb"))
    if run.returncode or len(debs) != 1:
        raise StockError(f"apt-get download {package} failed (is the package list up to date with the headers? "
                         f"apt-get update): {run.stderr.strip()}")
    subprocess.run(["dpkg", "-x", debs[0], part], check=True)
    os.unlink(debs[0])


def sister(series, packaged):
    """Return release and package version of another flavour of the kernel whose cloud headers are installed."""
    cloud = os.path.basename(headers(series)).removeprefix("linux-headers-")
    return cloud.removesuffix(PACKAGED[0]) + packaged, installed_version(cloud)


def packaged_headers(series, packaged):
    """Return the build folder of one of PACKAGED, fetching it where it is not the installed one.

    What it shares with others is where the installed one has it. Real time has that patched, and is given it.
    """
    if packaged == PACKAGED[0]:
        return headers(series)
    release, version = sister(series, packaged)
    own = f"usr/src/linux-headers-{release}"

    def make(part):
        download(f"linux-headers-{release}", version, part)
        if packaged == "rt-amd64":
            common = f"linux-headers-{release.removesuffix(packaged)}common-rt"
            download(common, version, part)
            with open(os.path.join(part, own, "Makefile"), "w", encoding="ascii") as file:
                file.write(f"include ../{common}/Makefile\n")
        # Its links to the build tools are relative, and lead there.
        os.symlink("/usr/lib", os.path.join(part, "usr/lib"))
    root = cache.made(f"headers-{release}", cache.digest(version), make)
    return os.path.join(root, own)


def generic_headers(series):
    """Return the build folder of the kernel for machines that are not virtual, fetching it."""
    return packaged_headers(series, "amd64")


def fetched(series, packaged):
    """Return the Stock of one of PACKAGED whose headers are not the installed ones, fetching it."""
    release, version = sister(series, packaged)
    root = cache.made(f"kernel-{release}", cache.digest(version),
                      lambda part: download(f"linux-image-{release}", version, part))
    return Stock(release, packaged_headers(series, packaged), os.path.join(root, f"boot/vmlinuz-{release}"), root)


def smp():
    """Return the lab's kernel for two CPUs as if it were a stock one; all of it but our modules is in its image."""
    build = subprocess.run([os.path.join(cache.ROOT, "lab/kernel/build"), SMP], stdout=subprocess.PIPE, text=True, check=False)
    if build.returncode:
        raise StockError("lab/kernel/build smp failed; its messages are above")
    kdir = build.stdout.split()[-1]
    with open(os.path.join(kdir, "include/config/kernel.release"), encoding="ascii") as file:
        release = file.read().strip()

    def make(part):
        subprocess.run(["make", "-s", "-C", kdir, f"INSTALL_MOD_PATH={part}", "modules_install"], check=True)
    root = cache.made(f"kernel-{release}", cache.digest(os.path.join(kdir, "fingerprint")), make)
    return Stock(release, kdir, os.path.join(kdir, "arch/x86/boot/bzImage"), root)


def find(series, flavour="cloud"):
    """Return the Stock of a series, fetching its packages where they are not installed."""
    if series == SMP:
        return smp()
    if series not in SERIES or flavour not in FLAVOURS:
        raise StockError(f"kernel {series!r} {flavour!r} is not one of {', '.join(SERIES)}, {', '.join(FLAVOURS)}; {SMP}")
    if flavour != "cloud":
        return fetched(series, FLAVOURS[flavour])
    kdir = headers(series)
    release = os.path.basename(kdir).removeprefix("linux-headers-")
    image = f"boot/vmlinuz-{release}"
    if os.access(f"/{image}", os.R_OK) and os.path.isdir(f"/lib/modules/{release}/kernel"):
        return Stock(release, kdir, f"/{image}", "/")
    version = installed_version(release)
    root = cache.made(f"kernel-{release}", cache.digest(version), lambda part: download(f"linux-image-{release}", version, part))
    return Stock(release, kdir, os.path.join(root, image), root)


# What the tests use of the stock kernel, by the names in modules.dep; their dependencies follow.
WANTED = (
    "kernel/drivers/virtio/virtio_pci", "kernel/drivers/net/virtio_net", "kernel/drivers/net/vmxnet3/vmxnet3",
    "kernel/drivers/net/ethernet/intel/e1000e/e1000e", "kernel/drivers/net/veth", "kernel/drivers/net/dummy",
    "kernel/drivers/net/ifb", "kernel/net/8021q/8021q", "kernel/net/bridge/bridge",
    "kernel/net/ipv4/tcp_bbr", "kernel/net/ipv4/tcp_dctcp", "kernel/net/ipv4/tcp_diag", "kernel/net/core/pktgen",
    "kernel/net/netfilter/nf_conntrack", "kernel/net/netfilter/nft_queue", "kernel/net/netfilter/nfnetlink_queue",
    *(f"kernel/net/sched/sch_{name}" for name in ("drr ets fq fq_codel codel htb ingress mqprio multiq netem pie plug prio "
                                                  "qfq red sfq tbf").split()),
    *(f"kernel/net/sched/{name}" for name in "act_gact act_mirred cls_basic cls_fw cls_matchall cls_u32".split()),
)


def needed(dep_file):
    """Return the module files, relative to the module folder, that WANTED stands for."""
    deps = {}
    with open(dep_file, encoding="ascii") as lines:
        for line in lines:
            name, _, rest = line.partition(":")
            deps[name] = rest.split()
    chosen, todo = set(), [name for name in deps if name.split(".ko")[0] in WANTED]
    while todo:
        name = todo.pop()
        if name not in chosen:
            chosen.add(name)
            todo += deps[name]
    return sorted(chosen)


def make_modules(stock, ours, part):
    """Make a folder with lib/modules: the stock modules that are needed, our own, depmod's data."""
    source = os.path.join(stock.root, "lib/modules", stock.release)
    target = os.path.join(part, "lib/modules", stock.release)
    os.makedirs(os.path.join(target, "updates"))
    if not os.path.exists(os.path.join(source, "modules.dep")):
        subprocess.run(["depmod", "-b", stock.root, stock.release], check=True)
    for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
        shutil.copy(os.path.join(source, name), target)
    for name in needed(os.path.join(source, "modules.dep")):
        there = os.path.join(target, name.split(".ko")[0] + ".ko")
        os.makedirs(os.path.dirname(there), exist_ok=True)
        with (lzma.open if name.endswith(".xz") else open)(os.path.join(source, name), "rb") as module:
            with open(there, "wb") as out:
                out.write(module.read())
    for path in ours:
        shutil.copy(path, os.path.join(target, "updates"))
    subprocess.run(["depmod", "-b", part, stock.release], check=True)


def modules(stock, ours):
    """Return the folder that make_modules() made, from the cache if it was made before."""
    key = cache.digest(stock.root, *ours, os.path.abspath(__file__))
    return cache.made(f"modules-{stock.release}", key, lambda part: make_modules(stock, ours, part))
