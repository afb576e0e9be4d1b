#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: our modules on a device of netdevsim, whose driver asks for a lock of its own. TAP; the kernel says which locks are
# taken twice or in another order.
#
#   netdevsim.sh [control]
#
# control: tc adds onramp to it, and nothing waits for that.
set -u
# shellcheck source=selftests/lib/tap.sh
. /sharpramp/selftests/lib/tap.sh
SIM=/sys/bus/netdevsim

modprobe -a onramp sch_onramp sch_ecnsharp onramp_acker
echo "10 1" >$SIM/new_device
dev=$(ls $SIM/devices/netdevsim10/net)
if [ "${1-}" = control ]; then
	tc qdisc add dev "$dev" root onramp mode observe &
	sleep 2
	exit
fi

# A link that comes and goes, below a qdisc and below the acker.
changes()
{
	ip link set "$dev" up && ip link set "$dev" mtu 1400 && ip link set "$dev" down && ip link set "$dev" up
}

# Another namespace and back, with the name that it has; it is down after that.
moves()
{
	ip netns add other && ip link set "$dev" netns other && ip -n other link set "$dev" netns 1 && ip link set "$dev" up
}

tap_run "netdevsim: tc adds onramp" tc qdisc add dev "$dev" root onramp mode observe
tap_run "netdevsim: its link comes and goes below onramp" changes
tap_run "netdevsim: the acker is attached" onrampctl acker dev add "$dev"
tap_run "netdevsim: its link comes and goes below onramp and the acker" changes
tap_run "netdevsim: a dump of devices" onrampctl stamps
tap_run "netdevsim: a request for its stamps" onrampctl stamps set dev "$dev" tx tracepoint
tap_run "netdevsim: tc changes onramp" tc qdisc change dev "$dev" root onramp mode off
tap_run "netdevsim: tc puts ecnsharp there" tc qdisc replace dev "$dev" root ecnsharp
tap_run "netdevsim: its link comes and goes below ecnsharp" changes
tap_run "netdevsim: it moves to another namespace and back" moves
tap_run "netdevsim: tc adds onramp to a VLAN on it" sh -c \
	"ip link add link $dev name sim.5 type vlan id 5 && ip link set sim.5 up && tc qdisc add dev sim.5 root onramp mode observe"
tap_run "netdevsim: it comes and goes below the VLAN" changes
tap_run "netdevsim: it is removed with all that is on it" sh -c "echo 10 >$SIM/del_device"
tap_done
