#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Self-test of the lab kernel, make-initramfs and boot.py, in TAP.

    kernel_test.py [plain|debug]

Shows that a boot repeats itself to the byte whatever its surroundings, that programs, qdiscs,
tracepoints and modules work in it, and that stalls, crashes and interruptions are noticed and
leave nothing behind.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
LAB = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(LAB))
# pylint: disable=wrong-import-position
from lab.host import boot
from lab.host import confine

BOOT = [sys.executable, "-P", "-B", "-m", "lab.host.boot"]

# The search for leaked memory that ends the modules' tests in the debug kernel.
LEAKS, TAP = (os.path.join(os.path.dirname(LAB), "selftests", path) for path in ("uml/leaks.sh", "lib/tap.sh"))

# glibc picks its memcpy, strlen and the like by CPU. The same text with + leaves them as they are.
MASK = "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F,-AVX512VL,-AVX512BW,-ERMS"

APPLETS = "sh mount umount mkdir rmdir ln touch ls cat grep dmesg insmod rmmod poweroff sleep echo cp head sed"

MANIFEST = """
bin /bin/busybox
bin {work}/probe /bin/probe
bin {work}/clocks /bin/clocks
bin /sbin/ip
bin /sbin/tc
file {here}/init /init 755
file {leaks} /bin/leaks 755
file {tap} /lib/tap.sh
dir /proc
dir /sys
dir /dev
dir /run/lab
dir /tmp
node /dev/console c 5 1 600
""" + "".join(f"link busybox /bin/{applet}\n" for applet in APPLETS.split())

# Whatever could carry something of the host into a run.
REPEAT = """
set -e
export GLIBC_TUNABLES=$(cat tunables)
probe
/sbin/ip link add d0 type dummy
/sbin/ip netns add far
/sbin/ip link add v0 type veth peer name v1 netns far
/sbin/ip addr add 10.0.0.1/24 dev v0
/sbin/ip link set v0 up
/sbin/ip -n far addr add 10.0.0.2/24 dev v1
/sbin/ip -n far link set v1 up
/sbin/tc qdisc add dev v0 root netem delay 50us 20us rate 1gbit
/sbin/ip netns exec far probe serve 7000 &
sleep 0.01
probe talk 10.0.0.2 7000
wait
/sbin/ip -s addr show
/sbin/tc -s qdisc show
/sbin/ip -n far neigh show
cat /proc/uptime /proc/net/netstat /proc/net/snmp
echo "--- work done"
cat /proc/stat /proc/interrupts /proc/meminfo
"""

# From here on, output may depend on the CPU: other memcpy, other page faults.
CPU_DEPENDENT = "--- work done"

# A kernel is asked for those that its configuration has.
QDISCS = ("ets bands 3 quanta 3000 2000 1500", "codel ecn target 10us interval 240us",
          "red limit 1000000 avpkt 1000 min 80000 max 80001 burst 100 ecn nodrop bandwidth 10gbit", "fq_codel", "fq", "cake", "pie",
          "choke limit 1000 bandwidth 10mbit", "sfq", "drr", "prio", "htb", "netem delay 1ms",
          "tbf rate 10gbit burst 100k limit 1m", "hfsc", "pfifo limit 10")

ADD_QDISCS = """
set -e
/sbin/tc -V
for q in {}; do
	/sbin/ip link add d0 numtxqueues 4 type dummy
	/sbin/tc qdisc add dev d0 root handle 1: $q
	/sbin/tc qdisc show dev d0 | grep "root"
	/sbin/ip link del d0
done
cat /proc/sys/net/ipv4/tcp_available_congestion_control
"""

TRACE = """
set -e
/sbin/ip link set lo up
echo mono >/sys/kernel/tracing/trace_clock
echo 1 >/sys/kernel/tracing/events/net/net_dev_xmit/enable
echo 1 >/sys/kernel/tracing/events/tcp/tcp_probe/enable
probe serve 7000 &
sleep 0.01
probe talk 127.0.0.1 7000 >/dev/null
grep -c -m 20 net_dev_xmit: /sys/kernel/tracing/trace
grep -c -m 20 tcp_probe: /sys/kernel/tracing/trace
"""

MODULE = """
set -e
insmod hello.ko
grep hello /proc/modules
dmesg | grep -A 20 "Subtest: hello"
rmmod hello
"""

