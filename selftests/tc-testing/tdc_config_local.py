# SPDX-License-Identifier: GPL-2.0
"""Variables of tdc's commands: tdc_config.py of the kernel's tdc imports this."""

import os
import shutil

_HERE = os.environ["TDC_TESTS"]
_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"

EXTRA_NAMES = {
    "TC": shutil.which("tc", path=_PATH),
    "IP": shutil.which("ip", path=_PATH),
    "PASTED": os.path.join(_HERE, "pasted.sh"),
    "REFUSED": os.path.join(_HERE, "refused.sh"),
    "RTM": os.path.join(_HERE, "rtm_qdisc.py"),
    "TIMEOUT": 60,
}

# Where to look for the plugins, if not where tc looks anyway.
ENVIR = {"PATH": _PATH, **{name: os.environ[name] for name in ("TC_LIB_DIR",) if name in os.environ}}
