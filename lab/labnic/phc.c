// SPDX-License-Identifier: GPL-2.0
/* labnic: the hardware clock of a port and its stamps, see phc.h. */
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "labnic.h"

#define LABNIC_PHC_ADJ_MAX 100000000	/* ppb, as good NICs have it */

static struct labnic_phc *labnic_phc_of(struct ptp_clock_info *info)
{
	return container_of(info, struct labnic_phc, info);
}

/* What the clock shows at a time of CLOCK_MONOTONIC, which is true time. */
static ktime_t labnic_phc_at(struct labnic_phc *phc, u64 true_ns)
{
	unsigned long flags;
	s64 ns;

	spin_lock_irqsave(&phc->lock, flags);
	ns = osc_round(osc_dial_read(&phc->dial, true_ns));
	spin_unlock_irqrestore(&phc->lock, flags);
	return ns_to_ktime(ns);
}

static int labnic_phc_adjfine(struct ptp_clock_info *info, long scaled_ppm)
{
	struct labnic_phc *phc = labnic_phc_of(info);
	u64 true_ns = ktime_get_ns();
	unsigned long flags;

	spin_lock_irqsave(&phc->lock, flags);
	osc_dial_adjust(&phc->dial, true_ns, osc_rate_ppm16(scaled_ppm));
	spin_unlock_irqrestore(&phc->lock, flags);
	return 0;
}

static int labnic_phc_adjtime(struct ptp_clock_info *info, s64 delta)
{
	struct labnic_phc *phc = labnic_phc_of(info);
	u64 true_ns = ktime_get_ns();
	unsigned long flags;

	spin_lock_irqsave(&phc->lock, flags);
	osc_dial_shift(&phc->dial, true_ns, delta);
	spin_unlock_irqrestore(&phc->lock, flags);
	return 0;
}

static int labnic_phc_settime(struct ptp_clock_info *info,
			      const struct timespec64 *ts)
{
	struct labnic_phc *phc = labnic_phc_of(info);
	u64 true_ns = ktime_get_ns();
	unsigned long flags;

	spin_lock_irqsave(&phc->lock, flags);
	osc_dial_set(&phc->dial, true_ns, timespec64_to_ns(ts));
	spin_unlock_irqrestore(&phc->lock, flags);
	return 0;
}

static int labnic_phc_gettimex(struct ptp_clock_info *info,
			       struct timespec64 *ts,
			       struct ptp_system_timestamp *sts)
{
	u64 true_ns;

	ptp_read_system_prets(sts);
	true_ns = ktime_get_ns();
	ptp_read_system_postts(sts);
	*ts = ktime_to_timespec64(labnic_phc_at(labnic_phc_of(info), true_ns));
	return 0;
}

static int labnic_phc_enable(struct ptp_clock_info *info,
			     struct ptp_clock_request *request, int on)
{
	return -EOPNOTSUPP;
}

static const struct ptp_clock_info labnic_phc_info = {
	.owner		= THIS_MODULE,
	.name		= LABNIC_KIND,
	.max_adj	= LABNIC_PHC_ADJ_MAX,
	.adjfine	= labnic_phc_adjfine,
	.adjtime	= labnic_phc_adjtime,
	.gettimex64	= labnic_phc_gettimex,
	.settime64	= labnic_phc_settime,
	.enable		= labnic_phc_enable,
};

/**
 * labnic_phc_attach() - give a port its clock, showing true time, if it is to have one
 * @port: port whose config is final
 *
 * Context: RTNL held; sleeps.
 * Return: 0 or a negative errno, then there is nothing to undo.
 */
int labnic_phc_attach(struct labnic_port *port)
{
	struct labnic_phc *phc = &port->phc;
	u64 true_ns = ktime_get_ns();
	struct ptp_clock *clock;

	if (!port->config.phc)
		return 0;
	spin_lock_init(&phc->lock);
	osc_dial_init(&phc->dial, true_ns,
		      ktime_to_ns(ktime_mono_to_real(ns_to_ktime(true_ns))));
	phc->info = labnic_phc_info;
	clock = ptp_clock_register(&phc->info, NULL);
	if (IS_ERR_OR_NULL(clock))
		return clock ? PTR_ERR(clock) : -EOPNOTSUPP;
	phc->clock = clock;
	return 0;
}

