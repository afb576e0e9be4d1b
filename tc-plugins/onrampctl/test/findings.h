/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A host that is well, and what the doctor finds once a test has changed facts
 * of it: exactly what the test expects, with the command that mends it.
 */
#ifndef SHARPRAMP_ONRAMPCTL_TEST_FINDINGS_H
#define SHARPRAMP_ONRAMPCTL_TEST_FINDINGS_H

#include <arpa/inet.h>
#include <string.h>
#include <linux/onramp_wire.h>
#include <linux/pkt_sched.h>

#include "../finding.h"
#include "../../../selftests/lib/tap.h"

#define US	1000ULL
#define GBIT	1000000000ULL

#define RESTART	"systemctl restart huygens-lite"
#define CHANGE	"tc qdisc change dev eth0 root onramp "

/**
 * struct host - facts, and space for their lists
 * @f: the facts
 * @devs: eth0 sends and receives; eth1 is a switch's port; lo, and more that
 *	may come
 * @qdiscs: onramp on eth0, ecnsharp on eth1, and two more that may come
 * @peers: of the acker
 * @groups: of keys
 * @tuned: queues of acc-tuner, if it runs
 * @found: ids of findings that tests of this program expected
 * @nr_found: how many
 */
struct host {
	struct facts		f;
	struct facts_dev	devs[6];
	struct facts_qdisc	qdiscs[4];
	struct value		peers[1];
	struct facts_group	groups[2];
	struct facts_tuner_queue tuned[2];
	const char		*found[200];
	size_t			nr_found;
};

/* The host of the test: well at the begin, and again once it was judged. */
extern struct host h;

static struct facts_dev *const eth0 = &h.devs[0], *const eth1 = &h.devs[1];
static struct facts_onramp *const onramp = &h.qdiscs[0].onramp;
static struct facts_ecnsharp *const ecn = &h.qdiscs[1].ecnsharp;

struct value net(const char *address, int len);
struct facts_ends ends(const char *daddr);

/* All facts are again those of a host that is well. */
void well(void);

/* One more device. */
struct facts_dev *more(const char *name);

/* eth0 and eth2 are links of a bond, which has eth0's address; eth0 is acked. */
struct facts_dev *bond(void);

/* The acker works on eth2, too. */
void ack_eth2(void);

/* The address is on a VLAN of the bond, and of the other family. */
void bond_vlan(void);

/* A mesh publishes a clock, which eth0 uses. */
void published(void);

/* eth0 wants a clock that nobody publishes. */
void no_clock(void);

/* Another device's onramp is off: its clock is only the default. */
void off_too(void);

void tell(const struct findings *found);

/**
 * ill_also() - the doctor finds two things, then the host is well again
 * @name: of the test
 * @id: of the first
 * @dev: the device that it is about, or empty
 * @host: where it is mended; empty: here
 * @command: how
 * @also: id of the second; NULL: there is none
 */
void ill_also(const char *name, const char *id, const char *dev, const char *host,
	      const char *command, const char *also);

/* The doctor finds one thing, as ill_also() has it. */
void ill(const char *name, const char *id, const char *dev, const char *host, const char *command);

/* The doctor finds nothing; the host is well again. */
void fine(const char *name);

/* The tests, a function a file. */
void facts_tests(void);
void sender_tests(void);
void table_tests(void);
void receiver_tests(void);
void marker_tests(void);
void port_tests(void);
void point_tests(void);
void tuner_tests(void);

#endif /* SHARPRAMP_ONRAMPCTL_TEST_FINDINGS_H */
