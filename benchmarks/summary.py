"""Statistics of samples. A round is one turn of every engine, so that engines are
compared within rounds, and what differs between rounds is noise."""

import dataclasses
import math
import statistics


@dataclasses.dataclass(frozen=True)
class Summary:
    """The seconds of one call of one engine."""

    round_medians: tuple
    median: float  # of all samples
    minimum: float

    @staticmethod
    def of(rounds):
        """`rounds` is a list of lists of samples."""
        samples = [sample for one_round in rounds for sample in one_round]
        return Summary(
            tuple(statistics.median(one_round) for one_round in rounds),
            statistics.median(samples),
            min(samples),
        )

    @property
    def spread(self):
        """Half of the range of the medians of rounds, relative to the median."""
        extent = max(self.round_medians) - min(self.round_medians)
        return extent / 2 / self.median


def compare(summary, base):
    """How many times as long as `base` an engine takes, in each round of both."""
    return [
        one / other for one, other in zip(summary.round_medians, base.round_medians)
    ]


def ratio(summary, base):
    """The median of compare()."""
    return statistics.median(compare(summary, base))


def is_slower_beyond_noise(summary, base):
    """Whether `summary` takes longer than `base` in every round."""
    return min(compare(summary, base)) > 1


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))