# A clock for each namespace; the packet takes a link that is just there.
CLOCKS = """
set -e
/sbin/ip netns add near
/sbin/ip netns add far
/sbin/ip link add v0 netns near type veth peer name v1 netns far
/sbin/ip -n near addr add 10.0.0.1/24 dev v0
/sbin/ip -n far addr add 10.0.0.2/24 dev v1
/sbin/ip -n near link set v0 up
/sbin/ip -n far link set v1 up
/sbin/ip -n near neigh add 10.0.0.2 lladdr $(/sbin/ip netns exec far cat /sys/class/net/v1/address) dev v0
sleep 0.1
clocks
dmesg | grep -iE "warning:|bug:|kasan:" || true
"""


# Ways to a file in the run folder's parent: all that may be read is what lies in the folder itself.
ESCAPES = """
ln -s .. up
ln -s ../secret key
mkdir inner
for path in /.. ../ /inner/../.. /up /up/; do
	! mount -t hostfs -o $path none /tmp 2>/dev/null || { echo $path: $(cat /tmp/secret); umount /tmp; }
done
mount -t hostfs none /tmp
echo the run folder >inside
cat /tmp/inside
cd inner
rmdir /tmp/inner
ln -s .. /tmp/inner
! cat secret 2>/dev/null
cd /run/lab
! cat key 2>/dev/null
touch -h -d "2001-02-03 04:05:06" key
"""


class Bench:
    """The kernel, an image and a temporary folder, which all tests share."""

    variant = None
    kernel = None
    work = None
    image = None

    @classmethod
    def prepare(cls, variant):
        """Build, or take from the cache, what the tests boot."""
        build = subprocess.run([os.path.join(LAB, "kernel", "build"), variant],
                               stdout=subprocess.PIPE, text=True, check=True)
        cls.variant = variant
        cls.kernel = build.stdout.splitlines()[-1]
        cls.work = tempfile.mkdtemp(prefix="labtest")
        for program in ("probe", "clocks"):
            subprocess.run(["gcc", "-O2", "-static", "-Wall", "-Wextra", "-Werror", "-o",
                            os.path.join(cls.work, program), os.path.join(HERE, f"{program}.c")], check=True)
        cls.image = os.path.join(cls.work, "image.cpio")
        subprocess.run([os.path.join(LAB, "image", "make-initramfs"), cls.image, "-"], text=True, check=True,
                       input=MANIFEST.format(work=cls.work, here=HERE, leaks=LEAKS, tap=TAP))


def run_folder(script, parent=None, **files):
    """Make a run folder with a guest script and further small files."""
    folder = tempfile.mkdtemp(dir=parent or Bench.work)
    for name, text in {"script": script, "tunables": MASK.replace("-", "+"), **files}.items():
        with open(os.path.join(folder, name), "w", encoding="ascii") as f:
            f.write(text)
    return folder


def read(folder, name):
    """Return what the guest wrote."""
    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
        return f.read()


def run(script, seed=1, parent=None, watchdog_s=60, **files):
    """Boot a script; return (status, what it printed)."""
    folder = run_folder(script, parent, **files)
    outcome = boot.boot(folder, Bench.kernel, Bench.image, seed, mem="256M", watchdog_s=watchdog_s)
    return outcome.status, read(folder, "result/out")


