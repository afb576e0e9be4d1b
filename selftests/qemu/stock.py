# SPDX-License-Identifier: GPL-2.0
"""The kernels that are booted: Debian's stock ones, those of the installed headers, and the lab's two for two CPUs."""

import dataclasses
import functools
import glob
import lzma
import os
import re
import shutil
import subprocess

import cache
import debian

SERIES = ("6.1", "6.12")
NEWEST = "newest"       # of the backports of the newest Debian, whatever they have today
# The Debian that a series is of where this machine has no headers of it. The newest one's backports have those between.
HOMES = {"6.1": 12, "6.12": 12}
BACKPORTS = 13
# Kernels of each series, and their names in Debian: the kernel of the installed headers, the one with drivers of machines that are not
# virtual, and the one for real time.
FLAVOURS = {"cloud": "cloud-amd64", "generic": "amd64", "rt": "rt-amd64"}
PACKAGED = tuple(FLAVOURS.values())
SMP = "smp"             # the lab's kernel for two CPUs
KCSAN = "kcsan"         # that with KCSAN
SMP_NEWEST = "smp-newest"     # that from the sources of NEWEST
LABS = (SMP, KCSAN, SMP_NEWEST)
# Packages of a root in which modules are built with headers, in addition to their dependencies.
BUILDERS = ("gcc", "make", "libc6-dev", "kmod")


class StockError(Exception):
    """A stock kernel cannot be had; the text says what to do."""


@dataclasses.dataclass(frozen=True)
class Stock:
    """One kernel: its release, build folder, boot image, and the folder that holds lib/modules."""

    release: str
    kdir: str
    vmlinuz: str
    root: str


def series_of(release):
    """Return the series of a release, such as 6.12 of 6.12.117+deb12-cloud-amd64."""
    return ".".join(release.split(".")[:2])


@functools.cache
def archived(number):
    """Return {series: the newest release's name without the flavour} of the headers that a Debian's archive has."""
    names = [name[len("linux-headers-"):-len("-cloud-amd64")] for name in debian.offered(number, r"linux-headers-[0-9].*-cloud-amd64")]
    names.sort(key=lambda name: [int(digits) for digits in re.findall(r"\d+", name)])
    return {series_of(name): name for name in names}


def home(series):
    """Return the Debian that has a series, and its newest release there without the flavour."""
    number = HOMES.get(series, BACKPORTS)
    try:
        there = archived(number)
    except debian.DebianError as why:
        raise StockError(str(why)) from why
    # In the order of their numbers.
    series = list(there)[-1] if series == NEWEST and there else series
    if series not in there:
        raise StockError(f"the archive of Debian {number} has no headers of kernel {series}: it has {', '.join(there) or 'none'}")
    return number, there[series]


def installed(series):
    """Return the build folder of the newest installed cloud headers of a series, or None."""
    found = [path for path in glob.glob(f"/usr/src/linux-headers-{series}.*-cloud-amd64")
             if os.path.isfile(os.path.join(path, "Makefile"))]
    return max(found, key=os.path.getmtime, default=None)


def root_of(kdir):
    """Return the root of another Debian that a build folder is in, or None; scripts/make-for asks the same."""
    root = kdir.partition("/usr/src/")[0]
    return root if root and os.path.exists(os.path.join(root, "etc/debian_version")) else None


@functools.cache
def headers(series):
    """Return the build folder of the cloud headers of a series, such as 6.1, or NEWEST: installed ones, or in a root of their Debian."""
    there = installed(series)
    if there:
        return there
    number, release = home(series)
    own = f"usr/src/linux-headers-{release}-{PACKAGED[0]}"
    if os.path.isfile(f"/{own}/Makefile"):
        return f"/{own}"
    try:
        return os.path.join(debian.root(f"root-{release}", number, [*BUILDERS, *(f"linux-headers-{release}-{packaged}"
                                                                                  for packaged in PACKAGED)]), own)
    except debian.DebianError as why:
        raise StockError(f"no headers of kernel {series}: {why}") from why


def reachable(series):
    """Tell whether this user can build for a series: headers that are not installed want a root of their Debian."""
    return series in LABS or bool(series != NEWEST and installed(series)) or debian.possible()


