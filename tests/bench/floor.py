#!/usr/bin/env python3
"""floor.py BUILD [--write]

How fast the program is, in a minute: benchmarks that have a plain baseline, measured in the same minute, so that the ratios
of the two can be compared between computers and days. Prints a table of the ratios beside those of floor.txt, and says loudly
which have fallen under 85 % of them. Nothing fails: a busy computer is slower, too. The table is also in BUILD/floor.txt.
--write makes the ratios measured now those of floor.txt.

A ratio is the baseline's time of the processor by that of the benchmark, so that more is faster. Each time is the least of
several repetitions, in which all benchmarks of a program take turns: what else a computer does only adds to times, so that
medians are three times as far apart from run to run.
"""

import argparse
import json
import pathlib
import subprocess
import sys

KNOWN = pathlib.Path(__file__).resolve().parent / "floor.txt"
LEAST = 0.85
# The baseline of each program, and what is measured against it. Left out is whatever has differed by more than a tenth
# from run to run, such as frames of a driver with threads of its own.
CHOSEN = {
    "sim": ("sim carefulCounts", ["carefulCounts", "simulatorCounts", "jumpyCounts", "simulatorEvents", "kindsAndCosts",
                                  "hitsApart", "fullRun", "generalMachine", "measuredJointly"]),
    "stats": ("stats carefulByTable", ["carefulByTable", "streamedCounts", "streamedOnly"]),
    "trace": ("trace countLines", ["countLines", "encode", "decode", "decodeProduct", "writeProduct", "writeSearch",
                                   "storeProduct", "stream/data_only", "parse", "parseChiron"]),
    "cells": ("cells played/0", ["played/0", "ledger/0", "why/0", "builtRuns/0", "cellTables/0/64", "cacheCellTables/0/0",
                                 "placeHistories/0/0", "causes/0"]),
    # These have no baseline of their own that uses the processor alone.
    "rings": ("sim carefulCounts", ["makeScene/large_30"]),
    "space": ("sim carefulCounts", ["blockSceneOnly", "foldedPick/20000"]),
    "gl": ("sim carefulCounts", ["compareResting"]),
}
REPETITIONS = 5
SECONDS = 0.1  # at least, of each


def times_of(build, program, names):
    """The time of each benchmark."""
    done = subprocess.run([build / "tests" / f"bench_{program}",
                           f"--benchmark_filter=^({'|'.join(names)})(/process_time|/real_time)*$",
                           f"--benchmark_repetitions={REPETITIONS}", "--benchmark_enable_random_interleaving=true",
                           f"--benchmark_min_time={SECONDS}", "--benchmark_format=json"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    times = {}
    for run in json.loads(done.stdout)["benchmarks"]:
        if run["run_type"] == "iteration":
            name = run["run_name"].replace("/process_time", "").replace("/real_time", "")
            time = run["cpu_time"] * scale[run["time_unit"]]
            times[name] = min(time, times.get(name, time))
    missing = [name for name in names if name not in times]
    if missing:
        sys.exit(f"floor.py: bench_{program} has no {', '.join(missing)}")
    return {f"{program} {name}": times[name] for name in names}


def ratios_of(build, programs=tuple(CHOSEN)):
    times = {}
    for program in programs:
        times.update(times_of(build, program, CHOSEN[program][1]))
    ratios = {}
    for program in programs:
        baseline, names = CHOSEN[program]
        ratios.update({f"{program} {name}": times[baseline] / times[f"{program} {name}"]
                       for name in names if f"{program} {name}" != baseline})
    return ratios


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    known = {}
    if KNOWN.exists():
        known = {name: float(ratio) for ratio, name in (line.split(" ", 1) for line in KNOWN.read_text().splitlines())}
    found = ratios_of(given.build)
    if given.write:
        KNOWN.write_text("".join(f"{ratio:.3g} {name}\n" for name, ratio in found.items()))
    slow = [name for name, ratio in found.items() if name in known and ratio < LEAST * known[name]]
    table = f"{'benchmark':28} {'ratio':>8} {'usual':>8}\n"
    for name, ratio in found.items():
        usual = f"{known[name]:8.3g} {100 * ratio / known[name]:5.0f} %" if name in known else "       -"
        table += f"{name:28} {ratio:8.3g} {usual}{'  <== SLOW' if name in slow else ''}\n"
    if slow:
        table += f"\n{'!' * 100}\n!!! SLOWER than {100 * LEAST:.0f} % of the usual speed: {', '.join(slow)}\n{'!' * 100}\n"
    print(table, end="")
    (given.build / "floor.txt").write_text(table)


if __name__ == "__main__":
    main()
