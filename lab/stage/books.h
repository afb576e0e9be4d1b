/* SPDX-License-Identifier: GPL-2.0 */
/* books.h - the books of a run: what every port sent, received and dropped */
#ifndef STAGE_BOOKS_H
#define STAGE_BOOKS_H

#include "plan.h"

void books_wait(const struct plan *plan);
void books_write(const struct plan *plan);

#endif /* STAGE_BOOKS_H */
