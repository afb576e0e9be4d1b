// SPDX-License-Identifier: GPL-2.0
/*
 * A NIC and its clock, on a machine of the test's own: which NICs will do, what
 * is read of one, and its clock as local time.
 */
#include "clock_test.h"

static char why[256];

/* A NIC has power, or it has none and its clock begins anew, or it is gone. */
static void nic_sleeps(void)
{
	static const int64_t lost_ns[] = { 0, -20 * S, 1000 * S };
	struct local_clock clock;
	struct nic nic;
	int64_t shift;
	size_t i;

	for (i = 0; i < sizeof(lost_ns) / sizeof(*lost_ns); i++) {
		machine_begin();
		nic_open(&nic, MACHINE_LINK, NIC_BOTH, why, sizeof(why));
		clock_begin(&clock, &nic, &as_it_is);
		looks(&clock, 40);
		machine_sleep(10 * S);
		machine.phc.ahead_ns += lost_ns[i];
		tap_ok(!clock_wake(&clock, 10 * S, &shift) && is_near(shift, lost_ns[i], US) &&
		       is_near(clock_now(&clock), machine_shows(&machine.phc), US) &&
		       !looks(&clock, 3),
		       "a NIC's clock that is off by %lld s after a suspend", lost_ns[i] / S);
		nic_close(&nic);
	}
	machine_sleep(S);
	machine.sample = ENODEV;
	tap_ok(clock_wake(&clock, S, &shift) == -1, "one that cannot be read is reported");
}

static void utc_by_card(void)
{
	struct local_clock clock;
	struct line line;
	struct nic nic;

	machine_begin();
	machine_turn(&machine.real, 30000);
	machine_turn(&machine.phc, -50000);
	nic_open(&nic, MACHINE_LINK, NIC_BOTH, why, sizeof(why));
	clock_begin(&clock, &nic, &as_it_is);
	utc(&clock, &line);
	looks(&clock, 20);
	tap_ok(utc(&clock, &line) && fabs(line.drift_ppb - 80000) <= 100 &&
	       is_near(utc_error(&clock, &line, 0), 0, 200),
	       "UTC: over a NIC's clock");
	nic_close(&nic);
}

static bool opens_for(enum nic_use use, const char *link, const char *text)
{
	struct nic nic;
	bool opened = !nic_open(&nic, link, use, why, sizeof(why));

	if (!opened && (!text || !strstr(why, text) || nic.phc.fd != -1))
		tap_remark("%s", why);
	if (opened)
		nic_close(&nic);
	return text ? !opened && strstr(why, text) && nic.phc.fd == -1 : opened;
}

#define RECEIVE_ONLY	"lab7 supports hardware timestamps of received packets only: "   \
			"timestamping = hardware-receive uses them"
#define RECEIVE_REFUSED	"does not support hardware timestamps of received packets"

static bool opens(const char *link, const char *text)
{
	return opens_for(NIC_BOTH, link, text);
}

