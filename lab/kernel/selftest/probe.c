// SPDX-License-Identifier: GPL-2.0
/*
 * Print whatever in a guest could differ between two boots: random bytes, clock reads, addresses,
 * ports, and the timing of a TCP exchange. The host compares the output of several boots byte by
 * byte.
 *
 *	probe			random bytes, clocks, addresses
 *	probe anew		begin the stream of random numbers anew, then print random bytes
 *	probe serve PORT	accept one connection, return every message until it ends
 *	probe talk ADDR PORT	send messages, print when each answer came and from which port
 *	probe syscalls N	make N syscalls, for measuring what one costs the host
 *	probe sleeps N		sleep N times for 1 us, for measuring what a timer costs the host
 *	probe fp		check that no task ever sees another's vector registers
 *	probe spin		loop without reading the clock, which must wake the watchdog
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MESSAGES 50
#define MESSAGE_BYTES 20000
#define PAGE_BYTES 4096
#define FP_ROUNDS 200
#define FP_TASKS 4

static void die(const char *what)
{
	fprintf(stderr, "probe: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		die("clock_gettime");
	return (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void print_hex(const char *name, const unsigned char *bytes, size_t len)
{
	printf("%s ", name);
	for (size_t i = 0; i < len; i++)
		printf("%02x", bytes[i]);
	printf("\n");
}

static void print_random(void)
{
	unsigned char bytes[32];
	FILE *f;

	f = fopen("/dev/urandom", "r");
	if (!f || fread(bytes, sizeof(bytes), 1, f) != 1)
		die("/dev/urandom");
	fclose(f);
	print_hex("urandom", bytes, sizeof(bytes));
	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		die("getrandom");
	print_hex("getrandom", bytes, sizeof(bytes));
	print_hex("at_random", (void *)getauxval(AT_RANDOM), 16);
}

static int anew(void)
{
	unsigned char bytes[32];
	int fd = open("/dev/random", O_RDONLY);

	if (fd < 0 || ioctl(fd, RNDCLEARPOOL))
		die("RNDCLEARPOOL");
	close(fd);
	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		die("getrandom");
	print_hex("anew", bytes, sizeof(bytes));
	return 0;
}

static void print_addresses(void)
{
	void *page, *heap = malloc(1);
	int local;

	page = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	printf("addresses stack %p heap %p mmap %p pid %d\n", (void *)&local, heap, page, getpid());
	free(heap);
}

/* A timer must fire at the very ns; what the reader sees later is the cost of reading the clock. */
static void print_timer(void)
{
	struct itimerspec when = { };
	uint64_t start, target, count, end;
	int fd;

	fd = timerfd_create(CLOCK_MONOTONIC, 0);
	if (fd < 0)
		die("timerfd_create");
	start = now_ns(CLOCK_MONOTONIC);
	target = start + 1234567;
	when.it_value.tv_sec = target / 1000000000;
	when.it_value.tv_nsec = target % 1000000000;
	if (timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL) ||
	    read(fd, &count, sizeof(count)) != sizeof(count))
		die("timerfd");
	end = now_ns(CLOCK_MONOTONIC);
	printf("timer_late_ns %lld\n", (long long)(end - target));
	close(fd);
}

static void print_clocks(void)
{
	struct timespec res;
	uint64_t first, second;

	if (clock_getres(CLOCK_MONOTONIC, &res))
		die("clock_getres");
	first = now_ns(CLOCK_MONOTONIC);
	second = now_ns(CLOCK_MONOTONIC);
	printf("clock_res_ns %lld\n", (long long)res.tv_nsec);
	printf("clock_read_ns %llu\n", (unsigned long long)(second - first));
	printf("monotonic %llu\n", (unsigned long long)second);
	printf("realtime %llu\n", (unsigned long long)now_ns(CLOCK_REALTIME));
	print_timer();
}

static struct sockaddr_in address(const char *host, const char *port)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_port = htons(atoi(port)) };

	if (!inet_aton(host, &sin.sin_addr))
		die(host);
	return sin;
}

static void read_all(int fd, char *buf, size_t len)
{
	ssize_t n;

	for (size_t done = 0; done < len; done += n) {
		n = read(fd, buf + done, len - done);
		if (n <= 0)
			die("read");
	}
}

static int serve(const char *port)
{
	struct sockaddr_in sin = address("0.0.0.0", port);
	static char buf[MESSAGE_BYTES];
	int one = 1, listener, fd;

	listener = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(listener, (struct sockaddr *)&sin, sizeof(sin)) || listen(listener, 1))
		die("listen");
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		die("accept");
	for (int i = 0; i < MESSAGES; i++) {
		read_all(fd, buf, sizeof(buf));
		if (write(fd, buf, sizeof(buf)) != sizeof(buf))
			die("write");
	}
	close(fd);
	return 0;
}

