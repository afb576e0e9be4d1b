// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about clocks: that of the host, and those of its devices.
 */
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "genl.h"

/*
 * Requests about clocks.  Policies know the range of each number; what depends
 * on several of them, or on the time, is checked here.
 */

/**
 * onramp_clock_get_doit() - ONRAMP_CMD_CLOCK_GET
 * @skb: the request
 * @info: same
 *
 * Return: 0 or an error.
 */
int onramp_clock_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return onramp_genl_answer(info, onramp_put_clock);
}

/* Return: an attribute of the line that is there, or NULL. */
static struct nlattr *onramp_clock_line_attr(struct genl_info *info)
{
	int type;

	for (type = ONRAMP_A_CLOCK_BASE; type <= ONRAMP_A_CLOCK_EPOCH; type++)
		if (info->attrs[type])
			return info->attrs[type];
	return NULL;
}

static int onramp_clock_set_system(struct onramp_net *on,
				   struct genl_info *info)
{
	struct nlattr *line = onramp_clock_line_attr(info);

	if (line) {
		NL_SET_ERR_MSG_ATTR(info->extack, line,
				    "clock system has an id and an error, nothing else");
		return -EINVAL;
	}
	WRITE_ONCE(on->system_error_ns,
		   nla_get_u32(info->attrs[ONRAMP_A_CLOCK_ERROR]));
	return 0;
}

/* An error of 0, and no line: as with the system's clock, forget it. */
static bool onramp_clock_is_forgotten(struct genl_info *info)
{
	return !nla_get_u32(info->attrs[ONRAMP_A_CLOCK_ERROR]) &&
	       !onramp_clock_line_attr(info);
}

static int onramp_clock_check_line(struct onramp_net *on,
				   const struct onramp_clock_line *line,
				   struct genl_info *info)
{
	s64 span_ns = onramp_clock_base_ns(on->net, line->base) - line->map.ref_ns;

	if (!line->error_ns) {
		NL_SET_ERR_MSG_ATTR(info->extack,
				    info->attrs[ONRAMP_A_CLOCK_ERROR],
				    "clock error: must be 1 to 1000000000 ns with clock published");
		return -ERANGE;
	}
	if (span_ns > ONRAMP_RANGE_VALID_MAX_NS ||
	    span_ns < -ONRAMP_RANGE_VALID_MAX_NS) {
		NL_SET_ERR_MSG_ATTR(info->extack,
				    info->attrs[ONRAMP_A_CLOCK_REF],
				    "clock ref: must be within 600 s of the base clock now");
		return -ERANGE;
	}
	return 0;
}

static bool onramp_clock_is_line(struct genl_info *info)
{
	return !GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_BASE) &&
	       !GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_OFFSET) &&
	       !GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_REF) &&
	       !GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_VALID) &&
	       !GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_EPOCH);
}

static struct onramp_clock_line *onramp_clock_read_line(struct nlattr **attrs)
{
	struct onramp_clock_line *line = kzalloc(sizeof(*line), GFP_KERNEL);

	if (!line)
		return NULL;
	line->base = nla_get_u8(attrs[ONRAMP_A_CLOCK_BASE]);
	line->epoch = nla_get_u32(attrs[ONRAMP_A_CLOCK_EPOCH]);
	line->error_ns = nla_get_u32(attrs[ONRAMP_A_CLOCK_ERROR]);
	line->map.offset_ns = nla_get_s64(attrs[ONRAMP_A_CLOCK_OFFSET]);
	line->map.ref_ns = nla_get_s64(attrs[ONRAMP_A_CLOCK_REF]);
	if (attrs[ONRAMP_A_CLOCK_DRIFT])
		line->map.drift = nla_get_s64(attrs[ONRAMP_A_CLOCK_DRIFT]);
	return line;
}

static int onramp_clock_set_published(struct onramp_net *on,
				      struct genl_info *info)
{
	struct onramp_clock_line *line;
	int err;

	if (onramp_clock_is_forgotten(info)) {
		onramp_clock_forget(on);
		return 0;
	}
	if (!onramp_clock_is_line(info)) {
		NL_SET_ERR_MSG(info->extack,
			       "clock published: base, offset, ref, valid and epoch must be given");
		return -EINVAL;
	}
	line = onramp_clock_read_line(info->attrs);
	if (!line)
		return -ENOMEM;
	err = onramp_clock_check_line(on, line, info);
	if (err) {
		kfree(line);
		return err;
	}
	onramp_clock_publish(on, line,
			     nla_get_u64(info->attrs[ONRAMP_A_CLOCK_VALID]));
	return 0;
}

/**
 * onramp_clock_set_doit() - ONRAMP_CMD_CLOCK_SET
 * @skb: the request
 * @info: same
 *
 * Context: onramp_net.change.
 * Return: 0, -EINVAL, -ERANGE or -ENOMEM, and then nothing was changed.
 */
