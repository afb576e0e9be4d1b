// SPDX-License-Identifier: GPL-2.0
/*
 * labnic: /proc/net/labnic/<device>/{histogram,trace,drops,clock}.
 *
 * histogram and trace are what a window gathered.  An open file holds on to
 * the window that it found and brings it up to the time of the opening, so that
 * an idle port's figures are whole.  Without a window both are empty.
 * histogram: lines "name value", then a line "bin ns" for each length in packets
 * at which time was spent (the last bin: and above).  trace: lines "at_ns pkts
 * bytes".
 *
 * drops: lines "reason pkts bytes", what the stack dropped, see drops.h.
 *
 * clock: of a port that has one, see phc.h.
 */
#include <linux/netdevice.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "labnic.h"

static unsigned int labnic_net_id;

struct labnic_net {
	struct proc_dir_entry *dir;
};

static struct labnic_window *labnic_seq_window(struct seq_file *seq)
{
	return *(struct labnic_window **)seq->private;
}

static void labnic_seq_stop(struct seq_file *seq, void *v)
{
}

/* Position 0 is the head, position n + 1 is bin n; empty bins are skipped. */
static void *labnic_histogram_start(struct seq_file *seq, loff_t *pos)
{
	const struct labnic_window *w = labnic_seq_window(seq);

	if (!w)
		return NULL;
	if (!*pos)
		return SEQ_START_TOKEN;
	while (*pos <= w->nbins && !w->bins[*pos - 1])
		++*pos;
	return *pos <= w->nbins ? &w->bins[*pos - 1] : NULL;
}

static void *labnic_histogram_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return labnic_histogram_start(seq, pos);
}

static void labnic_histogram_head(struct seq_file *seq,
				  const struct labnic_window *w)
{
	seq_printf(seq, "from_ns %llu\n", w->from_ns);
	seq_printf(seq, "until_ns %llu\n", w->until_ns);
	seq_printf(seq, "advanced_ns %llu\n", w->last_ns);
	seq_printf(seq, "pkts_ns %llu\n", w->pkts_ns);
	seq_printf(seq, "bytes_ns %llu\n", w->bytes_ns);
	seq_printf(seq, "max_pkts %u\n", w->max_pkts);
	seq_printf(seq, "max_bytes %u\n", w->max_bytes);
	seq_printf(seq, "departed_pkts %llu\n", w->departed_pkts);
	seq_printf(seq, "departed_bytes %llu\n", w->departed_bytes);
	seq_printf(seq, "trace_samples %u\n", w->trace_len);
	seq_printf(seq, "trace_lost %llu\n", w->trace_lost);
	seq_printf(seq, "bins %u\n", w->nbins);
}

static int labnic_histogram_show(struct seq_file *seq, void *v)
{
	const struct labnic_window *w = labnic_seq_window(seq);
	const u64 *bin = v;

	if (v == SEQ_START_TOKEN)
		labnic_histogram_head(seq, w);
	else
		seq_printf(seq, "%td %llu\n", bin - w->bins, *bin);
	return 0;
}

static const struct seq_operations labnic_histogram_ops = {
	.start	= labnic_histogram_start,
	.next	= labnic_histogram_next,
	.stop	= labnic_seq_stop,
	.show	= labnic_histogram_show,
};

static void *labnic_trace_start(struct seq_file *seq, loff_t *pos)
{
	const struct labnic_window *w = labnic_seq_window(seq);

	return w && *pos < READ_ONCE(w->trace_len) ? &w->trace[*pos] : NULL;
}

static void *labnic_trace_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return labnic_trace_start(seq, pos);
}

static int labnic_trace_show(struct seq_file *seq, void *v)
{
	const struct labnic_sample *sample = v;

	seq_printf(seq, "%llu %u %u\n", sample->at_ns, sample->pkts,
		   sample->bytes);
	return 0;
}

static const struct seq_operations labnic_trace_ops = {
	.start	= labnic_trace_start,
	.next	= labnic_trace_next,
	.stop	= labnic_seq_stop,
	.show	= labnic_trace_show,
};

static int labnic_seq_open(struct inode *inode, struct file *file,
			   const struct seq_operations *ops)
{
	struct labnic_window **window;

	window = __seq_open_private(file, ops, sizeof(*window));
	if (!window)
		return -ENOMEM;
	*window = labnic_queue_get(pde_data(inode));
	return 0;
}

static int labnic_seq_release(struct inode *inode, struct file *file)
{
	struct seq_file *seq = file->private_data;

	labnic_queue_put(labnic_seq_window(seq));
	return seq_release_private(inode, file);
}

