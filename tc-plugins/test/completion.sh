#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Completion of tc, this project's for its kinds, the distribution's for the rest; of onramp-mq and ecnsharp-mq. TAP.
# No set -u: the distribution's completion reads variables that are not set.

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=selftests/lib/tap.sh
. "$here/../../selftests/lib/tap.sh"

# shellcheck disable=SC1091 # the distribution's
[ -r /usr/share/bash-completion/bash_completion ] && . /usr/share/bash-completion/bash_completion
# shellcheck source=tc-plugins/completion/tc-sharpramp
. "$here/../completion/tc-sharpramp"

# complete_line LINE: what is proposed for its last word, sorted, in one line
complete_line() {
	local line=$1
	read -ra COMP_WORDS <<<"$line"
	[[ $line == *' ' ]] && COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMP_LINE=$line COMP_POINT=${#line}
	COMPREPLY=()
	"$(complete -p "${COMP_WORDS[0]}" | sed 's/.*-F \([^ ]*\).*/\1/')" \
		"${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
	printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | paste -sd ' '
}

# expect LINE WORDS: exactly these are proposed
expect() {
	local got
	got=$(complete_line "$1")
	[ "$got" = "$2" ]
	tap_ok $? "\"$1\" proposes \"$2\"" "proposed \"$got\""
}

# contain LINE WORD: it is among them
contain() {
	local got
	got=$(complete_line "$1")
	[[ " $got " == *" $2 "* ]]
	tap_ok $? "\"$1\" proposes $2 among others"
}

# omit LINE WORD: it is not
omit() {
	local got
	got=$(complete_line "$1")
	[[ -n $got && " $got " != *" $2 "* ]]
	tap_ok $? "\"$1\" proposes others than $2"
}

add='tc qdisc add dev eth0 root ecnsharp'
expect "$add p" 'persistent pmax preset pst_interval pst_target'
expect "$add rtt" 'rtt_avg rtt_tail'
expect "$add k" 'kmax kmin'
expect "$add preset " 'simulation testbed'
expect "$add preset testbed pst_" 'pst_interval pst_target'
expect "$add pst_target 85us pst_" 'pst_interval'
expect "$add transport " 'cubic dctcp reno'
expect "$add signal " 'length sojourn'
expect "$add signal l" 'length'
expect "$add persistent " 'off on'
expect "$add nonect d" 'drop'
expect "$add ins_target 200" '200ms 200ns 200s 200us'
expect "$add ins_target 200m" '200ms'
expect "$add ins_target 1.5u" '1.5us'
expect "$add memory_limit 32m" '32mb'
expect "$add signal length rate 10g" '10gbit'
expect "$add limit 10" ''
expect "$add bogus" ''
omit "$add limit 10 " limit
contain "$add limit 10 " memory_limit
contain "$add " help
contain 'tc qdisc change dev eth0 handle 1: ecnsharp ' pst_target
contain 'tc -s qdisc replace dev eth0 parent 1:1 ecnsharp ' pst_target
contain 'tc qdisc add dev ecnsharp ' root
contain 'tc qdisc add dev eth0 root ' ecnsharp
contain 'tc qdisc add dev eth0 root ' codel
contain 'tc qdisc add dev eth0 root ecn' ecnsharp
contain 'tc qdisc add dev eth0 root codel ' interval
contain 'tc qd' qdisc
omit 'tc qdisc add dev eth0 root codel ' pst_target
point='tc qdisc add dev eth0 root cp'
expect "$point law " 'fecn none qcn step'
expect "$point at i" 'input'
expect "$point sample " 'arrival largest random'
expect "$point law qcn x" 'xoff xon'
expect "$point qeq 60" '60b 60gb 60kb 60mb'
expect "$point rate 10g" '10gbit'
expect "$point pause " 'input off output'
omit "$point law qcn " law
ramp='tc qdisc add dev eth0 root onramp'
expect "$ramp m" 'margin max_error max_hold maxrate mode'
expect "$ramp mode " 'hold observe off'
expect "$ramp pacing no" 'nopacing'
expect "$ramp nopacing mode h" 'hold'
expect "$ramp horizon_cap horizon_" 'horizon_drop'
expect "$ramp weights 3k" '3kb'
expect "$ramp weights 3kb 4kb 5m" '5mb'
expect "$ramp weights 3kb 4kb 5mb mode o" 'observe off'
expect "$ramp priomap 1 2 " '0 1 2'
expect "$ramp threshold " 'auto'
contain "$ramp weights 3kb 4kb 5mb " priomap
omit "$ramp weights 3kb 4kb 5mb " weights
expect 'onramp-mq -' '--help --version -V -h'
expect 'onramp-mq l' 'lo'
expect 'onramp-mq eth0 mo' 'mode'
expect 'onramp-mq eth0 mode ' 'hold observe off'
expect 'onramp-mq eth0 mode hold mo' ''
expect 'onramp-mq eth0 weights 3kb 4kb 5m' '5mb'
expect 'onramp-mq -h ' ''
contain 'onramp-mq eth0 ' help
expect 'ecnsharp-mq -' '--help --version -V -h'
expect 'ecnsharp-mq eth0 nonect ' 'drop pass'
expect 'ecnsharp-mq eth0 mod' ''
contain 'onramp-mq onramp ' mode
complete_line 'tc qdisc add dev eth0 root codel ' >/dev/null
declare -F _tc >/dev/null && complete -p tc | grep -q -- '-F _tc_sharpramp'
tap_ok $? "it stays registered after the distribution's was loaded"

tap_done