int onramp_clock_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct onramp_net *on = onramp_net_of(genl_info_net(info));
	int err;

	if (GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_ID) ||
	    GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_ERROR)) {
		NL_SET_ERR_MSG(info->extack,
			       "clock: id and error must be given");
		return -EINVAL;
	}
	if (nla_get_u8(info->attrs[ONRAMP_A_CLOCK_ID]) == ONRAMP_CLOCK_SYSTEM)
		err = onramp_clock_set_system(on, info);
	else
		err = onramp_clock_set_published(on, info);
	if (!err)
		onramp_genl_clock_event(on, ONRAMP_EVENT_CLOCK);
	return err;
}

/*
 * Requests about the hardware clocks of devices, and their state.
 */

static const int onramp_verdict_attr[ONRAMP_HOOK_WAYS][ONRAMP_PHC_VERDICTS] = {
	[ONRAMP_HOOK_TX] = {
		[ONRAMP_PHC_GOOD] = ONRAMP_A_PHC_TX_GOOD,
		[ONRAMP_PHC_STALE] = ONRAMP_A_PHC_TX_STALE,
	},
	[ONRAMP_HOOK_RX] = {
		[ONRAMP_PHC_GOOD] = ONRAMP_A_PHC_RX_GOOD,
		[ONRAMP_PHC_MISSING] = ONRAMP_A_PHC_RX_MISSING,
		[ONRAMP_PHC_STALE] = ONRAMP_A_PHC_RX_STALE,
		[ONRAMP_PHC_IMPLAUSIBLE] = ONRAMP_A_PHC_RX_IMPLAUSIBLE,
	},
};

static int onramp_put_verdicts(struct sk_buff *skb,
			       const struct onramp_device *device)
{
	int way, i;

	for (way = 0; way < ONRAMP_HOOK_WAYS; way++) {
		for (i = 0; i < ONRAMP_PHC_VERDICTS; i++) {
			int attr = onramp_verdict_attr[way][i];
			u64 n = device ?
				atomic64_read(&device->verdicts[way][i]) : 0;

			if (attr && onramp_put_u64(skb, attr, n))
				return -EMSGSIZE;
		}
	}
	return 0;
}

/**
 * onramp_put_phc() - the hardware clock of a device
 * @skb: the message
 * @dev: the device
 * @device: what is known of it, or NULL
 * @now_ns: onramp_now(), just read
 *
 * Context: RTNL.
 * Return: 0 or -EMSGSIZE.
 */
int onramp_put_phc(struct sk_buff *skb, struct net_device *dev,
		   const struct onramp_device *device, u64 now_ns)
{
	const struct onramp_device_phc *phc =
		device ? rtnl_dereference(device->phc) : NULL;
	s64 left_ns;

	if (nla_put_u8(skb, ONRAMP_A_PHC,
		       onramp_phc_can(dev, ONRAMP_HOOK_RX)) ||
	    onramp_put_verdicts(skb, device))
		return -EMSGSIZE;
	if (!phc)
		return 0;
	left_ns = onramp_phc_is_awake(phc) ? phc->p.until_ns - now_ns : 0;
	if (nla_put_u8(skb, ONRAMP_A_CLOCK_STATE, left_ns > 0) ||
	    nla_put_u32(skb, ONRAMP_A_CLOCK_ERROR, phc->p.error_ns) ||
	    onramp_put_s64(skb, ONRAMP_A_PHC_BIAS, phc->p.bias_ns) ||
	    onramp_put_u64(skb, ONRAMP_A_PHC_WINDOW, phc->p.window_ns))
		return -EMSGSIZE;
	return onramp_put_line(skb, &phc->p.line, left_ns, phc->p.epoch);
}

static bool onramp_phc_is_whole(struct genl_info *info)
{
	return !GENL_REQ_ATTR_CHECK(info, ONRAMP_A_IFINDEX) &&
	       !GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_ERROR) &&
	       !GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_OFFSET) &&
	       !GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_REF) &&
	       !GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_VALID) &&
	       !GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_EPOCH);
}

static struct onramp_phc onramp_phc_read_line(struct net *net,
					      struct nlattr **attrs)
{
	struct onramp_phc phc = {
		.line.offset_ns = nla_get_s64(attrs[ONRAMP_A_CLOCK_OFFSET]),
		.line.ref_ns = nla_get_s64(attrs[ONRAMP_A_CLOCK_REF]),
		.until_ns = onramp_now(net) +
			    nla_get_u64(attrs[ONRAMP_A_CLOCK_VALID]),
		.window_ns = ONRAMP_WINDOW_DEFAULT_NS,
		.error_ns = nla_get_u32(attrs[ONRAMP_A_CLOCK_ERROR]),
		.epoch = nla_get_u32(attrs[ONRAMP_A_CLOCK_EPOCH]),
	};

