// SPDX-License-Identifier: GPL-2.0
/*
 * Result of the kernel's parser for datagrams, one a line in hexadecimal, to
 * compare the dissector with: its text, and an empty line after each.
 */
#include <string.h>

#include "onramp_wire_text.h"

int main(void)
{
	static char line[1 << 18];
	struct text report;

	while (fgets(line, sizeof(line), stdin)) {
		size_t len = strspn(line, "0123456789abcdef") / 2, i;
		uint8_t *data = malloc(len ? len : 1);

		for (i = 0; i < len; i++)
			if (sscanf(line + 2 * i, "%2hhx", &data[i]) != 1)
				return 2;
		memset(&report, 0, sizeof(report));
		append_datagram(&report, data, len);
		printf("%s\n", report.at);
		free(data);
	}
	return 0;
}
