// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about clocks.  Policies know the range of each number; what depends
 * on several of them, or on the time, is checked here.
 */
#include <linux/slab.h>

#include "genl.h"

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
