// SPDX-License-Identifier: GPL-2.0
/*
 * A clock for each network namespace, see net/net_clock.h.
 *
 * /proc/net/clock shows the clock of the reader's namespace and takes lines of
 * settings, net/osc.h has both.  True time is CLOCK_MONOTONIC, with the kernel's
 * own CLOCK_REALTIME beside it, which differs from it by a constant.
 *
 * clock_adjtime() does what NTP and PTP daemons need: frequency, tick, setting by
 * an offset, slewing by adjtime() and by the phase-locked loop of RFC 5905
 * (without its frequency-locked one), errors, status, TAI.  Leap seconds are
 * noted in the status and not carried out.  Where the kernel's own works once a
 * second of the clock, this one does once a second of true time from when
 * slewing began, and catches up when it is read, so that no reader changes what
 * another sees.
 */
#include <linux/capability.h>
#include <linux/jiffies.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/proc_fs.h>
#include <linux/seq_file_net.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include <net/net_clock.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#define NET_CLOCK_ADJTIME_MAX	500		/* us/s of adjtime() */
#define NET_CLOCK_TAI_MAX	100000		/* s */

static struct netns_clock *net_clock_of(const struct net *net)
{
	return (struct netns_clock *)&net->clock;
}

/* A task that is going has left its namespaces already. */
static const struct net *net_clock_current(void)
{
	return current->nsproxy ? current->nsproxy->net_ns : &init_net;
}

/* From ns/s in units of 2^-32; the constant is 2^92 / 10^9. */
static s64 net_clock_rate(s64 scaled)
{
	return (s128)scaled * 4951760157141521100LL >> 60;
}

/* By how much the dial is to be faster than the oscillator, ns/s, 2^-32. */
static s64 net_clock_scaled(const struct netns_clock *nc)
{
	s64 tick_ns = nc->tick * USER_HZ * NSEC_PER_USEC - NSEC_PER_SEC;

	return tick_ns * (1LL << NTP_SCALE_SHIFT) + nc->freq + nc->chunk;
}

static void net_clock_tune(struct netns_clock *nc, s64 mono_ns)
{
	osc_dial_adjust(&nc->dial, mono_ns,
			net_clock_rate(net_clock_scaled(nc)));
}

/* Begin a second of slewing, or end slewing when nothing is left. */
static void net_clock_second(struct netns_clock *nc, s64 mono_ns)
{
	s64 us = clamp_t(s64, nc->adjust, -NET_CLOCK_ADJTIME_MAX,
			 NET_CLOCK_ADJTIME_MAX);
	s64 chunk = shift_right(nc->offset, SHIFT_PLL + nc->constant);

	nc->adjust -= us;
	nc->offset -= chunk;
	nc->chunk = us * NSEC_PER_USEC * (1LL << NTP_SCALE_SHIFT) + chunk;
	nc->slewing = nc->chunk;
	nc->next_ns = mono_ns + NSEC_PER_SEC;
	net_clock_tune(nc, mono_ns);
}

/* Catch up with the seconds of slewing that have passed. */
static void net_clock_advance(struct netns_clock *nc, s64 mono_ns)
{
	while (nc->slewing && nc->next_ns <= mono_ns)
		net_clock_second(nc, nc->next_ns);
}

/* What a clock that was set or stepped does not know any more. */
static void net_clock_clear(struct netns_clock *nc, s64 mono_ns)
{
	nc->status |= STA_UNSYNC;
	nc->maxerror = NTP_PHASE_LIMIT;
	nc->esterror = NTP_PHASE_LIMIT;
	nc->error_ns = mono_ns;
	nc->adjust = 0;
	nc->offset = 0;
	nc->chunk = 0;
	nc->slewing = false;
	net_clock_tune(nc, mono_ns);
}

/* The first touch makes a clock of true time; the lock is held. */
static void net_clock_start(struct netns_clock *nc, s64 mono_ns)
{
	if (nc->on)
		return net_clock_advance(nc, mono_ns);
	osc_dial_init(&nc->dial, mono_ns,
		      ktime_to_ns(ktime_mono_to_real(mono_ns)));
	nc->tick = USEC_PER_SEC / USER_HZ;
	nc->constant = 2;
	nc->reftime_ns = mono_ns;
	net_clock_clear(nc, mono_ns);
	WRITE_ONCE(nc->on, true);
}