static void nics(void)
{
	union conf_address address = { .in = { .sin_family = AF_INET } };
	char link[IF_NAMESIZE];
	struct nic nic;
	uint32_t bit;

	machine_begin();
	address.in.sin_addr = machine.address.sin_addr;
	tap_ok(!nic_find(&address, link) && !strcmp(link, MACHINE_LINK),
	       "NIC: found by its address");
	address.in.sin_addr.s_addr = ~address.in.sin_addr.s_addr;
	tap_ok(nic_find(&address, link) == -1, "NIC: none has another's");
	address.in6 = (struct sockaddr_in6){ .sin6_family = AF_INET6 };
	tap_ok(nic_find(&address, link) == -1, "NIC: nor one of the other family");
	tap_ok(!nic_open(&nic, MACHINE_LINK, NIC_BOTH, why, sizeof(why)) &&
	       nic_owner(&nic, MACHINE_INDEX) == NIC_OWN &&
	       nic_owner(&nic, MACHINE_INDEX + 1) == NIC_OWN,
	       "NIC: what its ports stamp is its own");
	tap_ok(nic_owner(&nic, MACHINE_INDEX + 2) == NIC_OTHER,
	       "NIC: not what a NIC with another clock does");
	tap_ok(nic_owner(&nic, MACHINE_INDEX + 3) == NIC_UNTOLD &&
	       nic_owner(&nic, 0) == NIC_UNTOLD,
	       "NIC: a device without stamps, or none, says nothing");
	tap_ok(nic_owner(&nic, 1) == NIC_LATER && nic_owner(&nic, UINT32_MAX) == NIC_LATER,
	       "NIC: one that was not there");
	nic_close(&nic);
	tap_ok(!nic_open(&nic, MACHINE_LINK, NIC_BOTH, why, sizeof(why)) &&
	       nic.ifindex == MACHINE_INDEX &&
	       !strcmp(nic.link, MACHINE_LINK) &&
	       machine.config.tx_type == HWTSTAMP_TX_ON &&
	       machine.config.rx_filter == HWTSTAMP_FILTER_ALL,
	       "NIC: opened, and configured to stamp all packets");
	nic_close(&nic);
	tap_ok(!nic_open(&nic, MACHINE_ALTERNATIVE, NIC_BOTH, why, sizeof(why)) &&
	       nic.ifindex == MACHINE_INDEX && !strcmp(nic.link, MACHINE_LINK),
	       "NIC: opened by an alternative name");
	nic_close(&nic);
	tap_ok(nic.phc.fd == -1, "NIC: closed");
	tap_ok(opens("bare", "bare does not support hardware timestamps"),
	       "NIC: refused: a device that cannot be queried");
	for (bit = 1; bit <= MACHINE_STAMPS; bit <<= 1)
		if (MACHINE_STAMPS & bit) {
			machine.stamps = MACHINE_STAMPS & ~bit;
			tap_ok(opens(MACHINE_LINK, bit & MACHINE_SENDS ? RECEIVE_ONLY :
				     "lab7 does not support hardware timestamps"),
			       "NIC: refused: without stamps of %#x", bit);
		}
	machine_begin();
	machine.phc_index = -1;
	tap_ok(opens(MACHINE_LINK, "does not support hardware timestamps"),
	       "NIC: refused: stamps, but no clock");
	machine_begin();
	machine.set = ERANGE;
	tap_ok(opens(MACHINE_LINK, "does not timestamp all packets: Numerical result out of range"),
	       "NIC: refused: the driver stamps some packets only, as igb of an 82576");
	machine_begin();
	machine.set = EPERM;
	tap_ok(opens(MACHINE_LINK, "does not timestamp all packets: Operation not permitted"),
	       "NIC: refused: we may not set it, and nobody has");
	machine.config.tx_type = HWTSTAMP_TX_ON;
	tap_ok(opens(MACHINE_LINK, "does not timestamp all packets"),
	       "NIC: refused: somebody has, but for Tx only");
	machine.config.rx_filter = HWTSTAMP_FILTER_ALL;
	tap_ok(opens(MACHINE_LINK, NULL), "NIC: somebody has: will do");
	machine.config.tx_type = HWTSTAMP_TX_OFF;
	tap_ok(opens(MACHINE_LINK, "does not timestamp all packets"), "NIC: refused: for Rx only");
	machine.get = EOPNOTSUPP;
	tap_ok(opens(MACHINE_LINK, "does not timestamp all packets"),
	       "NIC: refused: nor does it say");
	machine_begin();
	machine.open = ENOENT;
	tap_ok(opens(MACHINE_LINK, "/dev/ptp3: No such file"),
	       "NIC: refused: no device of its clock");
	machine_begin();
	machine.read_only = 1;
	tap_ok(opens(MACHINE_LINK, NULL), "NIC: a clock that we may only read will do");
	machine_begin();
	machine.sample = EOPNOTSUPP;
	tap_ok(opens(MACHINE_LINK, "/dev/ptp3: Operation not supported"),
	       "NIC: refused: a clock that cannot be read");
}

