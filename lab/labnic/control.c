// SPDX-License-Identifier: GPL-2.0
/* Control frames, see control.h. */
#include "control.h"

/**
 * labnic_control_type() - is this a control frame?
 * @frame: its first bytes, from the destination address on
 * @len: how many; L2_HEADER_MAX_BYTES are enough
 *
 * Return: true for the EtherTypes of MAC control, CNMs and rates, also behind VLAN tags.
 */
bool labnic_control_type(const u8 *frame, u32 len)
{
	struct l2_header h;

	if (l2_header_parse(frame, len, &h))
		return false;
	return h.type == L2_TYPE_MAC_CONTROL || h.type == L2_TYPE_CNM ||
	       h.type == LABNIC_TYPE_RATES;
}

/**
 * labnic_control_quanta() - for how long does a frame pause a MAC?
 * @frame: its first bytes, from the destination address on
 * @len: how many; L2_MIN_BYTES are enough
 *
 * Return: quanta, 0 to 65535, or LABNIC_NO_PAUSE if it is not a valid PAUSE frame; PFC
 *	is none: priorities are the software's.
 */
s32 labnic_control_quanta(const u8 *frame, u32 len)
{
	struct l2_pause pause;

	if (l2_pause_parse(frame, len, &pause) || pause.is_pfc)
		return LABNIC_NO_PAUSE;
	return pause.quanta[0];
}