static int talk(const char *host, const char *port)
{
	struct sockaddr_in sin = address(host, port), own;
	static char buf[MESSAGE_BYTES];
	socklen_t len = sizeof(own);
	uint64_t start;
	int fd;

	start = now_ns(CLOCK_MONOTONIC);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(fd, (struct sockaddr *)&sin, sizeof(sin)))
		die("connect");
	if (getsockname(fd, (struct sockaddr *)&own, &len))
		die("getsockname");
	printf("port %d connected after %llu\n", ntohs(own.sin_port),
	       (unsigned long long)(now_ns(CLOCK_MONOTONIC) - start));
	for (int i = 0; i < MESSAGES; i++) {
		if (write(fd, buf, sizeof(buf)) != sizeof(buf))
			die("write");
		read_all(fd, buf, sizeof(buf));
		printf("answer %d after %llu\n", i,
		       (unsigned long long)(now_ns(CLOCK_MONOTONIC) - start));
	}
	close(fd);
	return 0;
}

static int syscalls(int rounds)
{
	for (int i = 0; i < rounds; i++)
		getppid();
	return 0;
}

static int sleeps(int rounds)
{
	struct timespec ts = { .tv_nsec = 1000 };

	for (int i = 0; i < rounds; i++)
		nanosleep(&ts, NULL);
	return 0;
}

/*
 * Put a pattern into a vector register, make a system call that lets others run, and look whether
 * it is still there. Inline assembly, so that no library call comes between.
 */
static int fp_survives(uint64_t pattern, long call)
{
	uint64_t after;
	long ret = call;

	__asm__ volatile("movq %2, %%xmm15\n\tsyscall\n\tmovq %%xmm15, %1"
			 : "+a"(ret), "=r"(after) : "r"(pattern)
			 : "rcx", "r11", "xmm15", "memory");
	return after == pattern;
}

static volatile sig_atomic_t fp_signals;

static void fp_on_signal(int sig)
{
	(void)sig;
	fp_signals += fp_survives(0x5555, SYS_getppid);
}

/* System calls, page faults and signals, each of which leaves user space by another way. */
static void *fp_worker(void *arg)
{
	uint64_t pattern = (uintptr_t)arg;
	long wrong = 0;
	char *pages;

	pages = mmap(NULL, FP_ROUNDS * PAGE_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		die("mmap");
	for (int i = 0; i < FP_ROUNDS; i++) {
		uint64_t after;

		wrong += !fp_survives(pattern + i, SYS_sched_yield);
		__asm__ volatile("movq %1, %%xmm14\n\tmovb $1, (%2)\n\tmovq %%xmm14, %0"
				 : "=r"(after) : "r"(pattern + i), "r"(pages + i * PAGE_BYTES)
				 : "xmm14", "memory");
		wrong += after != pattern + i;
	}
	return (void *)wrong;
}

/* A signal's handler has registers of its own, and the interrupted code gets its back. */
static long fp_signal(void)
{
	struct sigaction act = { .sa_handler = fp_on_signal };
	long wrong = 0, ret;
	uint64_t after;

	sigaction(SIGUSR1, &act, NULL);
	for (uint64_t i = 1; i <= FP_ROUNDS; i++) {
		ret = SYS_tkill;
		__asm__ volatile("movq %2, %%xmm15\n\tsyscall\n\tmovq %%xmm15, %1"
				 : "+a"(ret), "=r"(after)
				 : "r"(i), "D"((long)gettid()), "S"((long)SIGUSR1)
				 : "rcx", "r11", "xmm15", "memory");
		wrong += after != i;
	}
	return wrong + (fp_signals != FP_ROUNDS);
}

static int fp(void)
{
	pthread_t threads[FP_TASKS];
	long wrong = fp_signal();
	void *one;
	int status;

	for (uintptr_t i = 0; i < FP_TASKS; i++)
		if (pthread_create(&threads[i], NULL, fp_worker, (void *)(i << 32)))
			die("pthread_create");
	for (uintptr_t i = 0; i < FP_TASKS; i++) {
		pthread_join(threads[i], &one);
		wrong += (long)one;
	}
	for (uintptr_t i = 0; i < FP_TASKS; i++)
		if (!fork())
			_exit(fp_worker((void *)(i << 48)) != NULL);
	while (wait(&status) > 0)
		wrong += status != 0;
	printf("fp: %ld wrong\n", wrong);
	return wrong != 0;
}

int main(int argc, char **argv)
{
	if (argc == 1) {
		print_random();
		print_addresses();
		print_clocks();
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "anew"))
		return anew();
	if (argc == 3 && !strcmp(argv[1], "serve"))
		return serve(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "talk"))
		return talk(argv[2], argv[3]);
	if (argc == 3 && !strcmp(argv[1], "syscalls"))
		return syscalls(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "sleeps"))
		return sleeps(atoi(argv[2]));
	if (argc == 2 && !strcmp(argv[1], "fp"))
		return fp();
	if (argc == 2 && !strcmp(argv[1], "spin"))
		for (;;)
			__asm__ volatile("");
	fprintf(stderr, "usage: see the head of probe.c\n");
	return 2;
}