/**
 * net_clock_real_ns() - CLOCK_REALTIME of a namespace
 * @net: namespace
 *
 * A read costs as much virtual time as one of the kernel's own clock.
 *
 * Context: any but NMI.
 * Return: ns.
 */
u64 net_clock_real_ns(const struct net *net)
{
	struct netns_clock *nc = net_clock_of(net);
	unsigned long flags;
	s64 mono_ns, ns;

	if (!READ_ONCE(nc->on))
		return ktime_get_real_ns();
	mono_ns = ktime_get_ns();
	raw_spin_lock_irqsave(&nc->lock, flags);
	net_clock_advance(nc, mono_ns);
	ns = osc_round(osc_dial_read(&nc->dial, mono_ns));
	raw_spin_unlock_irqrestore(&nc->lock, flags);
	return ns;
}
EXPORT_SYMBOL_GPL(net_clock_real_ns);

/**
 * net_clock_skb_real() - the time for a packet's software stamp
 * @skb: packet whose device, or without one whose socket, names the namespace
 *
 * Context: any but NMI.
 * Return: CLOCK_REALTIME there, true time if nothing names one.
 */
ktime_t net_clock_skb_real(const struct sk_buff *skb)
{
	if (skb->dev)
		return net_clock_real(dev_net(skb->dev));
	if (skb->sk)
		return net_clock_real(sock_net(skb->sk));
	return ktime_get_real();
}
EXPORT_SYMBOL_GPL(net_clock_skb_real);

/**
 * net_clock_get_real_ts64() - CLOCK_REALTIME of the current task
 * @ts: where to
 */
void net_clock_get_real_ts64(struct timespec64 *ts)
{
	*ts = ns_to_timespec64(net_clock_real_ns(net_clock_current()));
}
EXPORT_SYMBOL_GPL(net_clock_get_real_ts64);

/**
 * net_clock_get_tai_ts64() - CLOCK_TAI of the current task
 * @ts: where to
 */
void net_clock_get_tai_ts64(struct timespec64 *ts)
{
	const struct net *net = net_clock_current();

	net_clock_get_real_ts64(ts);
	ts->tv_sec += READ_ONCE(net_clock_of(net)->tai);
}

/**
 * net_clock_raw_ns() - CLOCK_MONOTONIC_RAW of a namespace
 * @net: namespace
 *
 * It is the oscillator: what is done to the dial is not seen in it.
 *
 * Context: any but NMI.
 * Return: ns.
 */
u64 net_clock_raw_ns(const struct net *net)
{
	struct netns_clock *nc = net_clock_of(net);
	s64 mono_ns = ktime_get_raw_ns();
	unsigned long flags;
	s64 error_ns;

	if (!READ_ONCE(nc->on))
		return mono_ns;
	/* True time of the raw one, which runs at the same rate. */
	raw_spin_lock_irqsave(&nc->lock, flags);
	error_ns = osc_round(osc_error(&nc->dial.osc, mono_ns));
	raw_spin_unlock_irqrestore(&nc->lock, flags);
	return mono_ns + error_ns;
}
EXPORT_SYMBOL_GPL(net_clock_raw_ns);

/**
 * net_clock_tai_ns() - CLOCK_TAI of a namespace
 * @net: namespace
 *
 * Context: any but NMI.
 * Return: ns.
 */
u64 net_clock_tai_ns(const struct net *net)
{
	return net_clock_real_ns(net) +
	       READ_ONCE(net_clock_of(net)->tai) * NSEC_PER_SEC;
}
EXPORT_SYMBOL_GPL(net_clock_tai_ns);

/**
 * net_clock_get_raw_ts64() - CLOCK_MONOTONIC_RAW of the current task
 * @ts: where to
 */
void net_clock_get_raw_ts64(struct timespec64 *ts)
{
	*ts = ns_to_timespec64(net_clock_raw_ns(net_clock_current()));
}
EXPORT_SYMBOL_GPL(net_clock_get_raw_ts64);

