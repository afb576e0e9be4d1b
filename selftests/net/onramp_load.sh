#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The modules of On-Ramp: in which order they come and go, what is refused, and what loads them.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

loaded()
{
	local module found=''

	for module in onramp sch_onramp onramp_acker; do
		[ ! -d "/sys/module/$module" ] || found="$found $module"
	done
	echo "${found# }"
}

# load MODULE [PARAMETER=VALUE]: by insmod, which loads nothing else
load()
{
	insmod "$(modinfo -n "$1")" "${@:2}"
}

out_again()
{
	rmmod onramp_acker 2>/dev/null || true
	rmmod sch_onramp 2>/dev/null || true
	rmmod onramp 2>/dev/null || true
	expect "loaded" "$(loaded)" ""
}

# The kernel's log says which symbol is missing, and all of this project begin with the name of the module that has them.
core_first()
{
	local module mark

	for module in sch_onramp onramp_acker; do
		mark="onramp_load: $module comes, $$"
		echo "$mark" >/dev/kmsg
		expect_refused "$module before onramp" "Unknown symbol" load "$module"
		expect_ge "symbols that the log names" "$(dmesg | sed "1,/$mark/d" | grep -c "$module: Unknown symbol onramp_")" 1
		expect "loaded" "$(loaded)" ""
		result "$module is refused before onramp, and the log says why"
	done
	for module in onramp sch_onramp onramp_acker; do
		expect_done "$module" load "$module"
	done
	expect "loaded" "$(loaded)" "onramp sch_onramp onramp_acker"
	result "onramp first, then the others"
}

parameters()
{
	local name value
	local -A default=([tenant_flows]=65536 [tenant_paths]=16384 [tenant_acked_flows]=16384)

	for name in "${!default[@]}"; do
		for value in -1 many ''; do
			expect_refused "$name=$value" "Invalid parameters" load onramp "$name=$value"
		done
		expect_refused "$name=4294967296" "Numerical result out of range" load onramp "$name=4294967296"
		expect "loaded" "$(loaded)" ""
		for value in '' 0; do
			expect_done "$name=$value" load onramp ${value:+"$name=$value"}
			expect "$name" "$(cat "/sys/module/onramp/parameters/$name")" "${value:-${default[$name]}}"
			out_again
		done
		result "onramp has a default $name, takes another, and is not loaded with what is none"
	done
}

# put NAME VALUE: as it runs
put()
{
	echo "$2" >"/sys/module/onramp/parameters/$1"
}

# as_user COMMAND...: as user nobody
as_user()
{
	python3 -c 'import os, sys
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
os.execvp(sys.argv[1], sys.argv[1:])' "$@"
}

parameters_at_run_time()
{
	local name value

	expect_done "onramp" load onramp
	for name in tenant_flows tenant_paths tenant_acked_flows; do
		put "$name" 7
		for value in -1 many '' 7.5; do
			expect_refused "$name=$value" "Invalid argument" put "$name" "$value"
		done
		expect_refused "$name=4294967296" "Numerical result out of range" put "$name" 4294967296
		expect "$name" "$(cat "/sys/module/onramp/parameters/$name")" 7
		for value in 0 4294967295; do
			expect_done "$name=$value" put "$name" "$value"
			expect "$name" "$(cat "/sys/module/onramp/parameters/$name")" "$value"
		done
	done
	expect "parameters" "$(echo /sys/module/onramp/parameters/* | wc -w)" 4
	expect "those of another mode or owner" "$(find /sys/module/onramp/parameters -type f ! \( -perm 644 -user 0 \))" \
		/sys/module/onramp/parameters/untried
	expect "parameters that can be written of the others" \
		"$(find /sys/module/{sch_onramp,sch_ecnsharp,onramp_acker,onramp_hook}/parameters -type f -perm /222 2>/dev/null)" ""
	expect "the mode of untried" "$(command stat -c %a /sys/module/onramp/parameters/untried)" 444
	result "what is no value of a parameter is refused as it runs, too, and changes nothing"

	value='echo 5 >/sys/module/onramp/parameters/tenant_flows'
	expect_refused "a user" "Permission denied" as_user sh -c "$value"
	! as_user unshare -Urn true 2>/dev/null ||
		expect_refused "root of a user namespace" "Permission denied" as_user unshare -Urn sh -c "$value"
	expect "tenant_flows" "$(cat /sys/module/onramp/parameters/tenant_flows)" 4294967295
	result "nobody but the machine's root writes them"
	out_again
}

core_last()
{
	expect_refused "rmmod onramp" "in use by: " rmmod onramp
	expect_done "rmmod sch_onramp" rmmod sch_onramp
	expect_refused "rmmod onramp" "in use by: onramp_acker" rmmod onramp
	expect_done "rmmod onramp_acker" rmmod onramp_acker
	expect_done "rmmod onramp" rmmod onramp
	expect "loaded" "$(loaded)" ""
	result "onramp goes last"

	load onramp && load onramp_acker && load sch_onramp
	expect_done "rmmod onramp_acker" rmmod onramp_acker
	expect_done "rmmod sch_onramp" rmmod sch_onramp
	expect_done "rmmod onramp" rmmod onramp
	expect "loaded" "$(loaded)" ""
	result "the others in any order"
}

by_modprobe()
{
	expect_done "modprobe sch_onramp" modprobe sch_onramp
	expect "loaded" "$(loaded)" "onramp sch_onramp"
	expect_done "modprobe onramp_acker" modprobe onramp_acker
	expect "loaded" "$(loaded)" "onramp sch_onramp onramp_acker"
	expect_done "modprobe -r" modprobe -r sch_onramp onramp_acker
	expect "loaded" "$(loaded)" ""
	result "modprobe loads onramp with those that need it, and unloads it with them"
}

by_tc()
{
	expect_done "tc qdisc add" rtc qdisc add dev r2 root handle 1: onramp
	expect "loaded" "$(loaded)" "onramp sch_onramp"
	result "tc qdisc add loads what it needs"
}

in_use()
{
	rtc qdisc change dev r2 root handle 1: onramp mode hold clock system error 10us
	expect_refused "rmmod sch_onramp" "in use" rmmod sch_onramp
	expect_refused "rmmod onramp" "in use" rmmod onramp
	send 4 20 1000 0
	stats 1:
	expect_stat packets=20 drops=0
	result "a qdisc keeps its module, and goes on"

	rtc qdisc replace dev r2 root handle 3: pfifo
	expect_done "rmmod sch_onramp" rmmod sch_onramp
	expect_done "rmmod onramp" rmmod onramp
	send 4 5 1000 0
	result "replaced by another, it lets go"
}

rounds()
{
	local round

	for round in 1 2 3; do
		expect_done "add $round" rtc qdisc replace dev r2 root handle 2: onramp mode hold clock system error 10us
		send 4 5 1000 0
		expect_done "modprobe onramp_acker" modprobe onramp_acker
		rtc qdisc del dev r2 root
		expect_done "modprobe -r $round" modprobe -r sch_onramp onramp_acker
		expect "loaded" "$(loaded)" ""
	done
	result "three times with traffic"
}

require dmesg python3
modinfo sch_onramp onramp_acker >/dev/null 2>&1 || skip_all "no modules sch_onramp, onramp_acker"
# Which insmod does not load, and which stays.
modprobe onramp_hook
setup_path
out_again
result "nothing is loaded at first"
parameters
parameters_at_run_time
core_first
core_last
by_modprobe
by_tc
in_use
rounds
finish