	if (attrs[ONRAMP_A_CLOCK_DRIFT])
		phc.line.drift = nla_get_s64(attrs[ONRAMP_A_CLOCK_DRIFT]);
	if (attrs[ONRAMP_A_PHC_BIAS])
		phc.bias_ns = nla_get_s64(attrs[ONRAMP_A_PHC_BIAS]);
	if (attrs[ONRAMP_A_PHC_WINDOW])
		phc.window_ns = nla_get_u64(attrs[ONRAMP_A_PHC_WINDOW]);
	return phc;
}

static int onramp_phc_check(struct net *net, const struct onramp_phc *phc,
			    struct genl_info *info)
{
	s64 wall_ns, off_ns;

	if (!phc->error_ns)
		return onramp_genl_refuse(info, info->attrs[ONRAMP_A_CLOCK_ERROR],
					  -ERANGE,
					  "phc error: must be 1 to 1000000000 ns");
	if (!onramp_line_map(&phc->line, phc->line.ref_ns, &wall_ns))
		return onramp_genl_refuse(info, info->attrs[ONRAMP_A_CLOCK_REF],
					  -ERANGE,
					  "phc ref: it and ref + offset must be times, 0 ns or more");
	off_ns = onramp_wall(net) - wall_ns;
	if (off_ns > ONRAMP_RANGE_VALID_MAX_NS ||
	    off_ns < -ONRAMP_RANGE_VALID_MAX_NS)
		return onramp_genl_refuse(info, info->attrs[ONRAMP_A_CLOCK_OFFSET],
					  -ERANGE,
					  "phc offset: ref + offset must be within 600 s of CLOCK_REALTIME now");
	return 0;
}

static int onramp_phc_set(struct net_device *dev, const struct onramp_phc *p,
			  struct genl_info *info)
{
	struct onramp_device_phc *phc;
	struct onramp_device *device;
	int err = 0;

	if (!onramp_phc_can(dev, ONRAMP_HOOK_RX))
		return onramp_genl_refuse(info, info->attrs[ONRAMP_A_IFINDEX],
					  -EOPNOTSUPP,
					  "phc: the device has no hardware clock that stamps what comes");
	phc = kzalloc(sizeof(*phc), GFP_KERNEL);
	device = phc ? onramp_device_get(dev) : NULL;
	if (!device) {
		kfree(phc);
		return -ENOMEM;
	}
	phc->p = *p;
	if (!onramp_phc_publish(device, phc)) {
		kfree(phc);
		err = onramp_genl_refuse(info, info->attrs[ONRAMP_A_CLOCK_OFFSET],
					 -ERANGE,
					 "phc offset: further from the line before than the errors of both; with a stepped clock another epoch begins");
	}
	onramp_device_put(device);
	return err;
}

/* Context: RTNL. */
static struct net_device *onramp_phc_dev(struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[ONRAMP_A_IFINDEX];
	struct net_device *dev;

	dev = __dev_get_by_index(genl_info_net(info), nla_get_u32(attr));
	if (!dev)
		onramp_genl_refuse(info, attr, -ENODEV,
				   "ifindex: there is no such device");
	return dev;
}

/**
 * onramp_phc_set_doit() - ONRAMP_CMD_PHC_SET
 * @skb: the request
 * @info: same
 *
 * Return: 0 or an error; then nothing was changed.
 */
int onramp_phc_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct net *net = genl_info_net(info);
	struct net_device *dev;
	struct onramp_phc phc;
	int err;

	if (!onramp_phc_is_whole(info))
		return onramp_genl_refuse(info, NULL, -EINVAL,
					  "phc: ifindex, offset, ref, error, valid and epoch must be given");
	phc = onramp_phc_read_line(net, info->attrs);
	err = onramp_phc_check(net, &phc, info);
	if (err)
		return err;
	rtnl_lock();
	dev = onramp_phc_dev(info);
	err = dev ? onramp_phc_set(dev, &phc, info) : -ENODEV;
	rtnl_unlock();
	return err;
}

/**
 * onramp_phc_del_doit() - ONRAMP_CMD_PHC_DEL
 * @skb: the request
 * @info: same
 *
 * Return: 0 or an error; a line that is not there is no error.
 */
int onramp_phc_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct onramp_device *device;
	struct net_device *dev;

	if (GENL_REQ_ATTR_CHECK(info, ONRAMP_A_IFINDEX))
		return onramp_genl_refuse(info, NULL, -EINVAL,
					  "ifindex is missing");
	rtnl_lock();
	dev = onramp_phc_dev(info);
	device = dev ? onramp_device_find(dev) : NULL;
	if (device) {
		onramp_phc_forget(device);
		onramp_device_put(device);
	}
	rtnl_unlock();
	return dev ? 0 : -ENODEV;
}
