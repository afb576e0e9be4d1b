# SPDX-License-Identifier: GPL-2.0
"""Results of a study's runs: numbers of a case, one per seed, and values computed from them."""


class RunData:
    """Results by name, looked up by case; schemes of one case and seed saw the same flows."""

    def __init__(self, found):
        self._cases = {}
        for name, result in found.items():
            case, _, seed = name.rpartition("/")
            self._cases.setdefault(case, {})[int(seed)] = result

    def only(self, seeds):
        """The same, of these seeds alone: a mean over one seed is not compared with a mean over three."""
        part = RunData({})
        part._cases = {case: {seed: result for seed, result in results.items() if seed in seeds}
                       for case, results in self._cases.items()}
        return part

    def knows(self, case):
        """Was it run with any seed?"""
        return case in self._cases

    def seeds(self, case):
        """Seeds with which the case was run, ascending."""
        return sorted(self._cases[case])

    def results(self, case):
        """One a seed, in the order of the seeds."""
        return [self._cases[case][seed] for seed in self.seeds(case)]

    def values(self, case, path):
        """A number of the JSON such as flows.short.mean_us, one a seed; None where there are no such flows."""
        return [look_up(result.document, path) for result in self.results(case)]

    def mean(self, case, path):
        """Over the seeds that have the number; None if none has."""
        return mean(self.values(case, path))

    def ratios(self, over, under, path):
        """Quotients, one a seed that both cases have a number for."""
        tops, bottoms = (dict(zip(self.seeds(case), self.values(case, path))) for case in (over, under))
        return [tops[seed] / bottoms[seed] for seed in tops if seed in bottoms and tops[seed] is not None and bottoms[seed]]

    def ratio(self, over, under, path):
        """Mean of the quotients; None if there are none."""
        return mean(self.ratios(over, under, path))

    def of_means(self, over, under, path):
        """Quotient of the means, over the seeds that both cases were run with; None where one has no number, or is divided by none."""
        common = self.only(self._cases[over].keys() & self._cases[under].keys())
        top, bottom = (common.mean(case, path) for case in (over, under))
        return top / bottom if top is not None and bottom else None


def look_up(document, path):
    """The number at a path such as flows.all.mean_us of a run's JSON."""
    for name in path.split("."):
        document = document[name]
    return document


def mean(values):
    """Mean of the numbers among the values; None if there are none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def within(number, numbers, show="{:.3f}".format):
    """A number of several and, if there are several, the least and the most of them."""
    return show(number) + (f" ({show(min(numbers))} to {show(max(numbers))})" if len(numbers) > 1 else "")