/**
 * net_clock_get_coarse_real_ts64() - CLOCK_REALTIME_COARSE of the current task
 * @ts: where to
 *
 * Of a clock that somebody touched it is as fine as CLOCK_REALTIME.
 */
void net_clock_get_coarse_real_ts64(struct timespec64 *ts)
{
	if (READ_ONCE(net_clock_of(net_clock_current())->on))
		net_clock_get_real_ts64(ts);
	else
		ktime_get_coarse_real_ts64(ts);
}

/**
 * net_clock_get_real_seconds() - time() of the current task
 *
 * Return: s.
 */
time64_t net_clock_get_real_seconds(void)
{
	struct timespec64 ts;

	net_clock_get_coarse_real_ts64(&ts);
	return ts.tv_sec;
}

/**
 * net_clock_settime() - set CLOCK_REALTIME of the current task
 * @ts: a valid time
 *
 * Return: 0.
 */
int net_clock_settime(const struct timespec64 *ts)
{
	struct netns_clock *nc = net_clock_of(net_clock_current());
	s64 mono_ns = ktime_get_ns();
	unsigned long flags;

	raw_spin_lock_irqsave(&nc->lock, flags);
	net_clock_start(nc, mono_ns);
	osc_dial_set(&nc->dial, mono_ns, timespec64_to_ns(ts));
	net_clock_clear(nc, mono_ns);
	raw_spin_unlock_irqrestore(&nc->lock, flags);
	return 0;
}

/* The bound of the error grows by what a clock may be off by. */
static s64 net_clock_maxerror(struct netns_clock *nc, s64 mono_ns)
{
	s64 us = nc->maxerror + (MAXFREQ / NSEC_PER_USEC) *
		 div_s64(mono_ns - nc->error_ns, NSEC_PER_SEC);

	if (us <= NTP_PHASE_LIMIT)
		return us;
	nc->status |= STA_UNSYNC;
	return NTP_PHASE_LIMIT;
}

static void net_clock_status(struct netns_clock *nc, s64 mono_ns, int status)
{
	if (nc->status & STA_PLL && !(status & STA_PLL))
		nc->status = STA_UNSYNC;
	if (!(nc->status & STA_PLL) && status & STA_PLL)
		nc->reftime_ns = mono_ns;
	nc->status &= STA_RONLY;
	nc->status |= status & ~STA_RONLY;
}

/*
 * The phase-locked loop: the offset is slewed away, and the frequency moves by
 * what it would have taken to keep it from arising (RFC 5905, 11.3).
 */
static void net_clock_offset(struct netns_clock *nc, s64 mono_ns, s64 offset)
{
	int shift = SHIFT_PLL + 2 + nc->constant;
	s64 seconds;

	if (!(nc->status & STA_PLL))
		return;
	if (!(nc->status & STA_NANO))
		offset = clamp_t(s64, offset, -USEC_PER_SEC, USEC_PER_SEC) *
			 NSEC_PER_USEC;
	offset = clamp_t(s64, offset, -MAXPHASE, MAXPHASE);
	seconds = div_s64(mono_ns - nc->reftime_ns, NSEC_PER_SEC);
	seconds = min_t(s64, seconds, 1LL << (shift - 1));
	if (nc->status & STA_FREQHOLD)
		seconds = 0;
	nc->reftime_ns = mono_ns;
	nc->freq += offset * seconds * (1LL << (NTP_SCALE_SHIFT - 2 * shift));
	nc->freq = clamp(nc->freq, -MAXFREQ_SCALED, MAXFREQ_SCALED);
	nc->offset = offset * (1LL << NTP_SCALE_SHIFT);
}

