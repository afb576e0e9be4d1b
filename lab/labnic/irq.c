// SPDX-License-Identifier: GPL-2.0
/*
 * labnic: the interrupt.
 *
 * A port has one interrupt, an hrtimer.  It is armed for the earliest time at
 * which something is to be reported (a completion + tx_ns, an arrival + rx_ns)
 * plus jitter, the time that a host takes to come to it, drawn once a wakeup
 * and uniform in [0, jitter].  While the poll is pending or running the timer
 * is off: the poll arms it for what is left, as a NIC's interrupt is unmasked
 * by napi_complete_done().
 */
#include "labnic.h"
#include "random.h"

static u32 labnic_jitter(struct labnic_port *port)
{
	u64 span = READ_ONCE(port->config.jitter) + 1ULL;

	return span == 1 ? 0 : span * labnic_random(&port->random) >> 32;
}

/**
 * labnic_is_up() - is the port between ndo_open and ndo_stop?
 * @port: port
 *
 * Return: true if it is.  Under the tx_lock of a port, true for both ends says
 * that frames may be launched: a port that goes down takes that lock afterwards.
 */
bool labnic_is_up(const struct labnic_port *port)
{
	return READ_ONCE(port->up);
}

/**
 * labnic_irq_kick() - something is to be reported
 * @port: the port to tell
 * @when_ns: from when on, ns of CLOCK_MONOTONIC
 *
 * Context: any but hard interrupt.
 */
void labnic_irq_kick(struct labnic_port *port, u64 when_ns)
{
	unsigned long flags;

	spin_lock_irqsave(&port->irq_lock, flags);
	if (!port->up || port->polling)
		goto out;
	if (!port->armed)
		port->jitter_ns = labnic_jitter(port);
	when_ns += port->jitter_ns;
	if (port->armed && port->timer_ns <= when_ns)
		goto out;
	port->armed = true;
	port->timer_ns = when_ns;
	hrtimer_start(&port->timer, ns_to_ktime(when_ns),
		      HRTIMER_MODE_ABS_PINNED);
out:
	spin_unlock_irqrestore(&port->irq_lock, flags);
}

static enum hrtimer_restart labnic_interrupt(struct hrtimer *timer)
{
	struct labnic_port *port = container_of(timer, struct labnic_port,
						timer);
	bool up;

	spin_lock(&port->irq_lock);
	port->armed = false;
	up = port->up;
	port->polling = up;
	spin_unlock(&port->irq_lock);
	if (up) {
		port->stats.interrupts++;
		napi_schedule_irqoff(&port->napi);
	}
	return HRTIMER_NORESTART;
}

/**
 * labnic_irq_setup() - make the interrupt of a new port
 * @port: port
 */
void labnic_irq_setup(struct labnic_port *port)
{
	spin_lock_init(&port->irq_lock);
	hrtimer_init(&port->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED);
	port->timer.function = labnic_interrupt;
}

/**
 * labnic_irq_attach() - begin the jitter of a port that is being registered
 * @port: port whose config is final
 */
void labnic_irq_attach(struct labnic_port *port)
{
	port->random = labnic_random_seed(port->config.seed, port->number,
					  LABNIC_DRAW_JITTER);
}

/**
 * labnic_irq_unmask() - the poll is over
 * @port: port
 *
 * From here on each launch of a frame onto an empty wire kicks.
 *
 * Context: the port's poll.
 */
void labnic_irq_unmask(struct labnic_port *port)
{
	spin_lock_irq(&port->irq_lock);
	port->polling = false;
	spin_unlock_irq(&port->irq_lock);
}

/**
 * labnic_irq_open() - allow interrupts
 * @port: port that is being opened
 */
void labnic_irq_open(struct labnic_port *port)
{
	napi_enable(&port->napi);
	spin_lock_irq(&port->irq_lock);
	port->polling = false;
	WRITE_ONCE(port->up, true);
	spin_unlock_irq(&port->irq_lock);
}

/**
 * labnic_irq_stop() - forbid interrupts, wait for the poll to end
 * @port: port that is being stopped
 */
void labnic_irq_stop(struct labnic_port *port)
{
	spin_lock_irq(&port->irq_lock);
	WRITE_ONCE(port->up, false);
	spin_unlock_irq(&port->irq_lock);
	hrtimer_cancel(&port->timer);
	napi_disable(&port->napi);
	port->armed = false;
}
