// SPDX-License-Identifier: GPL-2.0
/*
 * Print the common time and its error:
 *
 *	now FILE
 *
 * FILE is [output] line_file of huygens-lite.conf(5).  The exit status is 1 if there is no time.
 *
 *	cc now.c -o now
 */
#include <stdio.h>
#include <string.h>

#include <huygens_line.h>

int main(int argc, char **argv)
{
	struct huygens_reader reader;
	struct huygens_time now;
	int error;

	if (argc != 2) {
		fprintf(stderr, "usage: %s FILE\n", argv[0]);
		return 2;
	}
	error = huygens_open(&reader, argv[1]);
	if (error) {
		fprintf(stderr, "%s: %s\n", argv[1], strerror(-error));
		return 1;
	}
	error = huygens_now(&reader, &now);
	huygens_close(&reader);
	if (error) {
		fprintf(stderr, "no time: %s\n", strerror(-error));
		return 1;
	}
	printf("%lld.%09lld +- %lld ns", (long long)(now.ns / 1000000000),
	       (long long)(now.ns % 1000000000), (long long)now.error_ns);
	if (now.utc_error_ns >= 0)
		printf(", UTC %lld.%09lld +- %lld ns", (long long)(now.utc_ns / 1000000000),
		       (long long)(now.utc_ns % 1000000000), (long long)now.utc_error_ns);
	if (now.tai_ns)
		printf(", TAI %lld.%09lld", (long long)(now.tai_ns / 1000000000),
		       (long long)(now.tai_ns % 1000000000));
	if (now.upper_error_ns >= 0)
		printf(", upper mesh %u +- %lld ns", now.upper_epoch, (long long)now.upper_error_ns);
	printf(", epoch %u%s\n", now.epoch, now.holdover ? ", holdover" : "");
	return 0;
}
