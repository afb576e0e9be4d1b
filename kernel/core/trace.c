// SPDX-License-Identifier: GPL-2.0
/*
 * The tracepoints themselves.
 */
#include "core.h"

#define CREATE_TRACE_POINTS
#include "onramp_trace.h"
