/* SPDX-License-Identifier: GPL-2.0 */
/* In the place of nettle 4's headers: the functions whose arguments it changed. */
#define NETTLE_VERSION_MAJOR 4
