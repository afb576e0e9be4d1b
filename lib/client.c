// SPDX-License-Identifier: GPL-2.0
/*
 * A program that asks a daemon at its control socket.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "client.h"
#include "stdout.h"
#include "word.h"

/* connect() has one errno for a socket without a daemon and for a file that is no socket. */
static bool client_is_no_socket(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISSOCK(st.st_mode);
}

/* Why it cannot connect is in errno. */
static void client_explain(const struct client *c)
{
	if (errno == ECONNREFUSED)
		errno = client_is_no_socket(c->socket) ? ENOTSOCK : ECONNREFUSED;
	fprintf(stderr, "%s: %s: %s: ", c->program, c->socket, strerror(errno));
	switch (errno) {
	case ENOENT:
	case ECONNREFUSED:
		fprintf(stderr, "check that %s is running: systemctl status %s\n", c->daemon,
			c->daemon);
		break;
	case EACCES:
	case EPERM:
		fprintf(stderr, "root, or membership in the group %s, is needed\n", c->group);
		break;
	default:
		fputs("set the socket with -s\n", stderr);
	}
}

char *client_request(const struct client *c, const char *request, bool quiet)
{
	char line[CONTROL_LINE], *answer;

	snprintf(line, sizeof(line), "%.*s%s\n", (int)CLIENT_REQUEST - 1, request,
		 c->json ? " json" : "");
	if (control_request(c->socket, line, &answer)) {
		if (!quiet)
			client_explain(c);
		return NULL;
	}
	if (answer && !strncmp(answer, "ok\n", 3)) {
		memmove(answer, answer + 3, strlen(answer + 3) + 1);
		return answer;
	}
	if (!quiet && answer && !strncmp(answer, "error ", 6))
		fprintf(stderr, "%s: %s", c->program, answer + 6);
	else if (!quiet)
		fprintf(stderr, "%s: %s: %s does not answer\n", c->program, c->socket, c->daemon);
	free(answer);
	return NULL;
}

/* The commands that begin with a text, in the order of their names in the help. */
static int client_ambiguous(const struct client *c, const char *const *commands, const char *text)
{
	char listed[256];
	size_t len = snprintf(listed, sizeof(listed), "%s:", text);

	for (; *commands && len < sizeof(listed); commands++) {
		if (!strncmp(*commands, text, strlen(text)))
			len += snprintf(listed + len, sizeof(listed) - len, " %s", *commands);
	}
	client_wrong(c, "ambiguous command", listed);
	return -1;
}

int client_command(const struct client *c, const char *const *commands, const char *text)
{
	struct word_match match = { .text = text };
	int i;

	if (!text || !*text) {
		client_wrong(c, "a command is missing", NULL);
		return -1;
	}
	for (i = 0; commands[i]; i++)
		word_match(&match, commands[i], strlen(commands[i]));
	if (match.n > 1)
		return client_ambiguous(c, commands, text);
	if (!match.n) {
		client_wrong(c, "unknown command", text);
		return -1;
	}
	for (i = 0; commands[i] != match.word; i++)
		;
	return i;
}

int client_print(const struct client *c, const char *text)
{
	fputs(text, stdout);
	return stdout_flush(c->program) ? 1 : 0;
}

int client_show(const struct client *c, const char *request)
{
	char *answer = client_request(c, request, false);
	int status;

	if (!answer)
		return 1;
	status = client_print(c, answer);
	free(answer);
	return status;
}

int client_wrong(const struct client *c, const char *what, const char *arg)
{
	fprintf(stderr, "%s: %s%s%s: see %s --help\n", c->program, what, arg ? " " : "",
		arg ? arg : "", c->program);
	return 2;
}
