# SPDX-License-Identifier: GPL-2.0
# How a daemon and its programs are built, tested and installed. Included by a Makefile behind these variables:
#
#	DAEMON    the daemon, daemon/main.c; its build directory, its files and its folder in share/doc are named by it
#	CONTROL   the program that asks it, ctl/main.c
#	TOOLS     other programs, PROGRAM:DIRECTORY
#	PARTS     directories; the objects of one make an archive, and each uses those before it only
#	INCLUDES  more directories of headers
#	CFLAGS_P  more flags of the objects of part P
#	LIBRARIES what programs are linked with, -lNAME
#	PRINTS    objects that print PROGRAM_VERSION
#	FILES     what is installed as it is, FROM:TO, besides pages, completion and example
#
# test/PART/Makefile has the tests of a part, and gets O, LIBS (archives), SANLIBS (the same with sanitizers), FLAGS, SANITIZE, LDLIBS,
# CC and PROGRAMS.

O           ?= ../build/$(DAEMON)
override O  := $(abspath $(O))
CC          ?= gcc
CFLAGS      ?= -O2 -g
PREFIX      ?= /usr
DESTDIR     ?=
SBINDIR     ?= $(PREFIX)/sbin
BINDIR      ?= $(PREFIX)/bin
MANDIR      ?= $(PREFIX)/share/man
COMPLETIONS ?= $(PREFIX)/share/bash-completion/completions
include ../debian/version.mk
include ../lib/lib.mk
include ../lib/folders.mk
.DEFAULT_GOAL := all

WARN        := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
# The same source gives the same numbers on every machine: no product and sum in one rounding.
FLOAT       := -ffp-contract=off
FLAGS        = -std=gnu11 -D_GNU_SOURCE $(WARN) $(FLOAT) $(PARTS:%=-I%) -I../kernel/include/uapi -I../kernel/algo
SANITIZE    := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
ALL_LDLIBS   = $(LIBRARIES) $(LDLIBS)

sources      = $(filter-out %/main.c,$(wildcard $(1)/*.c))
objects      = $(patsubst %.c,$(O)/$(2)%.o,$(call sources,$(1)))
HEADERS     := $(wildcard */*.h ../kernel/algo/*.h $(INCLUDES:%=%/*.h)) $(LIB_HEADERS)
# In the order of linking: users first.
reverse      = $(if $(1),$(call reverse,$(wordlist 2,$(words $(1)),$(1))) $(firstword $(1)))
LIBS        := $(call reverse,$(PARTS:%=$(O)/%.a)) $(LIB_A)
SANLIBS     := $(call reverse,$(PARTS:%=$(O)/san/%.a)) $(LIB_SAN)
# Each with the directory of its main.c.
MAINS       := $(DAEMON):daemon $(CONTROL):ctl $(TOOLS)
mains        = $(foreach main,$(MAINS),$(call $(1),$(firstword $(subst :, ,$(main))),$(lastword $(subst :, ,$(main)))))
name         = $(1)
PROGRAMS    := $(addprefix $(O)/,$(call mains,name))
RULES       := Makefile $(LIB_DIR)/daemon.mk

.PHONY: all help check install uninstall clean
.DELETE_ON_ERROR:

all: $(LIBS) $(PROGRAMS)

# The head of the Makefile.
help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

define archive
$(O)/$(1).a: $(call objects,$(1))
	rm -f $$@ && $$(AR) rcsD $$@ $$^
$(O)/san/$(1).a: $(call objects,$(1),san/)
	rm -f $$@ && $$(AR) rcsD $$@ $$^
endef
$(foreach part,$(PARTS),$(eval $(call archive,$(part))))

$(O)/san/%.o: %.c $(HEADERS) $(RULES)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(FLAGS) $(SANITIZE) -c -o $@ $<

$(O)/%.o: %.c $(HEADERS) $(RULES)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(FLAGS) $(CFLAGS) $(CFLAGS_$(firstword $(subst /, ,$*))) -c -o $@ $<

define program
$(O)/$(1): $(O)/$(2)/main.o $(LIBS)
	$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$< $$(LIBS) $$(ALL_LDLIBS)
$(O)/san/$(1): $(O)/san/$(2)/main.o $(SANLIBS)
	$$(CC) $$(SANITIZE) -o $$@ $$< $$(SANLIBS) $$(ALL_LDLIBS)

endef
$(eval $(call mains,program))

$(PRINTS:%=$(O)/%) $(PRINTS:%=$(O)/san/%): CPPFLAGS += -DPROGRAM_VERSION='"$(VERSION)"'
$(PRINTS:%=$(O)/%) $(PRINTS:%=$(O)/san/%): $(CHANGELOG)

# Variables for a part's Makefile, which override its own.
PASSED       = O='$(O)/test' LIBS='$(LIBS)' LDLIBS='$(ALL_LDLIBS)' CC='$(CC)'
PART        ?= $(patsubst test/%/Makefile,%,$(wildcard test/*/Makefile))
check: all $(SANLIBS)
	@for part in $(PART); do \
		$(MAKE) -s -C test/$$part $(PASSED) SANLIBS='$(SANLIBS)' FLAGS='$(FLAGS)' SANITIZE='$(SANITIZE)' PROGRAMS='$(PROGRAMS)' \
			check || exit 1; \
	done

