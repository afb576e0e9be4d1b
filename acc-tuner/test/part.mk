# SPDX-License-Identifier: GPL-2.0
# How a part's tests are built and run; its Makefile says OUT, UNITS, TREE and SCRIPTS. ../Makefile calls it with FLAGS, SANLIBS, PROGRAMS
# and the like.
#
#   make check        every program with sanitizers, then SCRIPTS

UNIT   := ../../../selftests/unit
ROOT   := ../../..

export PROGRAMS
.PHONY: all check
.DELETE_ON_ERROR:

all: $(UNITS:%=$(OUT)/%)

check: all
	@$(UNIT)/../lib/run_programs.sh $(UNITS:%=$(OUT)/%) $(SCRIPTS)

$(OUT)/%: %.c $(SANLIBS) $(wildcard *.h $(UNIT)/*.h) Makefile ../part.mk
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -Werror $(SANITIZE) $(TREE:%=-I../../%) -I. -I$(UNIT) -I$(ROOT)/kernel/include/uapi -I$(ROOT)/kernel/algo -o $@ $< $(SANLIBS) $(LDLIBS)
