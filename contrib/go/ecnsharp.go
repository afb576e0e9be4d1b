// SPDX-License-Identifier: GPL-2.0

// Ecnsharp replaces a device's root qdisc by ecnsharp with a target, and prints what the kernel then has: the target, the packets
// that left, and the marks.
//
//	ecnsharp DEVICE PST_TARGET_NS
//
// Numbers of attributes and the layout of the statistics come from the uapi header.
package main

// #cgo CFLAGS: -I${SRCDIR}/../../kernel/include/uapi
// #include <linux/pkt_sch_ecnsharp.h>
import "C"

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"unsafe"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// Attributes that the library does not define.
const (
	tcaStats2   = 7
	tcaStatsApp = 4
)

var errAbsent = errors.New("the device's root qdisc is not ecnsharp")

// request begins a message about the root qdisc of a device.
func request(link netlink.Link, kind, flags int) *nl.NetlinkRequest {
	req := nl.NewNetlinkRequest(kind, flags)
	req.AddData(&nl.TcMsg{Family: nl.FAMILY_ALL, Ifindex: int32(link.Attrs().Index), Parent: netlink.HANDLE_ROOT})
	return req
}

// replace gives the device the qdisc. The kernel's message about a value out of range is in the error.
func replace(link netlink.Link, target uint64) error {
	req := request(link, unix.RTM_NEWQDISC, unix.NLM_F_CREATE|unix.NLM_F_REPLACE|unix.NLM_F_ACK)
	req.AddData(nl.NewRtAttr(nl.TCA_KIND, nl.ZeroTerminated("ecnsharp")))
	options := nl.NewRtAttr(nl.TCA_OPTIONS|unix.NLA_F_NESTED, nil)
	options.AddRtAttr(C.TCA_ECNSHARP_PST_TARGET_NS, nl.Uint64Attr(target))
	req.AddData(options)
	_, err := req.Execute(unix.NETLINK_ROUTE, 0)
	return err
}

// find returns the value of the attribute at the end of a path of nested ones, nil if there is none.
func find(data []byte, path ...uint16) ([]byte, error) {
	for _, kind := range path {
		attrs, err := nl.ParseRouteAttr(data)
		if err != nil {
			return nil, err
		}
		data = nil
		for _, attr := range attrs {
			if attr.Attr.Type&^unix.NLA_F_NESTED == kind {
				data = attr.Value
			}
		}
		if data == nil {
			return nil, nil
		}
	}
	return data, nil
}

// read returns the target and the statistics. The kernel answers a request for one qdisc only if it asks for an echo.
// An older module's are shorter, a newer one's longer.
func read(link netlink.Link) (target uint64, stats C.struct_tc_ecnsharp_xstats, err error) {
	messages, err := request(link, unix.RTM_GETQDISC, unix.NLM_F_ECHO).Execute(unix.NETLINK_ROUTE, unix.RTM_NEWQDISC)
	if err != nil {
		return 0, stats, err
	}
	for _, message := range messages {
		attrs := message[nl.SizeofTcMsg:]
		kind, _ := find(attrs, nl.TCA_KIND)
		if unix.ByteSliceToString(kind) != "ecnsharp" {
			continue
		}
		value, err := find(attrs, nl.TCA_OPTIONS, C.TCA_ECNSHARP_PST_TARGET_NS)
		if err != nil || len(value) < 8 {
			return 0, stats, fmt.Errorf("no pst_target: %w", err)
		}
		app, err := find(attrs, tcaStats2, tcaStatsApp)
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&stats)), unsafe.Sizeof(stats)), app)
		return nl.NativeEndian().Uint64(value), stats, err
	}
	return 0, stats, errAbsent
}

func run(device, number string) error {
	target, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return err
	}
	link, err := netlink.LinkByName(device)
	if err != nil {
		return fmt.Errorf("%s: %w", device, err)
	}
	if err := replace(link, target); err != nil {
		return fmt.Errorf("%s: pst_target %d: %w", device, target, err)
	}
	target, stats, err := read(link)
	if err != nil {
		return fmt.Errorf("%s: %w", device, err)
	}
	fmt.Printf("pst_target %d ns, %d packets left, marks: %d instantaneous, %d persistent, %d both\n",
		target, uint64(stats.tx_packets), uint64(stats.ins_marks), uint64(stats.pst_marks), uint64(stats.both_marks))
	return nil
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: ecnsharp DEVICE PST_TARGET_NS")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "ecnsharp:", err)
		os.Exit(1)
	}
}
