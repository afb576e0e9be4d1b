// SPDX-License-Identifier: GPL-2.0
/* guest.c - mounts, randomness, modules, sysctls, kernel warnings */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/random.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"
#include "run.h"

static const struct {
	const char *type;
	const char *dir;
} mounts[] = {
	{ "proc", "/proc" },
	{ "sysfs", "/sys" },
	{ "devtmpfs", "/dev" },
	{ "debugfs", "/sys/kernel/debug" },
	{ "tracefs", "/sys/kernel/tracing" },
	{ "tmpfs", "/tmp" },
	{ "tmpfs", "/run" },
	{ "hostfs", RUN_DIR },
};

/* An initramfs without /dev/console gives its init no open files. */
static void open_console(void)
{
	int fd = open("/dev/console", O_RDWR);

	if (fd < 0)
		fd = open("/dev/null", O_RDWR);
	dup2(fd, 0);
	dup2(fd, 1);
	dup2(fd, 2);
	if (fd > 2)
		close(fd);
}

/**
 * guest_mount() - mount the kernel's file systems and the run folder
 */
void guest_mount(void)
{
	size_t i;

	umask(022);
	for (i = 0; i < sizeof(mounts) / sizeof(*mounts); i++) {
		mkdir(mounts[i].dir, 0755);
		/* The kernel may have mounted /dev itself. */
		if (mount(mounts[i].type, mounts[i].dir, mounts[i].type, 0,
			  NULL) && errno != EBUSY)
			fail(0, "cannot mount %s on %s: %s", mounts[i].type,
			     mounts[i].dir, strerror(errno));
		if (!strcmp(mounts[i].dir, "/dev"))
			open_console();
	}
	mkdir(NETNS_DIR, 0755);
	mkdir(RESULT_DIR, 0755);
	setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
	setenv("HOME", "/tmp", 1);
	if (chdir(RUN_DIR))
		fail(0, "cannot enter %s: %s", RUN_DIR, strerror(errno));
}

/**
 * guest_random() - begin the random numbers of the run's seed anew
 *
 * What booting and loading modules has drawn so far then makes no difference:
 * a run that does not use what a kernel or a module is changed in stays as
 * it is.  Does nothing in a guest without a seed.
 */
void guest_random(void)
{
	int fd = open("/dev/random", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, RNDCLEARPOOL))
		fail(0, "cannot begin /dev/random anew: %s", strerror(errno));
	close(fd);
}

/**
 * guest_load() - load a module from the run folder
 * @step: module directive
 */
void guest_load(const struct topo_step *step)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), RUN_DIR "/modules/%s", step->text);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fail(step->line, "%s: %s", path, strerror(errno));
	if (syscall(SYS_finit_module, fd, step->value, 0))
		fail(step->line, "cannot load %s: %s", path, strerror(errno));
	close(fd);
}

/**
 * guest_sysctl() - write a sysctl of the namespace that was entered
 * @line: line of the topology script to blame
 * @key: key with dots, or with slashes where a name contains a dot
 * @value: value
 */
void guest_sysctl(unsigned int line, const char *key, const char *value)
{
	bool dots = !strchr(key, '/');
	char path[PATH_MAX];
	ssize_t len, i;
	int fd;

	len = snprintf(path, sizeof(path), "/proc/sys/%s", key);
	for (i = strlen("/proc/sys/"); dots && i < len; i++)
		if (path[i] == '.')
			path[i] = '/';
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		fail(line, "sysctl %s: %s", key, strerror(errno));
	if (write(fd, value, strlen(value)) != (ssize_t)strlen(value))
		fail(line, "sysctl %s = %s: %s", key, value, strerror(errno));
	close(fd);
}

/* The kernel's log, for results that a kernel warning made worthless. */
static void save_log(void)
{
	int size = klogctl(10 /* SYSLOG_ACTION_SIZE_BUFFER */, NULL, 0);
	char *text = size > 0 ? calloc(1, size + 1) : NULL;

	if (text && klogctl(3 /* SYSLOG_ACTION_READ_ALL */, text, size) > 0)
		write_text(0, RESULT_DIR "/dmesg.txt", text);
	free(text);
}

/**
 * guest_warnings() - fail if the kernel has warned or oopsed
 */
void guest_warnings(void)
{
	const unsigned long bad = 1 << 5 | 1 << 7 | 1 << 9 | 1 << 14;
	unsigned long taint = 0;
	FILE *file;

	file = fopen("/proc/sys/kernel/tainted", "r");
	if (!file || fscanf(file, "%lu", &taint) != 1)
		fail(0, "cannot read the kernel's taint");
	fclose(file);
	if (!(taint & bad))
		return;
	save_log();
	fail(0, "the kernel warned (taint %lu), see result/dmesg.txt", taint);
}
