// SPDX-License-Identifier: GPL-2.0
/*
 * The tracepoint.
 */
#define CREATE_TRACE_POINTS
#include "rp_trace.h"
