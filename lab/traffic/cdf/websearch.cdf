# SPDX-License-Identifier: GPL-2.0
# Web search: Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010.
# Points as first listed in HKUST-SING/TrafficGenerator, conf/DCTCP_CDF.txt.
# Mean 1.71 MB.
#
# bytes, cumulative probability; linear between the points
0 0
10000 0.15
20000 0.2
30000 0.3
50000 0.4
80000 0.53
200000 0.6
1000000 0.7
2000000 0.8
5000000 0.9
10000000 0.97
30000000 1
