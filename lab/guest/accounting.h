/* SPDX-License-Identifier: GPL-2.0 */
/* accounting.h - packet accounting: what every port sent, received and dropped */
#ifndef GUEST_ACCOUNTING_H
#define GUEST_ACCOUNTING_H

#include "topology.h"

void accounting_wait(const struct topo *topo);
void accounting_write(const struct topo *topo);

#endif /* GUEST_ACCOUNTING_H */
