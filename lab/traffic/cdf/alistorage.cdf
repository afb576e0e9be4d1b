# SPDX-License-Identifier: GPL-2.0
# Alibaba storage, 2019: Li et al., "HPCC: High Precision Congestion Control",
# SIGCOMM 2019.
# Points as first listed in HPCC, traffic_gen/AliStorage2019.txt.
# Mean 40.9 KB.
#
# bytes, cumulative probability; linear between the points
0 0
4000 0.2293
8000 0.6921
16000 0.8061
32000 0.9047
64000 0.9353
128000 0.9677
256000 0.9753
2000000 1
