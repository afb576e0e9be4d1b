// SPDX-License-Identifier: GPL-2.0
/* labnic: the poll, completions first, then arrivals. */
#include "labnic.h"

/* When is the next arrival to be reported?  U64_MAX: none is under way. */
static u64 labnic_rx_next(struct labnic_port *port)
{
	struct net_device *dev = rcu_dereference_bh(port->peer);
	struct labnic_port *peer;
	u64 when_ns;

	if (!dev)
		return U64_MAX;
	peer = netdev_priv(dev);
	spin_lock(&peer->tx_lock);
	when_ns = labnic_flight_next(peer, READ_ONCE(port->config.rx_ns),
				     READ_ONCE(port->config.rx_frames));
	spin_unlock(&peer->tx_lock);
	return when_ns;
}

/* The poll is over: what is waiting already is found here. */
static void labnic_poll_end(struct labnic_port *port)
{
	u64 when_ns;

	labnic_irq_unmask(port);
	when_ns = min(labnic_tx_next(port), labnic_rx_next(port));
	if (when_ns != U64_MAX)
		labnic_irq_kick(port, when_ns);
}

static int labnic_poll(struct napi_struct *napi, int budget)
{
	struct labnic_port *port = container_of(napi, struct labnic_port, napi);
	u64 now_ns = ktime_get_ns();
	int work;

	port->stats.polls++;
	labnic_tx_clean(port, now_ns, budget);
	work = labnic_rx(port, now_ns, budget);
	if (work < budget) {
		napi_complete_done(napi, work);
		labnic_poll_end(port);
	}
	return work;
}

/**
 * labnic_poll_attach() - make the poll of a port that is being registered
 * @port: port whose config is final; the core undoes it with the device
 */
void labnic_poll_attach(struct labnic_port *port)
{
	netif_napi_add(port->dev, &port->napi, labnic_poll);
}