PAGES       := $(wildcard *.[1-8])
UNITS       := $(wildcard *.service)
INSTALLED    = $(DAEMON).sysusers:$(PREFIX)/lib/sysusers.d/$(DAEMON).conf \
	       $(DAEMON).conf.example:$(PREFIX)/share/doc/$(DAEMON)/$(DAEMON).conf \
	       completion/$(CONTROL):$(COMPLETIONS)/$(CONTROL) completion/$(CONTROL):$(COMPLETIONS)/$(DAEMON) \
	       $(foreach page,$(PAGES),$(page):$(MANDIR)/man$(lastword $(subst ., ,$(page)))/$(page)) $(FILES)
# A tool is for every user, as the program that asks the daemon is.
BIN          = $(filter-out $(DAEMON),$(notdir $(PROGRAMS)))
# Units start programs where they are installed.
WHERE       := s,=/usr/sbin/,=$(SBINDIR)/,; s,=/usr/bin/,=$(BINDIR)/,
# Folders of its own, those inside others first.
FOLDERS     ?= doc/$(DAEMON)

install: all
	install -D -m 755 -t '$(DESTDIR)$(SBINDIR)' '$(O)/$(DAEMON)'
	install -D -m 755 -t '$(DESTDIR)$(BINDIR)' $(BIN:%='$(O)/%')
	for file in $(INSTALLED); do \
		install -D -m 644 "$${file%%:*}" "$(DESTDIR)$${file#*:}" || exit 1; \
	done
	for unit in $(UNITS); do \
		install -D -m 644 "$$unit" "$(DESTDIR)$(UNITDIR)/$$unit" && \
		sed -i '$(WHERE)' "$(DESTDIR)$(UNITDIR)/$$unit" || exit 1; \
	done

uninstall:
	rm -f '$(DESTDIR)$(SBINDIR)/$(DAEMON)' $(BIN:%='$(DESTDIR)$(BINDIR)/%')
	for file in $(INSTALLED); do rm -f "$(DESTDIR)$${file#*:}" || exit 1; done
	for unit in $(UNITS); do rm -f "$(DESTDIR)$(UNITDIR)/$$unit" || exit 1; done
	for folder in $(FOLDERS); do \
		[ ! -d "$(DESTDIR)$(PREFIX)/share/$$folder" ] || rmdir --ignore-fail-on-non-empty "$(DESTDIR)$(PREFIX)/share/$$folder" || exit 1; \
	done

clean:
	rm -rf '$(O)'