/* A driver that stamps what comes alone refuses to stamp what is sent. */
static void nics_that_receive(void)
{
	uint32_t bit;

	machine_begin();
	machine.stamps = MACHINE_STAMPS & ~MACHINE_SENDS;
	machine.sends_none = 1;
	tap_ok(opens_for(NIC_RECEIVED, MACHINE_LINK, NULL) &&
	       machine.config.tx_type == HWTSTAMP_TX_OFF &&
	       machine.config.rx_filter == HWTSTAMP_FILTER_ALL,
	       "received: opened, and configured to stamp all that comes");
	machine.get = EOPNOTSUPP;
	tap_ok(opens_for(NIC_RECEIVED, MACHINE_LINK, NULL),
	       "received: a driver that does not say how it is configured will do");
	machine_begin();
	machine.config.tx_type = HWTSTAMP_TX_ONESTEP_SYNC;
	tap_ok(opens_for(NIC_RECEIVED, MACHINE_LINK, NULL) &&
	       machine.config.tx_type == HWTSTAMP_TX_ONESTEP_SYNC,
	       "received: stamps of what is sent stay as another program set them");
	machine.set = EPERM;
	machine.config.tx_type = HWTSTAMP_TX_OFF;
	tap_ok(opens_for(NIC_RECEIVED, MACHINE_LINK, NULL),
	       "received: somebody has set it: will do");
	machine.config.rx_filter = HWTSTAMP_FILTER_PTP_V2_EVENT;
	tap_ok(opens_for(NIC_RECEIVED, MACHINE_LINK, "does not timestamp all packets"),
	       "received: refused: set to PTP's packets alone, and we may not set it");
	for (bit = 1; bit <= MACHINE_STAMPS; bit <<= 1) {
		machine_begin();
		machine.stamps = MACHINE_STAMPS & ~bit;
		if (MACHINE_STAMPS & bit & ~MACHINE_SENDS)
			tap_ok(opens_for(NIC_RECEIVED, MACHINE_LINK, RECEIVE_REFUSED),
			       "received: refused: without stamps of %#x", bit);
	}
	machine_begin();
	machine.phc_index = -1;
	tap_ok(opens_for(NIC_RECEIVED, MACHINE_LINK, RECEIVE_REFUSED),
	       "received: refused: stamps, but no clock");
	tap_ok(opens_for(NIC_RECEIVED, "bare", RECEIVE_REFUSED),
	       "received: refused: a device that cannot be queried");
	machine_begin();
	machine.sample = EOPNOTSUPP;
	tap_ok(opens_for(NIC_RECEIVED, MACHINE_LINK, "/dev/ptp3: Operation not supported"),
	       "received: refused: a clock that cannot be read");
}

/*
 * Stamps of the NIC's clock, brought to the system's: by how much one that is of now is
 * wrong, and whether twice what the line says covers it.
 */
static int64_t received_off_ns(const struct local_clock *clock, bool *covered)
{
	int64_t local_ns = machine.raw_ns + clock->base_ns;
	int64_t off_ns = clock_of_hard(clock, machine_shows(&machine.phc)) - local_ns;

	*covered &= llabs(off_ns) <= 2 * clock_line(clock).error_ns;
	return off_ns;
}

static void nic_receives(void)
{
	int64_t worst_ns = 0, local_ns;
	struct local_clock clock;
	bool covered = true;
	struct nic nic;
	int i;

	machine_begin();
	machine_turn(&machine.real, 30000);
	machine_turn(&machine.phc, -50000);
	machine.noise_ns = 2000;
	nic_open(&nic, MACHINE_LINK, NIC_RECEIVED, why, sizeof(why));
	clock_begin(&clock, &nic, &as_it_is);
	tap_ok(!clock.hardware && clock.receive && clock_has_nic(&clock) &&
	       !clock_knows_nic(&clock),
	       "received: local time is the system's, and no stamp counts yet");
	looks(&clock, 1);
	tap_ok(clock_knows_nic(&clock), "received: after 100 ms they count");
	looks(&clock, 40);
	for (i = 0; i < 200; i++) {
		int64_t off_ns;

		looks(&clock, 1);
		machine.raw_ns += i % 2 ? 90 * MS : 10 * MS;
		off_ns = received_off_ns(&clock, &covered);
		worst_ns = llabs(off_ns) > worst_ns ? llabs(off_ns) : worst_ns;
	}
	tap_ok(covered && worst_ns > 0 && worst_ns < 2 * US,
	       "received: on the system's scale to %lld ns, and the bound has half of it",
	       (long long)worst_ns);
	local_ns = clock_now(&clock);
	machine.phc.ahead_ns += S;
	tap_ok(looks(&clock, 1) == 1 && is_near(clock_now(&clock), local_ns + 100 * MS, MS),
	       "received: the NIC's clock stepped is seen, and is no step of local time");
	tap_ok(!looks(&clock, 5) && is_near(received_off_ns(&clock, &covered), 0, 2 * US),
	       "received: its stamps count again");
	local_ns = clock_now(&clock);
	clock_fall_back(&clock);
	tap_ok(!clock_has_nic(&clock) && is_near(clock_now(&clock), local_ns, 10 * US) &&
	       !clock_line(&clock).error_ns, "received: without them local time goes on");
	nic_close(&nic);
}