static void net_clock_errors(struct netns_clock *nc, s64 mono_ns,
			     const struct __kernel_timex *txc)
{
	if (txc->modes & ADJ_MAXERROR) {
		nc->maxerror = clamp_t(s64, txc->maxerror, 0, NTP_PHASE_LIMIT);
		nc->error_ns = mono_ns;
	}
	if (txc->modes & ADJ_ESTERROR)
		nc->esterror = clamp_t(s64, txc->esterror, 0, NTP_PHASE_LIMIT);
	if (txc->modes & ADJ_TIMECONST)
		nc->constant = clamp_t(s64, clamp_t(s64, txc->constant, 0, MAXTC) +
				       (nc->status & STA_NANO ? 0 : 4),
				       0, MAXTC);
	if (txc->modes & ADJ_TAI && txc->constant >= 0 &&
	    txc->constant <= NET_CLOCK_TAI_MAX)
		WRITE_ONCE(nc->tai, txc->constant);
}

static void net_clock_modes(struct netns_clock *nc, s64 mono_ns,
			    const struct __kernel_timex *txc)
{
	if (txc->modes & ADJ_STATUS)
		net_clock_status(nc, mono_ns, txc->status);
	if (txc->modes & ADJ_NANO)
		nc->status |= STA_NANO;
	if (txc->modes & ADJ_MICRO)
		nc->status &= ~STA_NANO;
	if (txc->modes & ADJ_FREQUENCY)
		nc->freq = clamp(txc->freq * PPM_SCALE, -MAXFREQ_SCALED,
				 MAXFREQ_SCALED);
	net_clock_errors(nc, mono_ns, txc);
	if (txc->modes & ADJ_OFFSET)
		net_clock_offset(nc, mono_ns, txc->offset);
	if (txc->modes & ADJ_TICK)
		nc->tick = txc->tick;
}

/* ADJ_SETOFFSET: the part below a second is never negative. */
static int net_clock_inject(struct netns_clock *nc, s64 mono_ns,
			    const struct __kernel_timex *txc)
{
	s64 ns = txc->time.tv_usec, set_ns;

	if (!(txc->modes & ADJ_NANO))
		ns *= NSEC_PER_USEC;
	ns += txc->time.tv_sec * NSEC_PER_SEC;
	set_ns = osc_round(osc_dial_read(&nc->dial, mono_ns)) + ns;
	if (set_ns < 0 || set_ns >= TIME_SETTOD_SEC_MAX * NSEC_PER_SEC)
		return -EINVAL;
	osc_dial_shift(&nc->dial, mono_ns, ns);
	net_clock_clear(nc, mono_ns);
	return 0;
}

/* What is asked for; an adjtime() tells what was left of the one before. */
static int net_clock_change(struct netns_clock *nc, s64 mono_ns,
			    struct __kernel_timex *txc)
{
	int err;

	err = txc->modes & ADJ_SETOFFSET ? net_clock_inject(nc, mono_ns, txc) : 0;
	if (err)
		return err;
	if (txc->modes & ADJ_ADJTIME) {
		s64 left = nc->adjust;

		if (!(txc->modes & ADJ_OFFSET_READONLY))
			nc->adjust = txc->offset;
		txc->offset = left;
	} else {
		net_clock_modes(nc, mono_ns, txc);
		txc->offset = shift_right(nc->offset, NTP_SCALE_SHIFT);
		if (!(nc->status & STA_NANO))
			txc->offset = div_s64(txc->offset, NSEC_PER_USEC);
	}
	/* A second of slewing that has begun ends first. */
	if (!nc->slewing && (nc->adjust || nc->offset))
		net_clock_second(nc, mono_ns);
	else if (txc->modes & (ADJ_FREQUENCY | ADJ_OFFSET | ADJ_TICK))
		net_clock_tune(nc, mono_ns);
	return 0;
}

static void net_clock_answer(struct netns_clock *nc, s64 mono_ns,
			     struct __kernel_timex *txc)
{
	struct timespec64 ts;

	ts = ns_to_timespec64(osc_round(osc_dial_read(&nc->dial, mono_ns)));
	txc->maxerror = net_clock_maxerror(nc, mono_ns);
	txc->esterror = nc->esterror;
	txc->freq = shift_right((nc->freq >> PPM_SCALE_INV_SHIFT) *
				PPM_SCALE_INV, NTP_SCALE_SHIFT);
	txc->status = nc->status;
	txc->constant = nc->constant;
	txc->precision = 1;
	txc->tolerance = MAXFREQ_SCALED / PPM_SCALE;
	txc->tick = nc->tick;
	txc->tai = nc->tai;
	txc->ppsfreq = 0;
	txc->jitter = 0;
	txc->shift = 0;
	txc->stabil = 0;
	txc->jitcnt = 0;
	txc->calcnt = 0;
	txc->errcnt = 0;
	txc->stbcnt = 0;
	txc->time.tv_sec = ts.tv_sec;
	txc->time.tv_usec = nc->status & STA_NANO ? ts.tv_nsec :
						    ts.tv_nsec / NSEC_PER_USEC;
}

