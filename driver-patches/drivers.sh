# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Facts about drivers that apply.sh and check.sh use.

# Where a driver is, below drivers/net: its folder or, if it has none of its own, its file.
place_of() {
	case $1 in
	vmxnet3) echo vmxnet3/ ;;
	e1000e|ixgbe|i40e|ice) echo "ethernet/intel/$1/" ;;
	ena) echo ethernet/amazon/ena/ ;;
	gve) echo ethernet/google/gve/ ;;
	mlx4) echo ethernet/mellanox/mlx4/ ;;
	mlx5) echo ethernet/mellanox/mlx5/core/ ;;
	*) echo "$1.c" ;;
	esac
}

# Release of the kernel of a build folder: modules say that they are of this one, and are sought in its folder.
# A packaged 6.1 has the version in include/config/kernel.release.
release_of() {
	sed -n 's/^#define UTS_RELEASE "\(.*\)"$/\1/p' "$1/include/generated/utsrelease.h"
}

# Its series.
series_of() {
	release_of "$1" | sed -n 's/^\([0-9]*\.[0-9]*\).*/\1/p'
}

# The modules that it makes.
modules_of() {
	case $1 in
	mlx4) echo mlx4_core mlx4_en ;;
	mlx5) echo mlx5_core ;;
	*) echo "$1" ;;
	esac
}

# The file of another driver that it includes, below drivers/net.
beside_of() {
	case $1 in
	mlx5) echo ethernet/mellanox/mlxfw/mlxfw.h ;;
	esac
}

# Options that a file that its patches change needs, and Debian's configuration does not have.
forced_of() {
	case $1 in
	mlx5) echo CONFIG_MLX5_CLS_ACT CONFIG_NET_TC_SKB_EXT ;;
	esac
}

# unpack SOURCE FOLDER DRIVER...: the drivers' sources, from the package's tarball or from where they were unpacked before
unpack() {
	source_of=$1 folder=$2 members=''
	shift 2
	for driver; do
		for member in $(place_of "$driver") $(beside_of "$driver"); do
			members="$members drivers/net/${member%/}"
		done
	done
	mkdir -p "$folder"
	# shellcheck disable=SC2086,SC2046 # one argument per member is wanted
	if [ -d "$source_of" ]; then
		tar -c -C "$source_of" $members | tar -x -C "$folder"
	else
		tar -x -f "$source_of" -C "$folder" --strip-components=1 --wildcards $(printf '*/%s ' $members)
	fi
}