static void readings(void)
{
	int64_t nic_ns, real_ns, half_ns, sum_ns = 0;
	struct nic nic;
	int wrong = 0, i;

	machine_begin();
	nic_open(&nic, MACHINE_LINK, NIC_BOTH, why, sizeof(why));
	half_ns = nic_sample(&nic, &nic_ns, &real_ns);
	tap_ok(half_ns == 40 && nic_ns - real_ns == machine.phc.ahead_ns - machine.real.ahead_ns,
	       "sample: both at once, and how sure");
	machine.noise_ns = 1000;
	for (i = 0; i < 100; i++) {
		half_ns = nic_sample(&nic, &nic_ns, &real_ns);
		sum_ns += half_ns;
		wrong += llabs(nic_ns - real_ns - machine.phc.ahead_ns +
			       machine.real.ahead_ns) > half_ns;
	}
	/* 540 ns is what one takes in the mean. */
	tap_ok(!wrong && sum_ns < 400 * 100,
	       "sample: the shortest of some, wrong by no more than it says");
	machine.late = 4;
	tap_ok(nic_sample(&nic, &nic_ns, &real_ns) >= 0,
	       "sample: one that ends before it begins does not count");
	machine.late = 5;
	tap_ok(nic_sample(&nic, &nic_ns, &real_ns) == -1 && errno == ERANGE,
	       "sample: refused: all such");
	machine.sample = ENODEV;
	tap_ok(nic_sample(&nic, &nic_ns, &real_ns) == -1 && errno == ENODEV,
	       "sample: refused: the NIC is gone");
	nic_close(&nic);
}

static void nic_time_is_local(void)
{
	static const double ppb[] = { 0, 80000, -80000 };
	struct local_clock clock;
	struct clock_line line;
	struct nic nic;
	size_t i;

	for (i = 0; i < sizeof(ppb) / sizeof(*ppb); i++) {
		int64_t stamp;

		machine_begin();
		machine_turn(&machine.phc, ppb[i]);
		machine_turn(&machine.real, -100000);
		nic_open(&nic, MACHINE_LINK, NIC_BOTH, why, sizeof(why));
		clock_begin(&clock, &nic, &as_it_is);
		tap_ok(is_near(clock_now(&clock), machine_shows(&machine.phc), 200),
		       "a NIC %+.0f ppb: local time is its clock", ppb[i]);
		tap_ok(!looks(&clock, 40), "which is not stepped");
		machine.raw_ns += 90 * MS;
		tap_ok(is_near(clock_now(&clock), machine_shows(&machine.phc), 50),
		       "and is known between looks");
		stamp = machine_shows(&machine.phc);
		tap_ok(clock_of_hard(&clock, stamp) == stamp, "its stamps are local time");
		line = clock_line(&clock);
		tap_ok(fabs(line.drift * 1e9 - ppb[i]) <= 20 &&
		       is_near(line.local_ns, machine_shows(&machine.phc), 100) &&
			       line.error_ns > 0 &&
		       line.error_ns < 200, "the line over raw: %.0f ppb, error %lld ns",
		       line.drift * 1e9, (long long)line.error_ns);
		nic_close(&nic);
	}
}