/**
 * net_clock_adjtime() - clock_adjtime() of CLOCK_REALTIME for the current task
 * @txc: what is asked for, checked by the caller; the answer
 *
 * Return: TIME_OK, or TIME_ERROR if the clock is not synchronised; -EINVAL if it
 *	is to be set beyond what a time can be.
 */
int net_clock_adjtime(struct __kernel_timex *txc)
{
	struct netns_clock *nc = net_clock_of(net_clock_current());
	s64 mono_ns = ktime_get_ns();
	unsigned long flags;
	int err;

	if (txc->modes & ADJ_SETOFFSET &&
	    (txc->time.tv_sec > TIME_SETTOD_SEC_MAX / 2 ||
	     txc->time.tv_sec < -TIME_SETTOD_SEC_MAX / 2))
		return -EINVAL;
	raw_spin_lock_irqsave(&nc->lock, flags);
	net_clock_start(nc, mono_ns);
	err = net_clock_change(nc, mono_ns, txc);
	if (!err) {
		net_clock_answer(nc, mono_ns, txc);
		err = nc->status & (STA_UNSYNC | STA_CLOCKERR) ? TIME_ERROR :
								 TIME_OK;
	}
	raw_spin_unlock_irqrestore(&nc->lock, flags);
	return err;
}

static int net_clock_show(struct seq_file *seq, void *v)
{
	struct netns_clock *nc = net_clock_of(seq_file_single_net(seq));
	s64 mono_ns, real_ns;
	unsigned long flags;
	char *text;

	text = kmalloc(OSC_TEXT_MAX, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	mono_ns = ktime_get_ns();
	real_ns = ktime_to_ns(ktime_mono_to_real(mono_ns));
	raw_spin_lock_irqsave(&nc->lock, flags);
	net_clock_start(nc, mono_ns);
	osc_show(text, OSC_TEXT_MAX, &nc->dial, mono_ns, real_ns);
	raw_spin_unlock_irqrestore(&nc->lock, flags);
	seq_puts(seq, text);
	kfree(text);
	return 0;
}

static int net_clock_write(struct file *file, char *text, size_t size)
{
	struct seq_file *seq = file->private_data;
	struct netns_clock *nc = net_clock_of(seq_file_single_net(seq));
	struct osc_setting setting;
	s64 mono_ns, real_ns;
	unsigned long flags;
	int err;

	if (!capable(CAP_SYS_TIME))
		return -EPERM;
	err = strlen(text) == size ? osc_parse(text, &setting) : -EINVAL;
	if (err)
		return err;
	mono_ns = ktime_get_ns();
	real_ns = ktime_to_ns(ktime_mono_to_real(mono_ns));
	raw_spin_lock_irqsave(&nc->lock, flags);
	net_clock_start(nc, mono_ns);
	err = osc_dial_apply(&nc->dial, mono_ns, real_ns, &setting);
	raw_spin_unlock_irqrestore(&nc->lock, flags);
	return err;
}

static int __net_init net_clock_net_init(struct net *net)
{
	raw_spin_lock_init(&net->clock.lock);
	if (!proc_create_net_single_write("clock", 0644, net->proc_net,
					  net_clock_show, net_clock_write,
					  NULL))
		return -ENOMEM;
	return 0;
}

static void __net_exit net_clock_net_exit(struct net *net)
{
	remove_proc_entry("clock", net->proc_net);
}

static struct pernet_operations net_clock_net_ops = {
	.init = net_clock_net_init,
	.exit = net_clock_net_exit,
};

static int __init net_clock_init(void)
{
	return register_pernet_subsys(&net_clock_net_ops);
}
subsys_initcall(net_clock_init);
