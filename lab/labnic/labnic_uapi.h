/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labnic: what user space may say to a lab network port over rtnetlink.
 *
 * A port is made in pairs, as veth: RTM_NEWLINK with IFLA_INFO_KIND "labnic"
 * makes the named port and its peer.  The attributes below stand in
 * IFLA_INFO_DATA; those of the peer in IFLA_LABNIC_PEER, a struct ifinfomsg
 * followed by IFLA_* attributes (name, namespace, address, MTU, queues) with an
 * IFLA_LINKINFO { IFLA_INFO_DATA } of its own.
 *
 * The table of parameters is written once, here: the module's policy, its range
 * checks, its dump and the keys of the lab's plans come from it.
 */
#ifndef LABNIC_UAPI_H
#define LABNIC_UAPI_H

#define LABNIC_KIND "labnic"

/**
 * LABNIC_PARAMS() - every parameter of a port, in the order of its attributes
 * @P: macro called as P(NAME, name, min, max, host, sw)
 *
 * NAME gives IFLA_LABNIC_<NAME>, a u64; name is the key in messages and in
 * plans, min and max the accepted range; host and sw are the defaults of the
 * two profiles.
 *
 * rate is in bit/s.  delay (propagation), rx_ns, tx_ns (time from an event to
 * its interrupt) and jitter (greatest extra time of a wakeup, drawn uniformly
 * from 0 to it) are in ns.  ring is in descriptors, one a socket buffer.
 * rx_frames is a number of waiting frames at which the interrupt comes
 * without waiting for rx_ns; 0 says none.  seed starts the generator of
 * jitter.  tso, gso, gro, bql are switches, and phc is one for a hardware clock
 * with stamps.
 */
#define LABNIC_PARAMS(P)                                                      \
	P(RATE, rate, 1000000, 400000000000, 10000000000, 10000000000)        \
	P(DELAY, delay, 0, 1000000000, 0, 0)                                  \
	P(RING, ring, 1, 4096, 256, 2)                                        \
	P(RX_NS, rx_ns, 0, 10000000, 0, 0)                                    \
	P(RX_FRAMES, rx_frames, 0, 4096, 0, 0)                                \
	P(TX_NS, tx_ns, 0, 10000000, 0, 0)                                    \
	P(JITTER, jitter, 0, 10000000, 2000, 0)                               \
	P(SEED, seed, 0, 0xffffffffffffffff, 0, 0)                            \
	P(TSO, tso, 0, 1, 1, 0)                                               \
	P(GSO, gso, 0, 1, 1, 0)                                               \
	P(GRO, gro, 0, 1, 1, 0)                                               \
	P(BQL, bql, 0, 1, 1, 0)                                               \
	P(PHC, phc, 0, 1, 0, 0)

/**
 * enum labnic_profile - which column of LABNIC_PARAMS() gives the defaults
 * @LABNIC_PROFILE_HOST: a server's card
 * @LABNIC_PROFILE_SWITCH: a switch port: frames pass one by one, and as few as
 *	can be wait below the queue discipline
 * @LABNIC_PROFILE_MAX: the last
 */
enum labnic_profile {
	LABNIC_PROFILE_HOST,
	LABNIC_PROFILE_SWITCH,
	LABNIC_PROFILE_MAX = LABNIC_PROFILE_SWITCH,
};

/**
 * enum labnic_attr - attributes of IFLA_INFO_DATA
 * @IFLA_LABNIC_UNSPEC: unused
 * @IFLA_LABNIC_PAD: alignment of the dump
 * @IFLA_LABNIC_PEER: struct ifinfomsg and attributes of the other end
 * @IFLA_LABNIC_PROFILE: u64, enum labnic_profile
 * @IFLA_LABNIC_WINDOW_FROM: u64, ns of CLOCK_MONOTONIC: queue statistics begin
 * @IFLA_LABNIC_WINDOW_UNTIL: u64, ns of CLOCK_MONOTONIC: and end
 * @IFLA_LABNIC_WINDOW_SAMPLE: u64, ns between trace samples, 0: no trace
 * @IFLA_LABNIC_RATE: the first of LABNIC_PARAMS(), the others follow
 *
 * The three of the window may be set on a living port (RTM_NEWLINK without
 * NLM_F_CREATE), from and until together; a new window forgets the old one.
 */
enum labnic_attr {
	IFLA_LABNIC_UNSPEC,
	IFLA_LABNIC_PAD,
	IFLA_LABNIC_PEER,
	IFLA_LABNIC_PROFILE,
	IFLA_LABNIC_WINDOW_FROM,
	IFLA_LABNIC_WINDOW_UNTIL,
	IFLA_LABNIC_WINDOW_SAMPLE,
#define LABNIC_P(NAME, name, min, max, host, sw) IFLA_LABNIC_##NAME,
	LABNIC_PARAMS(LABNIC_P)
#undef LABNIC_P
	__IFLA_LABNIC_MAX,
};

#define IFLA_LABNIC_MAX (__IFLA_LABNIC_MAX - 1)

#endif /* LABNIC_UAPI_H */
