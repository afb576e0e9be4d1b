# SPDX-License-Identifier: GPL-2.0
"""Verdicts on criteria, as lines for a test and as a table."""

from lab.report import judge
from selftests.lib.tap import Tap


def tap(verdicts):
    """Print the lines; return how many are not ok."""
    output = Tap()
    for verdict in verdicts:
        criterion = verdict.criterion
        for fine, known, text in (
                (verdict.true, criterion.not_shown,
                 f"{criterion.what}: {judge.spread(verdict.on)}, wanted {criterion.limit.text()}"),
                (verdict.fails_without, criterion.not_shown or criterion.not_missed,
                 f"{criterion.what}: fails with {criterion.off_means}: {judge.spread(verdict.off)}")):
            if known:
                output.note(f"{'true' if fine else 'false'} in this lab, not tested: {text}\n  {known}")
            else:
                output.ok(text, fine)
    output.plan()
    return output.failed


def criterion_table(verdicts):
    """Lines of Markdown."""
    yield "| criterion | limit | measured: mean (min to max) | in this lab | feature off | then | fails then |"
    yield "|---|---|---|---|---|---|---|"
    for verdict in verdicts:
        criterion = verdict.criterion
        yield (f"| {criterion.what} | {criterion.limit.text()} | {judge.spread(verdict.on)} | {str(verdict.true).lower()} | "
               f"{criterion.off_means} (`{criterion.off}`) | {judge.spread(verdict.off)} | "
               f"{'yes' if verdict.fails_without else 'no'} |")
