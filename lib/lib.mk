# SPDX-License-Identifier: GPL-2.0
# lib.a, the code that daemons and tools share, and the same with sanitizers. Included by a Makefile that has O and CC; programs
# link $(LIB_A) or $(LIB_SAN) behind their own objects. LIB is its build directory: with the same LIB it is built once.

LIB_DIR     := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
LIB         ?= $(O)/lib
LIB_A       := $(LIB)/lib.a
LIB_SAN     := $(LIB)/san/lib.a
LIB_HEADERS := $(wildcard $(LIB_DIR)/*.h)
LIB_NOUNS   := $(basename $(notdir $(wildcard $(LIB_DIR)/*.c)))
# Plugins of tc are shared objects, and export their tables only.
LIB_FLAGS    = -std=gnu11 -D_GNU_SOURCE -fPIC -fvisibility=hidden -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	       -I$(LIB_DIR)/../kernel/include/uapi $(CPPFLAGS)

$(LIB_A): $(LIB_NOUNS:%=$(LIB)/%.o)
	rm -f '$@' && $(AR) rcsD '$@' $^

$(LIB_SAN): $(LIB_NOUNS:%=$(LIB)/san/%.o)
	rm -f '$@' && $(AR) rcsD '$@' $^

$(LIB)/%.o: $(LIB_DIR)/%.c $(LIB_HEADERS) $(LIB_DIR)/lib.mk
	@mkdir -p '$(@D)'
	$(CC) $(LIB_FLAGS) $(CFLAGS) -c -o '$@' '$<'

$(LIB)/san/%.o: $(LIB_DIR)/%.c $(LIB_HEADERS) $(LIB_DIR)/lib.mk
	@mkdir -p '$(@D)'
	$(CC) $(LIB_FLAGS) -Werror -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -c -o '$@' '$<'
