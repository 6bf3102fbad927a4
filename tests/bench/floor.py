#!/usr/bin/env python3
"""floor.py BUILD [--write]

How fast the program is, in a minute: benchmarks that have a plain baseline in the same program, so that the ratios of the
two can be compared between computers and days. Prints a table of the ratios beside those of floor.txt, and says loudly
which have fallen under 85 % of them. Nothing fails: a busy computer is slower, too. The table is also in BUILD/floor.txt.
--write makes the ratios measured now those.

A ratio is the baseline's time of the processor by that of the benchmark, so that more is faster. Each time is the median
of several repetitions, in which all take turns.
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys

KNOWN = pathlib.Path(__file__).resolve().parent / "floor.txt"
LEAST = 0.85
# Of each program the baseline, and what is measured against it. What differs by more than a tenth from run to run is left
# out, and so is what has nothing like it in its program.
CHOSEN = {
    "sim": ("carefulCounts", ["simulatorCounts", "jumpyCounts", "simulatorEvents", "kindsAndCosts", "jumpyKinds", "hitsApart",
                              "fullRun", "jumpyRun", "generalMachine"]),
    "stats": ("carefulByTable", ["streamedCounts", "streamedOnly"]),
    "trace": ("countLines", ["encode", "decode", "decodeProduct", "storeProduct", "stream/data_only", "parse", "parseChiron",
                             "writeList"]),
    "cells": ("played/0", ["ledger/0", "builtRuns/0", "cellTables/0/64", "cacheCellTables/0/0", "placeHistories/0/0",
                           "causes/0"]),
    "gl": ("emptyFrame", ["smallScene/resting", "largeScene/resting", "manyCells/resting"]),
    "rings": ("emptyFrame", ["makeScene/laptop_600", "makeScene/large_30", "frames/paper_600", "frames/laptop_600"]),
}
REPETITIONS = 5
SECONDS = 0.1  # at least, of each repetition


def ratios_of(build, program):
    """The ratio of each of its benchmarks."""
    baseline, chosen = CHOSEN[program]
    done = subprocess.run([build / "tests" / f"bench_{program}",
                           f"--benchmark_filter=^({'|'.join([baseline, *chosen])})(/process_time|/real_time|/iterations:.*)*$",
                           f"--benchmark_repetitions={REPETITIONS}", "--benchmark_enable_random_interleaving=true",
                           f"--benchmark_min_time={SECONDS}", "--benchmark_format=json"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    times = collections.defaultdict(list)
    for run in json.loads(done.stdout)["benchmarks"]:
        if run["run_type"] == "iteration":
            name = run["run_name"].partition("/process_time")[0].partition("/real_time")[0]
            times[name].append(run["cpu_time"] * scale[run["time_unit"]])
    medians = {name: statistics.median(values) for name, values in times.items()}
    missing = [name for name in (baseline, *chosen) if name not in medians]
    if missing:
        sys.exit(f"floor.py: bench_{program} has no {', '.join(missing)}")
    return {f"{program} {name}": medians[baseline] / medians[name] for name in chosen}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    known = {}
    if KNOWN.exists():
        known = {name: float(ratio) for ratio, name in (line.split(" ", 1) for line in KNOWN.read_text().splitlines())}
    found = {}
    for program in CHOSEN:
        found.update(ratios_of(given.build, program))
    if given.write:
        KNOWN.write_text("".join(f"{ratio:.3g} {name}\n" for name, ratio in found.items()))
    slow = [name for name, ratio in found.items() if name in known and ratio < LEAST * known[name]]
    table = f"{'benchmark':32} {'ratio':>8} {'usual':>8}\n"
    for name, ratio in found.items():
        usual = f"{known[name]:8.3g} {100 * ratio / known[name]:5.0f} %" if name in known else "       -"
        table += f"{name:32} {ratio:8.3g} {usual}{'  <== SLOW' if name in slow else ''}\n"
    if slow:
        table += f"\n{'!' * 100}\n!!! SLOWER than {100 * LEAST:.0f} % of the usual speed: {', '.join(slow)}\n{'!' * 100}\n"
    print(table, end="")
    (given.build / "floor.txt").write_text(table)


if __name__ == "__main__":
    main()
