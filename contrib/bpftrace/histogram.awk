# SPDX-License-Identifier: GPL-2.0
# Numbers, one a line, as a histogram by powers of 2: what is 8 or more and below 16 is in the row of 8.
{
	minus = $1 < 0
	size = minus ? -$1 : $1
	for (row = 1; row * 2 <= size; row *= 2)
		;
	count[minus ? -row : size < 1 ? 0 : row]++
	total++
}
END {
	for (row in count)
		printf "%d %d %.1f%%\n", row, count[row], 100 * count[row] / total | "sort -n"
}
