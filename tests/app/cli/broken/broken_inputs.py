#!/usr/bin/env python3
"""Broken files of every format that whorl reads, thousands of them, each a function of its number.

    broken_inputs.py WHORL [--count N] [--first N] [--jobs N] [--sanitized] [--keep FOLDER]

Whatever is in a file, whorl ends within seconds, with status 0 and right output, or with status 2 and one sentence; it
leaves no file behind that was not asked for. --keep puts each file with a fault into a folder. Without --count there
are a few hundred, of which WHORL_TEST_SHARE in the environment gives the percentage.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import resource
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the tree stays as it is

import damage
from good_files import good_files
from trials import PATIENCE_SANITIZED, Fault, Run, Trial

USUAL = 240
SLOW = 5000  # by ./test --all
MEMORY = 2_000_000 << 10  # bytes of address space


def broken_file(good, others, chance):
    """A damaged version of it, and its name."""
    other = chance.choice(others).data
    if good.is_binary():
        data = damage.broken_whorl(chance, good.data, other)
    else:
        data = damage.broken(chance, good.data, other, damage.TEXT)
    return damage.packed(chance, data) if good.role == "trace" else data


class Trials:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.whorl = os.path.abspath(options.whorl)
        self.good = good_files(self.whorl, folder)
        self.faults = []
        self.totals = collections.Counter()

    def try_good_files(self):
        """Otherwise the trials would show nothing."""
        for good in self.good:
            with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                trial = Trial(self.whorl, folder, good.name, good.data, good, random.Random(1))
                if trial.accepted == 0:
                    raise Fault(f"{good.name} is refused, although it is whole")

    def try_broken(self, number):
        """The broken file of this number."""
        chance = random.Random(number)
        good = self.good[number % len(self.good)]
        data = broken_file(good, self.good, chance)
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            try:
                trial = Trial(self.whorl, folder, good.name, data, good, chance)
                self.totals.update(files=1, runs=trial.runs, accepted=trial.accepted)
            except Fault as fault:
                self.faults.append(number)
                print(f"broken file {number}, of {good.name}: {fault}", file=sys.stderr, flush=True)
                if self.options.keep:
                    kept = pathlib.Path(self.options.keep)
                    kept.mkdir(parents=True, exist_ok=True)
                    (kept / f"{number}-{good.name}").write_bytes(data)

    def broken_files_end_in_a_sentence(self):
        self.try_good_files()
        numbers = range(self.options.first, self.options.first + self.options.count)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            list(pool.map(self.try_broken, numbers))


def options_given():
    share = int(os.environ.get("WHORL_TEST_SHARE", "100"))
    parser = argparse.ArgumentParser()
    parser.add_argument("whorl")
    parser.add_argument("--count", type=int, default=max(20, USUAL * share // 100))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--slow", action="store_true", help="thousands, or WHORL_SLOW_SHARE percent of them")
    options = parser.parse_args()
    if options.slow:
        options.count = SLOW * int(os.environ.get("WHORL_SLOW_SHARE", "100")) // 100
        options.jobs = os.cpu_count()
    return options


def main():
    options = options_given()
    os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        os.environ.pop(name, None)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if options.sanitized:  # which reserve terabytes
        Run.patience = PATIENCE_SANITIZED
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        trials = Trials(options, folder)
        trials.broken_files_end_in_a_sentence()
    totals = trials.totals
    print(f"{totals['files']} broken files, {totals['runs']} runs, {totals['accepted']} of which succeeded, "
          f"{len(trials.faults)} faults, {time.monotonic() - begun:.0f} s")
    return 1 if trials.faults else 0


if __name__ == "__main__":
    sys.exit(main())
