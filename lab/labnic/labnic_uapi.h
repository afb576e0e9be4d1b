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

/* Most of the keys of late software: late.h has their meaning. */
#define LABNIC_LATE_MAX_NS 1000000
#define LABNIC_LATE_ODD_MAX_NS 10000000
#define LABNIC_LATE_SIGMA_MAX 2000
/* Bytes of a burst of cross traffic with its overhead: what labnic_wire_send() takes. */
#define LABNIC_CROSS_BURST_MAX 1000000

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
 * jitter and of all else that is drawn.  tso, gso, gro, bql are switches, and phc
 * is one for a hardware clock with stamps.
 *
 * tx_late and rx_late, in ns, are what the host's software takes at least between
 * a frame's stamp and the wire, and between the wire and its stamp; tx_spread and
 * rx_spread the median of a lognormal time beyond that, late_sigma the deviation
 * of its logarithm in thousandths; late_odd frames of a thousand take up to
 * late_odd_ns more.  Frames keep their order, and hardware's stamps their times.
 *
 * cross is the load of the wire in thousandths by bursts that are not there as
 * packets, cross_burst their mean bytes, cross_limit bytes the space for them.
 *
 * pause is a switch: the MAC obeys PAUSE frames.  Then tso and gso are 0 where they
 * are not given, and what labnic_pause_conflict() names must be 0.
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
	P(PHC, phc, 0, 1, 0, 0)                                               \
	P(TX_LATE, tx_late, 0, LABNIC_LATE_MAX_NS, 0, 0)                      \
	P(TX_SPREAD, tx_spread, 0, LABNIC_LATE_MAX_NS, 0, 0)                  \
	P(RX_LATE, rx_late, 0, LABNIC_LATE_MAX_NS, 0, 0)                      \
	P(RX_SPREAD, rx_spread, 0, LABNIC_LATE_MAX_NS, 0, 0)                  \
	P(LATE_SIGMA, late_sigma, 0, LABNIC_LATE_SIGMA_MAX, 600, 600)         \
	P(LATE_ODD, late_odd, 0, 1000, 0, 0)                                  \
	P(LATE_ODD_NS, late_odd_ns, 0, LABNIC_LATE_ODD_MAX_NS, 50000, 50000)  \
	P(CROSS, cross, 0, 950, 0, 0)                                         \
	P(CROSS_BURST, cross_burst, 1500, LABNIC_CROSS_BURST_MAX, 30000, 30000) \
	P(CROSS_LIMIT, cross_limit, 1500, 1000000000, 1000000, 1000000)       \
	P(PAUSE, pause, 0, 1, 0, 0)

/**
 * enum labnic_profile - which column of LABNIC_PARAMS() gives the defaults
 * @LABNIC_PROFILE_HOST: a server's NIC
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