/**
 * labnic_phc_detach() - undo labnic_phc_attach()
 * @port: port that is down
 */
void labnic_phc_detach(struct labnic_port *port)
{
	if (port->phc.clock)
		ptp_clock_unregister(port->phc.clock);
	port->phc.clock = NULL;
}

/**
 * labnic_phc_ts_info() - what ethtool -T says of a port with a clock
 * @port: port
 * @info: software stamps are in there already
 */
void labnic_phc_ts_info(struct labnic_port *port,
			struct kernel_ethtool_ts_info *info)
{
	if (!port->phc.clock)
		return;
	info->so_timestamping |= SOF_TIMESTAMPING_TX_HARDWARE |
				 SOF_TIMESTAMPING_RX_HARDWARE |
				 SOF_TIMESTAMPING_RAW_HARDWARE;
	info->phc_index = ptp_clock_index(port->phc.clock);
	info->tx_types = BIT(HWTSTAMP_TX_OFF) | BIT(HWTSTAMP_TX_ON);
	info->rx_filters = BIT(HWTSTAMP_FILTER_NONE) | BIT(HWTSTAMP_FILTER_ALL);
}

/**
 * labnic_phc_hwtstamp_get() - ndo_hwtstamp_get
 * @dev: device
 * @config: filled in
 *
 * Return: 0, or -EOPNOTSUPP without a clock.
 */
int labnic_phc_hwtstamp_get(struct net_device *dev,
			    struct kernel_hwtstamp_config *config)
{
	const struct labnic_port *port = netdev_priv(dev);

	if (!port->phc.clock)
		return -EOPNOTSUPP;
	config->flags = 0;
	config->tx_type = port->phc.tx_type;
	config->rx_filter = port->phc.rx_filter;
	return 0;
}

/**
 * labnic_phc_hwtstamp_set() - ndo_hwtstamp_set
 * @dev: device
 * @config: what is wanted; what is done, which stamps all or no frames
 * @extack: where to say what is wrong
 *
 * Context: RTNL held.
 * Return: 0, -ERANGE, or -EOPNOTSUPP without a clock.
 */
int labnic_phc_hwtstamp_set(struct net_device *dev,
			    struct kernel_hwtstamp_config *config,
			    struct netlink_ext_ack *extack)
{
	struct labnic_port *port = netdev_priv(dev);

	if (!port->phc.clock) {
		NL_SET_ERR_MSG_MOD(extack, "a port without phc has no stamps");
		return -EOPNOTSUPP;
	}
	if (config->tx_type != HWTSTAMP_TX_OFF &&
	    config->tx_type != HWTSTAMP_TX_ON) {
		NL_SET_ERR_MSG_MOD(extack, "tx_type must be off or on");
		return -ERANGE;
	}
	if (config->rx_filter != HWTSTAMP_FILTER_NONE)
		config->rx_filter = HWTSTAMP_FILTER_ALL;
	WRITE_ONCE(port->phc.tx_type, config->tx_type);
	WRITE_ONCE(port->phc.rx_filter, config->rx_filter);
	return 0;
}

/**
 * labnic_phc_show() - /proc/net/labnic/DEVICE/clock
 * @seq: file of a port with a clock
 * @v: unused
 *
 * Return: 0 or -ENOMEM.
 */
