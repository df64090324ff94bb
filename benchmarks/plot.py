"""A plot of all engines relative to a copy, as SVG."""

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "meanvar"  # the same file for the same data
matplotlib.rcParams["svg.fonttype"] = "none"  # text, not outlines: a smaller file

import matplotlib.pyplot as plt  # noqa: E402
import matplotlib.ticker  # noqa: E402

import engines  # noqa: E402
from report import fastest_copy  # noqa: E402

MARKERS = "osD^vP<>"


def plot_relative_to_copy(results, path):
    """One row a case; the x axis is time divided by that of the faster copy.
    Returns whether there was anything to plot."""
    results = [result for result in results
               if fastest_copy(result) and not result.case.overhead][::-1]
    if not results:
        return False
    rows = range(len(results))
    figure, axes = plt.subplots(figsize=(9, 1.2 + 0.22 * len(results)))
    for index, name in enumerate(engines.PEERS):
        plot_engine(axes, results, name, marker=MARKERS[index], markersize=4, alpha=0.7)
    plot_engine(axes, results, "meanvar", marker="*", markersize=9, color="black")
    axes.axvline(1, color="gray", linewidth=0.8)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
    axes.set_yticks(rows, [result.case.name for result in results], fontsize=7)
    axes.set_ylim(-1, len(results))
    axes.grid(axis="both", linewidth=0.3)
    axes.set_xlabel(
        f"time ÷ time of a copy of as many bytes, threads: {results[0].threads}")
    axes.legend(loc="lower center", bbox_to_anchor=(0.3, 1.0), ncols=5, fontsize=7)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    return True


def plot_engine(axes, results, name, **style):
    points = [
        (result.summaries[name].median / fastest_copy(result).median, row)
        for row, result in enumerate(results)
        if name in result.summaries and name not in result.errors
    ]
    if points:
        axes.plot(*zip(*points), linestyle="none", label=name, **style)