def installed_version(release):
    """Return the package version of the headers of a release."""
    run = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", f"linux-headers-{release}"],
                         capture_output=True, text=True, check=False)
    if run.returncode:
        raise StockError(f"linux-headers-{release} is not an installed package: {run.stderr.strip()}")
    return run.stdout


def download(packages, part, number=None):
    """Fetch packages that go with headers and unpack them into a folder; nothing is installed."""
    try:
        debian.download(number, packages, part)
    except debian.DebianError as why:
        raise StockError(f"{why}\n(is the package list up to date with the headers? apt-get update)") from why
    # Packages of a merged /usr have no /lib.
    if os.path.isdir(os.path.join(part, "usr/lib/modules")) and not os.path.exists(os.path.join(part, "lib")):
        os.symlink("usr/lib", os.path.join(part, "lib"))


def image_packages(number, release, version, suffix=""):
    """Return the packages, with their version, of a kernel's image; since 7.0 that is in more than one. The suffix is :ARCHITECTURE."""
    named = rf"linux-(?:base|binary|modules)-{re.escape(release)}"
    wants = debian.newest(number, f"linux-image-{release}{suffix}").get("Depends", "")
    return [f"{name}{suffix}={version}" for name in (f"linux-image-{release}", *re.findall(rf"(?<!\S){named}(?!\S)", wants))]


def sister(series, packaged):
    """Return release and package version of another flavour of the kernel whose cloud headers are had."""
    kdir = headers(series)
    cloud = os.path.basename(kdir).removeprefix("linux-headers-")
    if root_of(kdir):
        version = debian.newest(home(series)[0], f"linux-headers-{cloud}")["Version"]
    else:
        version = installed_version(cloud)
    return cloud.removesuffix(PACKAGED[0]) + packaged, version


def packaged_headers(series, packaged):
    """Return the build folder of one of PACKAGED, fetching it where it is not the installed one.

    What it shares with others is where the installed one has it. Real time has that patched, and is given it.
    """
    kdir = headers(series)
    if packaged == PACKAGED[0] or root_of(kdir):
        return kdir.removesuffix(PACKAGED[0]) + packaged
    release, version = sister(series, packaged)
    own = f"usr/src/linux-headers-{release}"

    def make(part):
        download([f"linux-headers-{release}={version}"], part)
        if packaged == "rt-amd64":
            common = f"linux-headers-{release.removesuffix(packaged)}common-rt"
            download([f"{common}={version}"], part)
            with open(os.path.join(part, own, "Makefile"), "w", encoding="ascii") as file:
                file.write(f"include ../{common}/Makefile\n")
        # Its links to the build tools are relative, and lead there.
        os.symlink("/usr/lib", os.path.join(part, "usr/lib"))
    root = cache.made(f"headers-{release}", cache.digest(version), make)
    return os.path.join(root, own)


def generic_headers(series):
    """Return the build folder of the kernel for machines that are not virtual, fetching it."""
    return packaged_headers(series, "amd64")


def newest_source():
    """Return the archive with the sources of NEWEST, fetching its package."""
    try:
        number, release = home(NEWEST)
        package = f"linux-source-{series_of(release)}"
        wanted, = debian.versions(number, package)
        root = cache.made(package, cache.digest(wanted), lambda part: debian.download(number, [wanted], part))
    except debian.DebianError as why:
        raise StockError(str(why)) from why
    return os.path.join(root, f"usr/src/{package}.tar.xz")


def lab(name):
    """Return one of the lab's kernels for two CPUs as if it were a stock one; all of it but our modules is in its image."""
    arguments = [name, newest_source()] if name == SMP_NEWEST else [name]
    build = subprocess.run([os.path.join(cache.ROOT, "lab/kernel/build"), *arguments], stdout=subprocess.PIPE, text=True, check=False)
    if build.returncode:
        raise StockError(f"lab/kernel/build {name} failed; its messages are above")
    kdir = build.stdout.split()[-1]
    with open(os.path.join(kdir, "include/config/kernel.release"), encoding="ascii") as file:
        release = file.read().strip()

    def make(part):
        subprocess.run(["make", "-s", "-C", kdir, f"INSTALL_MOD_PATH={part}", "modules_install"], check=True)
    root = cache.made(f"kernel-{release}", cache.digest(os.path.join(kdir, "fingerprint")), make)
    return Stock(release, kdir, os.path.join(kdir, "arch/x86/boot/bzImage"), root)