static int labnic_histogram_open(struct inode *inode, struct file *file)
{
	return labnic_seq_open(inode, file, &labnic_histogram_ops);
}

static int labnic_trace_open(struct inode *inode, struct file *file)
{
	return labnic_seq_open(inode, file, &labnic_trace_ops);
}

static const struct proc_ops labnic_histogram_proc = {
	.proc_open	= labnic_histogram_open,
	.proc_read	= seq_read,
	.proc_lseek	= seq_lseek,
	.proc_release	= labnic_seq_release,
};

static const struct proc_ops labnic_trace_proc = {
	.proc_open	= labnic_trace_open,
	.proc_read	= seq_read,
	.proc_lseek	= seq_lseek,
	.proc_release	= labnic_seq_release,
};

static int labnic_drops_show(struct seq_file *seq, void *v)
{
	const struct labnic_port *port = seq->private;
	const struct labnic_drop_count *count;
	u64 pkts;
	int i;

	for (i = 0; i < SKB_DROP_REASON_MAX; i++) {
		count = &port->drops.count[i];
		pkts = atomic64_read(&count->pkts);
		if (pkts)
			seq_printf(seq, "%s %llu %llu\n",
				   labnic_drops_name(i), pkts,
				   (u64)atomic64_read(&count->bytes));
	}
	return 0;
}

static int labnic_clock_open(struct inode *inode, struct file *file)
{
	return single_open(file, labnic_phc_show, pde_data(inode));
}

static const struct proc_ops labnic_clock_proc = {
	.proc_open	= labnic_clock_open,
	.proc_read	= seq_read,
	.proc_write	= labnic_phc_write,
	.proc_lseek	= seq_lseek,
	.proc_release	= single_release,
};

static void labnic_proc_add(struct net_device *dev)
{
	struct labnic_net *ln = net_generic(dev_net(dev), labnic_net_id);
	struct labnic_port *port = netdev_priv(dev);

	if (!ln->dir)
		return;
	port->proc = proc_mkdir(dev->name, ln->dir);
	if (!port->proc)
		return;
	proc_create_data("histogram", 0444, port->proc, &labnic_histogram_proc,
			 port);
	proc_create_data("trace", 0444, port->proc, &labnic_trace_proc, port);
	proc_create_single_data("drops", 0444, port->proc, labnic_drops_show,
				port);
	if (port->phc.clock)
		proc_create_data("clock", 0644, port->proc,
				 &labnic_clock_proc, port);
}

static void labnic_proc_remove(struct net_device *dev)
{
	struct labnic_port *port = netdev_priv(dev);

	proc_remove(port->proc);
	port->proc = NULL;
}

/* A device that moves to another namespace leaves and comes by these, too. */
static int labnic_proc_event(struct notifier_block *nb, unsigned long event,
			     void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);

	if (dev->rtnl_link_ops != &labnic_link_ops)
		return NOTIFY_DONE;
	switch (event) {
	case NETDEV_REGISTER:
		labnic_proc_add(dev);
		break;
	case NETDEV_CHANGENAME:
		labnic_proc_remove(dev);
		labnic_proc_add(dev);
		break;
	case NETDEV_UNREGISTER:
		labnic_proc_remove(dev);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block labnic_proc_notifier = {
	.notifier_call = labnic_proc_event,
};

static int __net_init labnic_net_init(struct net *net)
{
	struct labnic_net *ln = net_generic(net, labnic_net_id);

	ln->dir = proc_net_mkdir(net, LABNIC_KIND, net->proc_net);
	return ln->dir ? 0 : -ENOMEM;
}

static void __net_exit labnic_net_exit(struct net *net)
{
	struct labnic_net *ln = net_generic(net, labnic_net_id);

	proc_remove(ln->dir);
	ln->dir = NULL;
}

static struct pernet_operations labnic_net_ops = {
	.init	= labnic_net_init,
	.exit	= labnic_net_exit,
	.id	= &labnic_net_id,
	.size	= sizeof(struct labnic_net),
};

/**
 * labnic_proc_init() - follow the devices of all namespaces
 *
 * Return: 0 or a negative errno.
 */
int __init labnic_proc_init(void)
{
	int err;

	err = register_pernet_subsys(&labnic_net_ops);
	if (err)
		return err;
	err = register_netdevice_notifier(&labnic_proc_notifier);
	if (err)
		unregister_pernet_subsys(&labnic_net_ops);
	return err;
}

/**
 * labnic_proc_exit() - undo labnic_proc_init()
 */
void labnic_proc_exit(void)
{
	unregister_netdevice_notifier(&labnic_proc_notifier);
	unregister_pernet_subsys(&labnic_net_ops);
}