/* ptp4l turns it: the line, of the last 3.2 s, is behind until it has seen that for long. */
static void nic_is_steered(void)
{
	static const double ppm[] = { 1, -1, 5, -20 };
	struct local_clock clock;
	struct clock_line line;
	struct nic nic;
	size_t i;
	int k;

	for (i = 0; i < sizeof(ppm) / sizeof(*ppm); i++) {
		int64_t worst_ns = 0, error_ns;
		bool covered = true;

		machine_begin();
		machine_turn(&machine.phc, 20000);
		nic_open(&nic, MACHINE_LINK, NIC_BOTH, why, sizeof(why));
		clock_begin(&clock, &nic, &as_it_is);
		looks(&clock, 40);
		machine_turn(&machine.phc, 20000 + 1000 * ppm[i]);
		for (k = 0; k < 40; k++) {
			looks(&clock, 1);
			line = clock_line(&clock);
			error_ns = llabs(line.local_ns - machine_shows(&machine.phc));
			covered &= error_ns <= line.error_ns + machine.read_ns;
			worst_ns = error_ns > worst_ns ? error_ns : worst_ns;
			/* Just before the next look. */
			machine.raw_ns += 99 * MS;
			line = clock_line(&clock);
			error_ns = llabs(line.local_ns - machine_shows(&machine.phc));
			covered &= error_ns <= line.error_ns + machine.read_ns;
			machine.raw_ns -= 99 * MS;
		}
		tap_ok(covered, "a NIC turned by %+.0f ppm: the bound has what it is off: %lld ns",
		       ppm[i], (long long)worst_ns);
		looks(&clock, 10);
		line = clock_line(&clock);
		tap_ok(line.error_ns < 200, "and is as it was when the line has followed: %lld ns",
		       (long long)line.error_ns);
		nic_close(&nic);
	}
}

/* The error of a reading does not change the rate, so the error of a line does not grow by it. */
static void nic_is_noisy(void)
{
	int64_t wider_ns = 0;
	struct local_clock clock;
	struct nic nic;
	int skewed = 0, i;

	machine_begin();
	machine.noise_ns = 1000;
	machine_turn(&machine.phc, 20000);
	nic_open(&nic, MACHINE_LINK, NIC_BOTH, why, sizeof(why));
	clock_begin(&clock, &nic, &as_it_is);
	looks(&clock, 40);
	for (i = 0; i < 400; i++) {
		struct clock_line line;

		looks(&clock, 1);
		line = clock_line(&clock);
		skewed += line.skew > 0;
		wider_ns += line.error_ns -
			    clock.phc.reading[(clock.phc.readings - 1) % PHC_LINE_READINGS].half_ns;
	}
	tap_ok(skewed <= 12, "a NIC that is read unsurely is not turned: %d of 400",
	       skewed);
	tap_ok(wider_ns < 400 * 200, "and its bound hardly wider: %lld ns",
	       (long long)wider_ns / 400);
	nic_close(&nic);
}

static void nic_steps(void)
{
	struct local_clock clock;
	struct nic nic;
	int64_t local_ns;

	machine_begin();
	machine_turn(&machine.phc, 20000);
	nic_open(&nic, MACHINE_LINK, NIC_BOTH, why, sizeof(why));
	clock_begin(&clock, &nic, &as_it_is);
	looks(&clock, 40);
	machine.real.ahead_ns += S;
	tap_ok(!looks(&clock, 5), "REALTIME stepped is no step of the NIC's clock");
	machine.phc.ahead_ns -= 65 * US;
	tap_ok(looks(&clock, 1) == 1 &&
	       is_near(clock_now(&clock), machine_shows(&machine.phc), 200),
		       "65 us are, and local time goes with it");
	machine.raw_ns += 90 * MS;
	tap_ok(is_near(clock_now(&clock), machine_shows(&machine.phc), 100),
	       "at the rate that it had");
	tap_ok(!looks(&clock, 5) && is_near(clock_now(&clock), machine_shows(&machine.phc), 100),
	       "once");
	machine.sample = ENODEV;
	tap_ok(clock_sample_nic(&clock) == -1, "a NIC that is gone");
	local_ns = clock_now(&clock);
	clock_fall_back(&clock);
	tap_ok(!clock.hardware && is_near(clock_now(&clock), local_ns, 200),
	       "local time goes on from where it was");
	machine.raw_ns += S;
	tap_ok(is_near(clock_now(&clock), local_ns + S, 300), "as the system's");
	nic_close(&nic);
}

int main(void)
{
	nic_sleeps();
	utc_by_card();
	nics();
	nics_that_receive();
	nic_receives();
	readings();
	nic_time_is_local();
	nic_is_steered();
	nic_is_noisy();
	nic_steps();
	return tap_done();
}
