// SPDX-License-Identifier: GPL-2.0
/*
 * A drift file of any bytes: what is accepted keeps its range and, written,
 * is read as the same again; what is refused fills nothing and says why.
 * Anything else aborts.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "../../huygens-lite/platform/drift.h"

#define WHY_BYTES	256
/* Output has six digits behind the point. */
#define WRITTEN_PPM	1e-6
#define UNTOUCHED	-12345.0

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

/* Through a folder of this process's own: a file in memory cannot be renamed. */
static void write_and_read(double drift, double skew)
{
	static char folder[] = "/tmp/drift-fuzz-XXXXXX";
	char path[sizeof(folder) + 8], why[WHY_BYTES];
	double found_drift, found_skew;

	require(mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/drift", folder);
	require(!drift_write(path, drift, skew, why, sizeof(why)));
	require(!drift_read(path, &found_drift, &found_skew, why, sizeof(why)));
	require(fabs(found_drift - drift) <= WRITTEN_PPM && fabs(found_skew - skew) <= WRITTEN_PPM);
	unlink(path);
	rmdir(folder);
	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: what is in the file
 * @size: its length
 *
 * Return: 0; does not return if something is wrong with the reader.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	double drift = UNTOUCHED, skew = UNTOUCHED;
	struct file file = file_of(data, size);
	char why[WHY_BYTES];

	if (drift_read(file.path, &drift, &skew, why, sizeof(why))) {
		require(drift == UNTOUCHED && skew == UNTOUCHED);
		require(!strncmp(why, file.path, strlen(file.path)) && why[strlen(file.path)] == ':');
	} else {
		require(!*why && fabs(drift) <= DRIFT_MAX_PPM && skew >= 0 && skew <= DRIFT_MAX_PPM);
		write_and_read(drift, skew);
	}
	file_close(&file);
	return 0;
}
