/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tc's interface for plugins: no package installs these headers.
 *
 * tc looks up a qdisc that it does not know by dlopen("DIR/q_NAME.so") and
 * dlsym("NAME_qdisc_util"); DIR is $TC_LIB_DIR or the one compiled in.  Symbols that a
 * plugin imports from tc are resolved lazily against tc's own symbols.  The
 * layout and the signatures below are those of iproute2 5.9 to 7.1.  Left
 * out on purpose: matches(), print_rate(), print_size(), get_size64() and the
 * like, whose types differ from one version to the next.
 */
#ifndef SHARPRAMP_TC_PLUGIN_H
#define SHARPRAMP_TC_PLUGIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <linux/rtnetlink.h>

/**
 * struct qdisc_util - what a plugin exports, as "NAME_qdisc_util"
 * @next: tc's list; tc writes it, so the object must not be const
 * @id: the qdisc's kind
 * @parse_qopt: append TCA_OPTIONS, made from the arguments that follow the kind, to
 *	the request @n; 0, or -1 after an explanation on stderr
 * @print_qopt: print TCA_OPTIONS; @opt may be NULL
 * @print_xstats: print the qdisc's own statistics; @xstats may be NULL
 * @parse_copt: as @parse_qopt, for classes; NULL if there are none
 * @print_copt: as @print_qopt, for classes; NULL if there are none
 * @has_block: does it have that filter block? NULL if it has none
 * @reserved: zero; a later tc that appends members finds NULLs
 *
 * tc appends members and changes none.  Since 6.9 it passes the pointer as
 * const, which does not change the binary interface.
 */
struct qdisc_util {
	struct qdisc_util *next;
	const char *id;
	int (*parse_qopt)(const struct qdisc_util *qu, int argc, char **argv,
			  struct nlmsghdr *n, const char *dev);
	int (*print_qopt)(const struct qdisc_util *qu, FILE *f,
			  struct rtattr *opt);
	int (*print_xstats)(const struct qdisc_util *qu, FILE *f,
			    struct rtattr *xstats);
	int (*parse_copt)(const struct qdisc_util *qu, int argc, char **argv,
			  struct nlmsghdr *n, const char *dev);
	int (*print_copt)(const struct qdisc_util *qu, FILE *f,
			  struct rtattr *opt);
	int (*has_block)(const struct qdisc_util *qu, struct rtattr *opt,
			 uint32_t block_idx, bool *p_has);
	void *reserved[4];
};

/* The rest stays inside: tc exports hundreds of names, some like these. */
#define TC_PLUGIN_EXPORT	__attribute__((visibility("default")))

/* The space that tc has for a request, bytes. */
#define TC_REQUEST_MAX	(64 * 1024)

/**
 * enum output_type - output format
 * @PRINT_FP: text, unless JSON is selected
 * @PRINT_JSON: JSON, if it is selected
 * @PRINT_ANY: the selected one
 */
enum output_type {
	PRINT_FP = 1,
	PRINT_JSON = 2,
	PRINT_ANY = 4,
};

/** enum color_attr - the one of tc's colours that a plugin needs */
enum color_attr {
	COLOR_NONE = 6,
};

/* tc -d */
extern int show_details;

/**
 * is_json_context() - is the output JSON?
 *
 * Return: true with tc -j.
 */
bool is_json_context(void);

/**
 * print_color_u64() - print a number
 * @t: output format
 * @color: COLOR_NONE
 * @key: the JSON key; NULL for text, and in an array
 * @fmt: printf format for the text, with one PRIu64; NULL for JSON
 * @value: the number
 */
int print_color_u64(enum output_type t, enum color_attr color, const char *key,
		    const char *fmt, uint64_t value);

/**
 * print_color_s64() - print a number that may be below 0, see print_color_u64()
 * @t: output format
 * @color: COLOR_NONE
 * @key: the JSON key; NULL for text
 * @fmt: printf format for the text, with one PRId64; NULL for JSON
 * @value: the number
 */
int print_color_s64(enum output_type t, enum color_attr color, const char *key,
		    const char *fmt, int64_t value);

/**
 * print_color_string() - print a string, see print_color_u64()
 * @t: output format
 * @color: COLOR_NONE
 * @key: the JSON key; NULL for text
 * @fmt: printf format for the text, with one %s; NULL for JSON
 * @value: the string
 */
int print_color_string(enum output_type t, enum color_attr color,
		       const char *key, const char *fmt, const char *value);

/**
 * print_color_bool() - print a truth value, see print_color_u64()
 * @t: output format; in text it is "true" or "false"
 * @color: COLOR_NONE
 * @key: the JSON key; NULL for text
 * @fmt: printf format for the text, with one %s; NULL for JSON
 * @value: the truth value
 */
int print_color_bool(enum output_type t, enum color_attr color,
		     const char *key, const char *fmt, bool value);

/**
 * open_json_array() - begin an array; numbers in it have no key
 * @t: PRINT_JSON
 * @key: the JSON key
 */
void open_json_array(enum output_type t, const char *key);

/**
 * close_json_array() - end an array
 * @t: PRINT_JSON
 * @key: NULL
 */
void close_json_array(enum output_type t, const char *key);

/** print_nl() - end a line of text; nothing in JSON and with tc -oneline */
void print_nl(void);

#endif /* SHARPRAMP_TC_PLUGIN_H */