def bootable(root, release):
    """Return the boot image of a kernel that is below a root with its modules, or None."""
    modules = os.path.join(root, "lib/modules", release)
    found = [path for path in (os.path.join(root, f"boot/vmlinuz-{release}"), os.path.join(modules, "vmlinuz")) if os.access(path, os.R_OK)]
    return found[0] if found and os.path.isdir(os.path.join(modules, "kernel")) else None


def find(series, flavour="cloud"):
    """Return the Stock of a series, fetching its packages where they are not installed."""
    if series in LABS:
        return lab(series)
    if flavour not in FLAVOURS:
        raise StockError(f"flavour {flavour!r} is not one of {', '.join(FLAVOURS)}")
    kdir = packaged_headers(series, FLAVOURS[flavour])
    release, version = sister(series, FLAVOURS[flavour])
    if bootable("/", release):
        return Stock(release, kdir, bootable("/", release), "/")
    number = home(series)[0] if root_of(headers(series)) else None
    packages = image_packages(number, release, version)
    root = cache.made(f"kernel-{release}", cache.digest(*packages), lambda part: download(packages, part, number))
    return Stock(release, kdir, bootable(root, release), root)


def foreign(number, kdir, architecture):
    """Return the Stock of another architecture whose headers are in a root of a Debian, fetching its packages."""
    release = os.path.basename(kdir).removeprefix("linux-headers-")
    version = debian.newest(number, f"linux-image-{release}:{architecture}")["Version"]
    packages = image_packages(number, release, version, f":{architecture}")
    root = cache.made(f"kernel-{release}", cache.digest(*packages), lambda part: download(packages, part, number))
    return Stock(release, kdir, bootable(root, release), root)


# Modules of the stock kernel that the tests use, by the names in modules.dep; their dependencies follow.
WANTED = (
    "kernel/drivers/virtio/virtio_pci", "kernel/drivers/net/virtio_net", "kernel/drivers/net/vmxnet3/vmxnet3",
    "kernel/drivers/net/ethernet/intel/e1000e/e1000e", "kernel/drivers/net/ethernet/intel/igb/igb", "kernel/drivers/net/veth", "kernel/drivers/net/dummy",
    "kernel/drivers/net/ifb", "kernel/drivers/net/vrf", "kernel/drivers/net/bonding/bonding", "kernel/net/8021q/8021q", "kernel/net/bridge/bridge",
    "kernel/net/tls/tls", "kernel/crypto/gcm", "kernel/crypto/ghash-generic",
    "kernel/drivers/net/macvlan", "kernel/drivers/net/tun", "kernel/drivers/net/ipvlan/ipvlan",
    "kernel/net/ipv4/tcp_bbr", "kernel/net/ipv4/tcp_dctcp", "kernel/net/ipv4/tcp_diag", "kernel/net/core/pktgen",
    "kernel/net/netfilter/nf_conntrack", "kernel/net/netfilter/nft_queue", "kernel/net/netfilter/nfnetlink_queue",
    *(f"kernel/net/sched/sch_{name}" for name in ("drr ets fq fq_codel codel htb ingress mqprio multiq netem pie plug prio "
                                                  "qfq red sfq tbf").split()),
    *(f"kernel/net/sched/{name}" for name in "act_gact act_mirred cls_basic cls_bpf cls_fw cls_matchall cls_u32".split()),
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


def make_modules(stock, own, part):
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
    for path in own:
        shutil.copy(path, os.path.join(target, "updates"))
    subprocess.run(["depmod", "-b", part, stock.release], check=True)


def modules(stock, own):
    """Return the folder that make_modules() made, from the cache if it was made before."""
    key = cache.digest(stock.root, *own, os.path.abspath(__file__))
    return cache.made(f"modules-{stock.release}", key, lambda part: make_modules(stock, own, part))
