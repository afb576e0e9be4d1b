// SPDX-License-Identifier: GPL-2.0
/*
 * A file of flow sizes, of any bytes: what is accepted is a distribution, is
 * the same when it is written and read again, and draws what it has, capped or
 * not; what is refused says why, once.  Anything else aborts.
 */
#include <inttypes.h>

#include "file.h"
#include "stderr_text.h"
#include "../../lab/traffic/cdf.h"

#define DRAWS	16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int good)
{
	if (!good)
		abort();
}

static void look_points(const struct cdf *cdf)
{
	const struct cdf_point *point = cdf->point;
	size_t i;

	require(cdf->n >= 1 && cdf->n <= CDF_POINTS_MAX + 1);
	require(point[cdf->n - 1].p == CDF_ONE);
	require(point[cdf->n - 1].size >= 1 && point[cdf->n - 1].size <= FLOW_SIZE_MAX);
	for (i = 1; i < cdf->n; i++)
		require(point[i].size >= point[i - 1].size && point[i].p >= point[i - 1].p);
}

/* The mean lies between the least size and the largest, and so does what is drawn. */
static void look_draws(const struct cdf *cdf)
{
	u64 least = cdf->point[0].size, most = cdf->point[cdf->n - 1].size, size;
	u128 sum = cdf_sum2(cdf);
	struct rng rng;
	int i;

	require(sum >= (u128)2 * CDF_ONE * least && sum <= (u128)2 * CDF_ONE * most);
	rng_seed(&rng, cdf->n, "fuzz", "size");
	for (i = 0; i < DRAWS; i++) {
		size = cdf_draw(cdf, &rng);
		require(size >= 1 && size >= least && size <= most);
	}
}

/*
 * With limits above the largest, at it, and below it. There the cut segment may
 * lose a share below 10^-9 to the limit, which is as much as the mean can rise.
 */
static void look_capped(struct cdf *cdf)
{
	u64 most = cdf->point[cdf->n - 1].size;
	u128 sum = cdf_sum2(cdf);
	size_t n = cdf->n;

	cdf_cap(cdf, most + 1);
	cdf_cap(cdf, most);
	require(cdf->n == n && cdf_sum2(cdf) == sum);
	while (most > 1) {
		most = most / 3 + 1;
		if (most >= cdf->point[cdf->n - 1].size)
			break;
		cdf_cap(cdf, most);
		look_points(cdf);
		require(cdf->point[cdf->n - 1].size == most && cdf_sum2(cdf) < sum + most);
		sum = cdf_sum2(cdf);
		look_draws(cdf);
	}
}

/* As a file, which must be read as what it was. */
static void look_written(const struct cdf *cdf)
{
	char *text = NULL;
	size_t bytes = 0, i;
	FILE *out = open_memstream(&text, &bytes);
	struct file file;
	struct cdf again;

	require(out != NULL);
	for (i = 0; i < cdf->n; i++)
		fprintf(out, "%" PRIu64 " %llu.%09llu\n", cdf->point[i].size,
			cdf->point[i].p / CDF_ONE, cdf->point[i].p % CDF_ONE);
	require(!fclose(out));
	file = file_of((const uint8_t *)text, bytes);
	require(!cdf_load(&again, file.path));
	require(again.n == cdf->n);
	require(!memcmp(again.point, cdf->point, cdf->n * sizeof(*cdf->point)));
	cdf_free(&again);
	file_close(&file);
	free(text);
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
	struct file file = file_of(data, size);
	struct cdf cdf;

	stderr_listen();
	if (cdf_load(&cdf, file.path)) {
		require(stderr_is_a_refusal("flowgen: /proc/self/fd/"));
		require(!cdf.point && !cdf.n);
	} else {
		require(!stderr_printed[0]);
		look_points(&cdf);
		look_draws(&cdf);
		look_written(&cdf);
		look_capped(&cdf);
	}
	cdf_free(&cdf);
	file_close(&file);
	return 0;
}
