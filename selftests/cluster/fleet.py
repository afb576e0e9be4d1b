# SPDX-License-Identifier: GPL-2.0
"""Three machines in a row, each with our packages installed: sender - router - receiver. Their two wires are outside of them.

Time is this machine's, for all three: they share nothing else. The clocks are read from a device that it drives; what a guest takes
the frequency of its TSC for depends on how busy the host was.
"""

import contextlib
import os

import root
import accel
import machine
from talk import Host
from wire import Wire

# Bit/s, bytes of the queue and ns of each wire: more than any machine sends, so that packets wait where the router has them wait.
# The time of a path may be the clock's error until the daemon has seen many ways that take as long, and here no two do.
WIRE = 200_000_000, 4_000_000, 500_000
CLOCK = "clocksource=acpi_pm"
# NICs of each machine, eth0 and so on: wire, end of the wire, address in a net of 24 bits.
NICS = {"sender": (("near", "a", "10.0.1.1"),),
        "router": (("near", "b", "10.0.1.254"), ("far", "a", "10.0.2.254")),
        "receiver": (("far", "b", "10.0.2.1"),)}
WAYS_OUT = {"sender": "10.0.1.254", "receiver": "10.0.2.254"}
ADDRESS = {name: nics[0][2] for name, nics in NICS.items()}
# In the machine, in addition to what is installed.
DRIVER = "/sharpramp/virtio_net.ko"


def options(name, how, wires):
    """How to run one of them."""
    number = list(NICS).index(name)
    nics = tuple((f"virtio-net-pci,mac=52:54:00:00:{number:02}:{place:02}", *wires[wire].ends(end))
                 for place, (wire, end, _) in enumerate(NICS[name]))
    return machine.Options(smp=1, memory=2048, timeout=900, accel=how, wires=nics,
                           append=f"{root.ARGS} {CLOCK} net.ifnames=0 systemd.hostname={name}")


@contextlib.contextmanager
def started(kernel, folder, driver):
    """Switch them on; {name: Host}. The driver is put where each machine has DRIVER."""
    image = os.path.join(folder, "image")
    root.image(image, root.installed(), os.path.join(os.path.dirname(os.path.abspath(__file__)), "commands.sh"),
               f"file {driver} {DRIVER}")
    wires = {}
    for name in ("near", "far"):
        os.mkdir(os.path.join(folder, name))
        wires[name] = Wire(os.path.join(folder, name), *WIRE)
        wires[name].start()
    how = accel.choose(kernel)
    with contextlib.ExitStack() as stack:
        yield {name: stack.enter_context(Host(kernel.vmlinuz, image, options(name, how, wires))) for name in NICS}
    for wire in wires.values():
        wire.end()
