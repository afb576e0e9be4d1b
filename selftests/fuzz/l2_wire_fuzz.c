// SPDX-License-Identifier: GPL-2.0
/*
 * A frame of any bytes, as a CNM, as PAUSE or PFC, as an RD, and as one for which a CNM or an
 * RD is written: what is accepted lies inside, its fields keep their ranges, and it is read
 * again as it was written; a CNM tells the flow that its frame has.  Anything else aborts.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fecn_wire.h"
#include "l2_flow.h"
#include "l2_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

static void cnm_read(const uint8_t *data, size_t size)
{
	u8 out[L2_CNM_MAX_BYTES];
	struct l2_header h;
	struct l2_cnm cnm;

	if (l2_cnm_parse(data, size, &h, &cnm))
		return;
	require(h.type == L2_TYPE_CNM && h.bytes >= 12 && h.bytes <= 24);
	require(cnm.msdu == data + h.bytes + 26 && cnm.msdu_bytes <= L2_CNM_MSDU_MAX &&
		cnm.msdu + cnm.msdu_bytes <= data + size);
	require(cnm.qntz_fb >= 1 && cnm.qntz_fb <= 63 && cnm.priority < L2_PRIORITIES);
	require(!l2_cnm_put(out, data, data, size, &cnm, L2_CNM_MSDU_MAX));
}

static void flow(const uint8_t *data, size_t size, const struct l2_cnm *cnm)
{
	struct l2_flow sent, parsed;
	bool known = l2_flow_of_frame(data, size, &sent);

	require(l2_flow_parse(cnm->msdu, cnm->msdu_bytes, cnm->da, &parsed) == known);
	require(!known || !memcmp(&sent, &parsed, sizeof(sent)));
}

static void cnm_write(const uint8_t *data, size_t size)
{
	const u8 port[] = { 2, 0, 0, 0, 0, 1 }, cpid[] = { 2, 0, 0, 0, 0, 1, 0, 0 };
	const struct l2_cnm cnm = { .cpid = cpid, .qntz_fb = 63, .priority = 7 };
	u8 out[L2_CNM_MAX_BYTES], again[L2_CNM_MAX_BYTES];
	size_t len = l2_cnm_put(out, port, data, size, &cnm, L2_CNM_MSDU_MAX);
	struct l2_header h;
	struct l2_flow none;
	struct l2_cnm got;

	if (!len) {
		require(!l2_flow_of_frame(data, size, &none) || data[6] & 1 ||
			!memcmp(data + 6, "\0\0\0\0\0", 6));
		return;
	}
	require(len >= L2_MIN_BYTES && len <= sizeof(out) && !l2_cnm_parse(out, len, &h, &got));
	require(!memcmp(out, data + 6, 6) && !memcmp(out + 6, port, 6) && !memcmp(got.da, data, 6));
	require(!memcmp(out + 12, data + 12, h.bytes - 12));
	require(!memcmp(got.msdu, data + h.bytes, got.msdu_bytes));
	flow(data, size, &got);
	/* The first bytes of the frame are enough. */
	size = min_t(size_t, size, h.bytes + L2_CNM_MSDU_MAX);
	require(l2_cnm_put(again, port, data, size, &cnm, L2_CNM_MSDU_MAX) == len);
	require(!memcmp(out, again, len));
}

static void pause(const uint8_t *data, size_t size)
{
	struct l2_pause pause, got;
	u8 out[L2_MIN_BYTES];
	u32 i;

	if (l2_pause_parse(data, size, &pause))
		return;
	l2_pause_put(out, data + 6, &pause);
	require(!l2_pause_parse(out, sizeof(out), &got));
	require(got.is_pfc == pause.is_pfc && got.priorities == pause.priorities);
	for (i = 0; i < L2_PRIORITIES; i++)
		require(got.quanta[i] == pause.quanta[i] &&
			(pause.priorities >> i & 1 || !pause.quanta[i]));
}

static void rd_read(const uint8_t *data, size_t size)
{
	u8 copy[FECN_RD_MAX_BYTES + L2_TAG_BYTES], least[L2_CPID_BYTES] = { 1 };
	struct fecn_rd rd, got;
	u32 body, again;

	if (fecn_rd_parse(data, size, &rd, &body))
		return;
	require(body >= 14 && body <= 22 && body + FECN_RD_BYTES <= size);
	l2_put_bytes(copy, data, body + FECN_RD_BYTES);
	require(fecn_rd_pass(copy + body, rd.kbps / 2, 7, least) == (rd.kbps > 0));
	fecn_rd_reflect(copy, body);
	require(!fecn_rd_parse(copy, body + FECN_RD_BYTES, &got, &again) && again == body);
	require(got.is_back && got.kbps == rd.kbps / 2 && got.nonce == rd.nonce &&
		got.hops >= rd.hops && !memcmp(copy, data + 6, 6) && !memcmp(copy + 6, data, 6));
}

static void rd_write(const uint8_t *data, size_t size)
{
	const struct fecn_rd rd = { .nonce = 1, .kbps = UINT32_MAX };
	u8 out[FECN_RD_MAX_BYTES];
	size_t len = fecn_rd_put(out, data, size, &rd);
	struct fecn_rd got;
	u32 body;

	if (!len)
		return;
	require(len >= L2_MIN_BYTES && len <= sizeof(out));
	require(!fecn_rd_parse(out, len, &got, &body) && body + FECN_RD_BYTES == len);
	require(!memcmp(out, data, 12) && got.nonce == 1 && !got.is_back);
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: a frame
 * @size: its length
 *
 * Return: 0; does not return if something is wrong.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cnm_read(data, size);
	cnm_write(data, size);
	pause(data, size);
	rd_read(data, size);
	rd_write(data, size);
	return 0;
}
