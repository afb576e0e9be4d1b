#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Completions by the shell. TAP. O= is the folder with onrampctl.
set -u

: "${O:?folder with onrampctl}"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=selftests/lib/tap.sh
. "$here/../../../selftests/lib/tap.sh"
PATH=$O:$PATH

# shellcheck source=tc-plugins/onrampctl/completion
. "$here/../completion"

# expect LINE WORDS: exactly these are proposed for the last word of the line
expect() {
	local line=$1 got
	read -ra COMP_WORDS <<<"$line"
	[[ $line == *' ' ]] && COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_onrampctl
	got=$(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | paste -sd ' ')
	[ "$got" = "$2" ]
	tap_ok $? "\"$1\" proposes \"$2\"" "proposed \"$got\""
}

expect 'onrampctl ' 'acker clock doctor flows help hold keys limits metrics monitor paths peers phc stamps stats top'
expect 'onrampctl -j ' 'acker clock doctor flows help hold keys limits metrics monitor paths peers phc stamps stats top'
expect 'onrampctl -' '--help --json --version -V -h -j'
expect 'onrampctl -j --v' '--version'
expect 'onrampctl p' 'paths peers phc'
expect 'onrampctl clock ' 'clear set show'
expect 'onrampctl metrics ' 'file paths'
expect 'onrampctl metrics file /etc/hostn' '/etc/hostname'
expect 'onrampctl metrics file x p' 'paths'
expect 'onrampctl metrics paths ' ''
expect 'onrampctl hold ' 'off on show'
expect 'onrampctl hold off ' ''
expect 'onrampctl clock s' 'set show'
expect 'onrampctl clock clear ' 'published system'
expect 'onrampctl clock set ' 'published system'
expect 'onrampctl clock set system ' 'error'
expect 'onrampctl clock set system error 5' '5ms 5ns 5s 5us'
expect 'onrampctl clock set system error 1.5m' '1.5ms'
expect 'onrampctl clock set published base ' 'raw realtime tai'
expect 'onrampctl clock set published base r' 'raw realtime'
expect 'onrampctl clock set published base raw ' 'drift epoch error offset ref valid'
expect 'onrampctl clock set published drift -5' '-5ppb -5ppm'
expect 'onrampctl acker ' 'dev set show'
expect 'onrampctl acker set ' 'delay every idle max_flows rate'
expect 'onrampctl acker set every 10 r' 'rate'
expect 'onrampctl acker set every ' ''
expect 'onrampctl acker dev ' 'add del'
expect 'onrampctl acker dev add l' 'lo'
expect 'onrampctl k' 'keys'
expect 'onrampctl keys ' 'add del peers rotate set show'
expect 'onrampctl keys peers ' 'add del'
expect 'onrampctl keys add ' 'file group id'
expect 'onrampctl keys add group 5 id 6 ' 'file'
expect 'onrampctl keys set group 5 require ' 'no yes'
expect 'onrampctl flows ' 'dev peer show'
expect 'onrampctl flows show ' 'dev peer'
expect 'onrampctl flows dev l' 'lo'
expect 'onrampctl limits set flows 5 ' 'follow memory paths'
expect 'onrampctl limits set follow ' 'all keys peers'
expect 'onrampctl help acker d' 'dev'
expect 'onrampctl doctor ' 'dev watch'
expect 'onrampctl doctor dev l' 'lo'
expect 'onrampctl doctor watch 5' '5ms 5ns 5s 5us'
expect 'onrampctl top ' '-i -n'
expect 'onrampctl top -n 5 ' '-i'
expect 'onrampctl top -n 5 -i 2' '2ms 2ns 2s 2us'
expect 'onrampctl bogus ' ''
complete -p onrampctl | grep -q -- '-F _onrampctl onrampctl'
tap_ok $? "it is registered"
tap_done