def lab_processes():
    """Process ids of everything that runs a lab kernel."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/exe") == os.path.join(Bench.kernel, "linux") and \
               os.readlink(f"/proc/{pid}/cwd").startswith(Bench.work):
                found.append(int(pid))
        except OSError:
            pass
    return found


def hello_module():
    """Build hello.ko against the lab kernel, once; return its path."""
    source = os.path.join(Bench.work, "hello")
    if not os.path.isdir(source):
        os.mkdir(source)
        shutil.copy(os.path.join(HERE, "hello.c"), source)
        with open(os.path.join(source, "Kbuild"), "w", encoding="ascii") as f:
            f.write("obj-m := hello.o\n")
        subprocess.run(["make", "-s", "-C", Bench.kernel, "ARCH=um", f"M={source}", "W=1", "modules"], check=True)
    return os.path.join(source, "hello.ko")


# Faults that hello.ko commits on request, and the message that the debug kernel must give: one for each detector that tests rely on.
WRONG = {
    "uaf": "BUG: KASAN: slab-use-after-free in hello_uaf", "shift": "UBSAN: shift-out-of-bounds in .*hello.c",
    "inversion": "WARNING: possible circular locking dependency detected",
    "sleep": "BUG: sleeping function called from invalid context at .*hello.c", "rcu": "WARNING: suspicious RCU usage",
    "timer": "ODEBUG: free active .* object type: timer_list", "list": "list_del corruption",
    "refcount": "refcount_t: addition on 0",
}


def of_debug(test):
    """A test of what only the debug kernel has."""
    test.of_debug = True
    return test


class Repeatability(unittest.TestCase):
    """A boot is a function of kernel, image, run folder and seed."""

    @classmethod
    def setUpClass(cls):
        cls.status, cls.first = run(REPEAT)

    def test_guest_script_succeeds(self):
        self.assertEqual(self.status, "ok", self.first)
        self.assertIn("answer 49 after", self.first)

    def test_same_again(self):
        self.assertEqual(run(REPEAT)[1], self.first)

    def test_same_elsewhere_under_load_and_with_another_cpu(self):
        deep = os.path.join(Bench.work, "x" * 100, "y" * 100)
        os.makedirs(deep)
        hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
        old = dict(os.environ)
        os.environ.update(HOME=deep, TMPDIR=Bench.work, LANG="de_DE", GLIBC_TUNABLES=MASK,
                          **{f"NOISE{i}": "z" * 50 * i for i in range(20)})
        try:
            again = run(REPEAT, parent=deep, tunables=MASK)[1]
        finally:
            os.environ.clear()
            os.environ.update(old)
            for hog in hogs:
                hog.kill()
                hog.wait()
        self.assertEqual(again.partition(CPU_DEPENDENT)[0], self.first.partition(CPU_DEPENDENT)[0])

    def test_other_seed_other_run(self):
        other = run(REPEAT, seed=2)[1]
        for name in ("urandom", "at_random", "addresses", "port", "answer 49", "    link/ether"):
            of = [line for line in self.first.splitlines() if line.startswith(name)]
            self.assertTrue(of, name)
            self.assertNotEqual(of, [line for line in other.splitlines() if line.startswith(name)])

    def test_random_numbers_begin_anew(self):
        script = """
        for i in 1 2 3; do probe; done
        for i in {drawn}; do probe >/dev/null; done
        sleep {slept}
        probe anew
        probe
        sleep 400
        cat /proc/sys/kernel/random/uuid
        """

        def drawn(seed, drawn, slept):
            out = run(script.format(drawn=drawn, slept=slept), seed=seed)[1]
            after = out[out.index("\nanew"):].splitlines()
            return [line for line in after if line.startswith(("anew", "urandom", "getrandom", "at_random")) or
                    line.count("-") == 4], out.partition("\nanew")[0]

        few, before = drawn(1, "", 0.01)
        many, other = drawn(1, "1 2 3 4 5 6 7", 71)
        self.assertEqual(len(few), 5, few)
        self.assertEqual(few, many)
        self.assertEqual(len(set(few)), 5)
        self.assertEqual(before, other)
        self.assertNotEqual(few, drawn(2, "", 0.01)[0])

    def test_clock_counts_single_ns(self):
        lines = dict(line.split(None, 1) for line in run("sleep 0.01; probe")[1].splitlines())
        self.assertEqual(lines["clock_res_ns"], "1")
        self.assertEqual(lines["clock_read_ns"], lines["timer_late_ns"])
        self.assertLess(int(lines["clock_read_ns"]), 100)


class Programs(unittest.TestCase):
    """The distribution's programs, our modules and the kernel's own eyes work in the lab."""

    def test_qdiscs(self):
        config = read(Bench.kernel, ".config").splitlines()
        there = [qdisc for qdisc in QDISCS if f"# CONFIG_NET_SCH_{qdisc.split()[0].upper()} is not set" not in config]
        if Bench.variant == "plain":
            self.assertEqual(there, list(QDISCS))
        status, out = run(ADD_QDISCS.format(" ".join(f'"{qdisc}"' for qdisc in there)))
        self.assertEqual(status, "ok", out)
        self.assertEqual(re.findall(r"^qdisc (\S+) 1: root", out, re.M), [qdisc.split()[0] for qdisc in there], out)
        for name in "dctcp bbr cubic reno".split():
            self.assertIn(name, out)

    def test_vector_registers_are_kept_apart(self):
        self.assertEqual(run("probe fp"), ("ok", "fp: 0 wrong\n"))

    def test_tracepoints(self):
        status, out = run(TRACE)
        self.assertEqual((status, out), ("ok", "20\n20\n"))

    def test_clocks_of_namespaces(self):
        status, out = run(CLOCKS)
        self.assertEqual(status, "ok", out)
        self.assertNotRegex(out, "not ok|Bail out|(?i:warning:|bug:|kasan:)")
        self.assertRegex(out, "1\\.\\.[1-9][0-9]")

    def test_module_with_kunit(self):
        folder = run_folder(MODULE)
        shutil.copy(hello_module(), folder)
        outcome = boot.boot(folder, Bench.kernel, Bench.image, 1, mem="256M")
        out = read(folder, "result/out")
        self.assertEqual(outcome.status, "ok", out)
        self.assertRegex(out, r"\bok 1 hello")

    def test_confined_to_run_folder(self):
        parent = tempfile.mkdtemp(dir=Bench.work)
        secret = os.path.join(parent, "secret")
        with open(secret, "w", encoding="ascii") as f:
            f.write("open sesame")
        os.utime(secret, (1, 1))
        folder = run_folder(ESCAPES, parent)
        outcome = boot.boot(folder, Bench.kernel, Bench.image, 1, mem="256M")
        out = read(folder, "result/out")
        self.assertEqual((outcome.status, out), ("ok", "the run folder\n"))
        self.assertEqual(os.stat(secret).st_mtime, 1)
        self.assertGreater(os.lstat(os.path.join(folder, "key")).st_mtime, 9e8)

    def test_confined_without_the_kernels_help(self):
        if not confine.known():
            self.skipTest("this host has no Landlock")
        folder = run_folder("the run folder", tempfile.mkdtemp(dir=Bench.work))
        os.symlink("..", os.path.join(folder, "up"))
        with open(os.path.join(folder, "../secret"), "w", encoding="ascii") as f:
            f.write("open sesame")
        done = subprocess.run(
            [boot.CONFINE, folder, Bench.image, "/bin/sh", "-c", "cat script; cat ../secret; cat up/secret; ls ..; "
             "echo >../script; rm ../secret; head -c 6 " + Bench.image + "; mkdir made; echo text >made/file; cat made/file"],
            cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual((done.stdout, done.returncode), ("the run folder070701text\n", 0), done.stderr)
        self.assertEqual(sorted(os.listdir(os.path.dirname(folder))), sorted([os.path.basename(folder), "secret"]))


class Failures(unittest.TestCase):
    """Each failure is detected and reported, and leaves no process behind."""

    def tearDown(self):
        self.assertEqual(lab_processes(), [])

    def test_error_status_is_handed_on(self):
        self.assertEqual(run("exit 3")[0], "error: script ended with 3")

    # A debug kernel takes some seconds to start on a loaded machine.
    STALLED_S = 15

    def test_busy_loop_is_named(self):
        folder = run_folder("probe spin")
        with self.assertRaisesRegex(boot.LabStalled, "probe"):
            boot.boot(folder, Bench.kernel, Bench.image, 1, mem="256M", watchdog_s=self.STALLED_S)
        self.assertIn("task:probe", read(folder, "stall.txt"))

    def test_loop_with_interrupts_off_is_located(self):
        folder = run_folder("insmod hello.ko spin=1")
        shutil.copy(hello_module(), folder)
        with self.assertRaisesRegex(boot.LabStalled, "no timer interrupt.*does not answer.*(time_travel|kunit_try_run_case)"):
            boot.boot(folder, Bench.kernel, Bench.image, 1, mem="256M", watchdog_s=self.STALLED_S)
        self.assertIn("kunit_try_run_case", read(folder, "stall.txt"))

    def test_oops_is_a_crash(self):
        with self.assertRaisesRegex(boot.LabCrashed, "sysrq|Kernel panic"):
            run("echo c >/proc/sysrq-trigger")

    @of_debug
    def test_debug_kernel_reports_what_is_wrong(self):
        for wrong, message in WRONG.items():
            folder = run_folder(f"insmod hello.ko wrong={wrong}")
            shutil.copy(hello_module(), folder)
            with self.subTest(wrong=wrong), self.assertRaisesRegex(boot.LabCrashed, message):
                boot.boot(folder, Bench.kernel, Bench.image, 1, mem="256M")

    @staticmethod
    def leaks_after(script):
        """The result of the search for leaked memory after a script, and the kernel's complaint, or ""."""
        folder = run_folder(f"{script}\nleaks")
        shutil.copy(hello_module(), folder)
        try:
            boot.boot(folder, Bench.kernel, Bench.image, 1, mem="256M")
            why = ""
        except boot.LabCrashed as crash:
            why = str(crash)
        return read(folder, "result/out"), why

    @of_debug
    def test_leaked_memory_is_found(self):
        out, why = self.leaks_after("insmod hello.ko wrong=leak; rmmod hello")
        self.assertRegex(out, "(?s)\nnot ok 2 - kmemleak finds nothing\n# unreferenced object .*\\(size 64\\):\n#   comm \"kunit_try_catch\"")
        self.assertRegex(why, r"kmemleak: \d+ new")

    @of_debug
    def test_no_leak_is_found_where_none_is(self):
        out, why = self.leaks_after("insmod hello.ko; rmmod hello")
        self.assertIn("\nok 2 - kmemleak finds nothing\n", out)
        self.assertEqual(why, "")

    @of_debug
    def test_detector_that_is_off_is_noticed(self):
        out, why = self.leaks_after("insmod hello.ko wrong=leak; rmmod hello; echo off >/sys/kernel/debug/kmemleak")
        self.assertIn("\nnot ok 2 - kmemleak finds nothing\n# it has switched itself off", out)
        self.assertIn("Kernel memory leak detector disabled", why)

    @of_debug
    def test_debug_kernel_has_its_controls(self):
        status, out = run("cd /sys/kernel/debug && ls -d fail_page_alloc failslab kmemleak && ls /proc/lockdep_stats && "
                          "echo scan >kmemleak && cat kmemleak")
        self.assertEqual((status, out), ("ok", "fail_page_alloc\nfailslab\nkmemleak\n/proc/lockdep_stats\n"))

    def test_missing_status_is_a_crash(self):
        with self.assertRaisesRegex(boot.LabCrashed, "without result/status"):
            run("poweroff -f")

    def test_out_of_memory_is_noticed(self):
        with self.assertRaises(boot.LabError):
            boot.boot(run_folder("true"), Bench.kernel, Bench.image, 1, mem="1K")

    def test_bad_parameters_are_refused(self):
        folder = run_folder("true")
        for wrong, text in (({"seed": -1}, "seed"), ({"seed": 1 << 64}, "seed"), ({"watchdog_s": 0}, "watchdog_s"),
                            ({"mem": "1T"}, "mem"), ({"kernel_dir": "/nonexistent"}, "kernel folder"),
                            ({"initrd": "/nonexistent"}, "initrd"), ({"run_dir": "/nonexistent"}, "run folder")):
            args = {"run_dir": folder, "kernel_dir": Bench.kernel, "initrd": Bench.image, "seed": 1, **wrong}
            with self.subTest(**wrong), self.assertRaisesRegex(boot.LabError, text):
                boot.boot(**args)

    def interrupted_by(self, number):
        """Run boot.py as a command, send it a signal once the guest runs, return its status."""
        folder = run_folder("echo up >up; probe spin")
        # The parent may ignore SIGINT, as background jobs of a shell do, and children inherit that.
        with subprocess.Popen([*BOOT, folder, Bench.kernel, Bench.image], env={**os.environ, "PYTHONPATH": os.path.dirname(LAB)},
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as command:
            while not os.path.exists(os.path.join(folder, "up")) and command.poll() is None:
                time.sleep(0.05)
            command.send_signal(number)
            return command.wait()

    def test_sigterm_ends_the_lab(self):
        self.assertEqual(self.interrupted_by(signal.SIGTERM), 128 + signal.SIGTERM)

    def test_sigint_ends_the_lab(self):
        self.assertEqual(self.interrupted_by(signal.SIGINT), 128 + signal.SIGINT)

    def test_sigkill_ends_the_lab(self):
        self.assertEqual(self.interrupted_by(signal.SIGKILL), -signal.SIGKILL)
        while lab_processes():      # the host takes a moment to hand on the parent's death
            time.sleep(0.05)


class Packer(unittest.TestCase):
    """lab/image/make-initramfs: equal archives from equal input, and errors that name the line."""

    @staticmethod
    def pack(manifest, cwd="/", umask=0o022):
        """Pack a manifest; return (archive or None, error text)."""
        out = tempfile.mktemp(dir=Bench.work)
        done = subprocess.run([os.path.join(LAB, "image", "make-initramfs"), out, "-"], input=manifest, cwd=cwd, umask=umask,
                              capture_output=True, text=True, check=False)
        if done.returncode:
            return None, done.stderr
        with open(out, "rb") as f:
            return f.read(), done.stderr

    def test_order_time_and_umask_do_not_matter(self):
        lines = ["bin /sbin/tc", "bin /bin/busybox", "link busybox /bin/sh", "dir /proc", "node /dev/console c 5 1 600"]
        first = self.pack("\n".join(lines))
        self.assertIsNotNone(first[0], first[1])
        os.utime(Bench.image)
        self.assertEqual(first, self.pack("\n".join(reversed(lines)), cwd=Bench.work, umask=0o077))

    def test_cpio_reads_it(self):
        folder = run_folder("hello")
        os.symlink("script", os.path.join(folder, "alias"))
        archive, error = self.pack(f"tree {folder} /t\nlink usr/lib /lib\nfile {folder}/script /lib/x 640\n")
        self.assertEqual(error, "")
        listing = subprocess.run(["cpio", "-tv", "--quiet", "--numeric-uid-gid"], input=archive, capture_output=True,
                                 check=True).stdout.decode()
        for line in ("lrwxrwxrwx .* 0 .* lib -> usr/lib", "-rw-r----- .* 0 .* 5 .* usr/lib/x", "t/alias -> script",
                     "drwxr-xr-x .* usr/lib\n"):
            self.assertRegex(listing, line)

    def test_bad_lines_are_named(self):
        for line, why in (("mount /x", "unknown directive"), ("bin", "takes 1 to 2 arguments"), ("bin /nonexistent", "is not a file"),
                          ("bin /etc/passwd", "neither ELF nor"), ("file /etc/passwd /x 99", "mode '99' must be octal"),
                          ("node /x q 1 1 0", "must be c or b"), ("node /x c 5000 1 0", "0..4095"), ("dir /a/../b", "without .."),
                          ("tree /etc/passwd /x", "is not a folder"), ("dir /x\nlink y /x/z\nfile /etc/passwd /x", "other content"),
                          ("link a /b\nlink b /a\ndir /a/c", "circle")):
            with self.subTest(line=line):
                archive, error = self.pack("# comment\n" + line)
                self.assertIsNone(archive)
                self.assertIn(why, error)
                self.assertRegex(error, f"line {line.count(chr(10)) + 2}:")


class TapResult(unittest.TestResult):
    """Prints one TAP line a test."""

    def report(self, test, error=None):
        """One line, and the error as comments."""
        print(f"{'not ok' if error else 'ok'} {self.testsRun} {test.id().split('.', 1)[1]}", flush=True)
        for line in (error or "").splitlines():
            print(f"# {line}")

    def addSuccess(self, test):
        super().addSuccess(test)
        self.report(test)

    def addError(self, test, err):
        super().addError(test, err)
        self.report(test, self.errors[-1][1])

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.report(test, self.failures[-1][1])

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"ok {self.testsRun} {test.id().split('.', 1)[1]} # SKIP {reason}", flush=True)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self.report(subtest, (self.failures + self.errors)[-1][1])


def there(suite):
    """The tests of a suite that this kernel is there for."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from there(test)
        elif Bench.variant == "debug" or not hasattr(getattr(test, test.id().rpartition(".")[2]), "of_debug"):
            yield test


def main(argv):
    """Run all tests; the exit status says whether all passed."""
    if argv[1:] not in ([], ["plain"], ["debug"]):
        print("usage: run [plain|debug]", file=sys.stderr)
        return 2
    Bench.prepare(argv[1] if argv[1:] else "plain")
    try:
        suite = unittest.TestSuite(there(unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])))
        print("TAP version 13")
        print(f"1..{suite.countTestCases()}", flush=True)
        result = suite.run(TapResult())
    finally:
        shutil.rmtree(Bench.work)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
