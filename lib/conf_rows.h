/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Short forms for the rows of a table of keys.  Only the file with the table includes this,
 * behind a definition of CONF_STRUCT, the program's struct.
 */
#ifndef SHARPRAMP_LIB_CONF_ROWS_H
#define SHARPRAMP_LIB_CONF_ROWS_H

#include "conf_table.h"

#define NS	1LL
#define US	(1000 * NS)
#define MS	(1000 * US)
#define S	(1000 * MS)
#define PPB	1LL
#define PPM	(1000 * PPB)

#define FIELD(f)	.offset = offsetof(CONF_STRUCT, f)
/* The longest text that a field has space for. */
#define FITS(f)		.most = sizeof((*(CONF_STRUCT *)NULL).f) - 1

#define COUNT(f)	.kind = CONF_KEY_COUNT, FIELD(f)
#define TIME(f)		.kind = CONF_KEY_TIME, FIELD(f)
#define RATE(f)		.kind = CONF_KEY_PPB, FIELD(f)
#define CHOICE(f, w)	.kind = CONF_KEY_CHOICE, FIELD(f), .choices = w
#define NAME(f)		.kind = CONF_KEY_NAME, FIELD(f), FITS(f)
#define PATH(f)		.kind = CONF_KEY_PATH, FIELD(f), FITS(f)
/* Length of a UNIX socket's path: sun_path, with its zero, has 108. */
#define SOCK(f)		.kind = CONF_KEY_PATH, FIELD(f), .most = 107
#define FORM(f)		.kind = CONF_KEY_FORM, .form = &(f)
#define FROM(a)		.least = a
#define TO(b)		.most = b
#define YESNO		"no yes"
#define LIVE		.live = 1

#endif /* SHARPRAMP_LIB_CONF_ROWS_H */