int labnic_phc_show(struct seq_file *seq, void *v)
{
	struct labnic_port *port = seq->private;
	u64 true_ns = ktime_get_ns();
	unsigned long flags;
	char *text;

	text = kmalloc(OSC_TEXT_MAX, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	spin_lock_irqsave(&port->phc.lock, flags);
	osc_show(text, OSC_TEXT_MAX, &port->phc.dial, true_ns,
		 ktime_to_ns(ktime_mono_to_real(ns_to_ktime(true_ns))));
	spin_unlock_irqrestore(&port->phc.lock, flags);
	seq_puts(seq, text);
	kfree(text);
	return 0;
}

static int labnic_phc_apply(struct labnic_phc *phc,
			    const struct osc_setting *setting)
{
	u64 true_ns = ktime_get_ns();
	unsigned long flags;
	int err;

	spin_lock_irqsave(&phc->lock, flags);
	err = osc_dial_apply(&phc->dial, true_ns,
			     ktime_to_ns(ktime_mono_to_real(ns_to_ktime(true_ns))),
			     setting);
	spin_unlock_irqrestore(&phc->lock, flags);
	return err;
}

/**
 * labnic_phc_write() - change a port's clock by a line of settings, see osc.h
 * @file: of a port with a clock
 * @data: the line
 * @size: its length
 * @pos: unused
 *
 * Return: @size or a negative errno, then nothing has changed.
 */
ssize_t labnic_phc_write(struct file *file, const char __user *data,
			 size_t size, loff_t *pos)
{
	struct labnic_port *port = pde_data(file_inode(file));
	struct osc_setting setting;
	char *text;
	int err;

	if (size >= PAGE_SIZE)
		return -EINVAL;
	text = memdup_user_nul(data, size);
	if (IS_ERR(text))
		return PTR_ERR(text);
	err = strlen(text) == size ? osc_parse(text, &setting) : -EINVAL;
	kfree(text);
	if (!err)
		err = labnic_phc_apply(&port->phc, &setting);
	return err ?: size;
}

/**
 * labnic_phc_wants() - is a buffer that is being sent to be stamped?
 * @port: the sending port
 * @skb: buffer
 *
 * Context: ndo_start_xmit, before skb_tx_timestamp().
 * Return: what labnic_phc_sent() is to be given, or NULL if nobody waits for a
 *	stamp, or for want of memory.
 */
struct sk_buff *labnic_phc_wants(struct labnic_port *port, struct sk_buff *skb)
{
	struct sk_buff *stamp;

	if (likely(READ_ONCE(port->phc.tx_type) != HWTSTAMP_TX_ON) ||
	    !(skb_shinfo(skb)->tx_flags & SKBTX_HW_TSTAMP))
		return NULL;
	stamp = skb_clone_sk(skb);
	if (stamp)
		skb_shinfo(skb)->tx_flags |= SKBTX_IN_PROGRESS;
	return stamp;
}

/**
 * labnic_phc_sent() - tell a socket when its buffer was sent
 * @port: the sending port
 * @skb: from labnic_phc_wants(); consumed
 * @at_ns: when it passed the stamp's point
 *
 * Context: softirqs off.
 */
void labnic_phc_sent(struct labnic_port *port, struct sk_buff *skb, u64 at_ns)
{
	struct skb_shared_hwtstamps stamps = {
		.hwtstamp = labnic_phc_at(&port->phc, at_ns),
	};

	skb_complete_tx_timestamp(skb, &stamps);
}

/**
 * labnic_phc_received() - stamp a frame that has arrived, or take away the stamp
 *	that a router's port gave it
 * @port: the receiving port
 * @skb: frame
 * @at_ns: when it passed the stamp's point
 *
 * The sender may still have a clone (retransmission), whose stamp is the same
 * memory: it is parted from that first.
 *
 * Context: the port's poll.
 */
void labnic_phc_received(struct labnic_port *port, struct sk_buff *skb,
			 u64 at_ns)
{
	bool stamps = READ_ONCE(port->phc.rx_filter) == HWTSTAMP_FILTER_ALL;

	if (likely(!stamps && !skb_hwtstamps(skb)->hwtstamp))
		return;
	if (skb_unclone(skb, GFP_ATOMIC))
		return;
	skb_hwtstamps(skb)->hwtstamp =
		stamps ? labnic_phc_at(&port->phc, at_ns) : 0;
}
