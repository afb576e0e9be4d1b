# SPDX-License-Identifier: GPL-2.0
"""Settings with ports whose ECN thresholds acc-tuner may choose."""

from lab.host import module_list


class Tuned:
    """To be inherited before a Setting, whose constructor sets `tuner`, a lab.host.acc.Tuner."""

    @property
    def programs(self):
        """The daemon where it runs."""
        return module_list.ACC if self.tuner.is_daemon else ()

    def files(self):
        return {**super().files(), **self.tuner.files()}

    def watches(self):
        yield from super().watches()
        yield from self.tuner.watches()

    def collects(self):
        yield from super().collects()
        yield from self.tuner.collects()
