# SPDX-License-Identifier: GPL-2.0
"""Verdicts on claims, as lines for a test and as a table."""

import judge


def tap(verdicts):
    """Print the lines; return how many are not ok."""
    number = bad = 0
    for verdict in verdicts:
        claim = verdict.claim
        for fine, known, text in (
                (verdict.true, claim.not_shown,
                 f"{claim.what}: {judge.spread(verdict.on)}, wanted {claim.limit.text()}"),
                (verdict.fails_without, claim.not_shown or claim.not_missed,
                 f"{claim.what}: fails with {claim.off_means}: {judge.spread(verdict.off)}")):
            if known:
                print(f"# {'true' if fine else 'false'} in this lab, not tested: {text}\n#   {known}")
                continue
            number += 1
            bad += not fine
            print(f"{'ok' if fine else 'not ok'} {number} - {text}")
    print(f"1..{number}")
    return bad


def claim_table(verdicts):
    """Lines of Markdown."""
    yield "| claim | limit | measured: mean (min to max) | in this lab | feature off | then | fails then |"
    yield "|---|---|---|---|---|---|---|"
    for verdict in verdicts:
        claim = verdict.claim
        yield (f"| {claim.what} | {claim.limit.text()} | {judge.spread(verdict.on)} | {str(verdict.true).lower()} | "
               f"{claim.off_means} (`{claim.off}`) | {judge.spread(verdict.off)} | "
               f"{'yes' if verdict.fails_without else 'no'} |")
