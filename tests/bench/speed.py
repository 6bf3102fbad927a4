#!/usr/bin/env python3
"""speed.py BUILD OUTPUT

Measures how fast the program is, and writes docs/speed.md: what a person waits for, against the tools that a person would use
instead, where they are installed; parts of the simulation against plain baselines; and how costs grow with the length of a
trace, the memory that it touches, and the number of CPUs. Takes some minutes, and two idle processors.

Each figure is the least of several runs: what else a computer does only adds to it."""

import json
import os
import pathlib
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time

import floor

RUNS = 2
SORT = """
#include <stdio.h>
#include <stdlib.h>
static int byValue(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
int main(void) {
    enum { n = 100000 };
    int* numbers = malloc(n * sizeof *numbers);
    unsigned x = 1;
    for (int i = 0; i < n; ++i) numbers[i] = (int)((x = x * 1664525 + 1013904223) >> 8);
    qsort(numbers, n, sizeof *numbers, byValue);
    printf("%d\\n", numbers[n / 2]);
    return 0;
}
"""
COUNT = """
#include <pthread.h>
#include <stdio.h>
enum { n = 4000000, threads = 4 };
static unsigned char bytes[n];
static long counts[threads][256];
static void* count(void* argument) {
    const long t = (long)argument;
    for (long i = t * (n / threads); i < (t + 1) * (n / threads); ++i) ++counts[t][bytes[i]];
    return NULL;
}
int main(void) {
    pthread_t all[threads];
    unsigned x = 1;
    for (int i = 0; i < n; ++i) bytes[i] = (x = x * 1664525 + 1013904223) >> 24;
    for (long t = 0; t < threads; ++t) pthread_create(&all[t], NULL, count, (void*)t);
    for (int t = 0; t < threads; ++t) pthread_join(all[t], NULL);
    printf("%ld\\n", counts[1][7]);
    return 0;
}
"""


def seconds(command, runs=RUNS, **more):
    """The least time of a command, started anew each time."""
    best = None
    for _ in range(runs):
        start = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, **more)
        took = time.monotonic() - start
        best = took if best is None else min(best, took)
    return best


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join(["---"] + ["---:"] * (len(head) - 1)) + " |"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


class Speed:
    def __init__(self, build, folder):
        self.build = build
        self.whorl = build / "whorl"
        self.folder = pathlib.Path(folder)
        self.environment = dict(os.environ, XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder)

    def run(self, *words, runs=RUNS):
        return seconds([self.whorl, *map(str, words)], runs, cwd=self.folder, env=self.environment)

    def accesses(self, trace):
        said = subprocess.run([self.whorl, "stats", trace, "--json"], capture_output=True, check=True, cwd=self.folder,
                              env=self.environment).stdout
        return json.loads(said)["accesses"]

    def per_access(self, trace, *options):
        """Nanoseconds an access, beyond what the start of the program takes."""
        start = self.run("stats", "conflict:n=1")
        return 1e9 * max(0.0, self.run("stats", trace, *options) - start) / self.accesses(trace)

    def recorded(self, command, compiled):
        """Name and seconds of each way to record a program, and how many accesses it makes."""
        name = pathlib.Path(command[0]).name
        ways = [("the program alone", seconds(command, cwd=self.folder)),
                ("`whorl capture` (Valgrind)", self.run("capture", "-o", f"{name}.trace.whorl", "--", *command, runs=1)),
                ("`whorl capture` of what `whorl cc` compiled",
                 compiled and self.run("capture", "-o", f"{name}.cc.whorl", "--", compiled, runs=1))]
        tools = {"cachegrind": ["--cache-sim=yes", "--cachegrind-out-file=/dev/null"],
                 "callgrind": ["--cache-sim=yes", "--callgrind-out-file=/dev/null"],
                 "lackey": ["--trace-mem=yes", "--log-file=/dev/null"]}
        for tool, options in tools.items() if shutil.which("valgrind") else ():
            took = seconds(["valgrind", f"--tool={tool}", *options, *command], 1, cwd=self.folder)
            ways.append((f"`valgrind --tool={tool} {options[0]}`", took))
        return dict(ways), self.accesses(f"{name}.trace.whorl")

    def recording(self):
        for name, text in (("sort", SORT), ("count", COUNT)):
            (self.folder / f"{name}.c").write_text(text)
            compile = ["gcc", "-g", "-O2", "-pthread", f"{name}.c", "-o"]
            subprocess.run([*compile, name], cwd=self.folder, check=True)
            subprocess.run([self.whorl, "cc", *compile, f"{name}.whorl-cc"], cwd=self.folder, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
        chance = random.Random(1)
        words = ["".join(chance.choices("etaoinshrdlu", k=chance.randrange(2, 9))) for _ in range(2000)]
        (self.folder / "words.txt").write_text(" ".join(chance.choices(words, k=60_000)))
        programs = [("`qsort` of 100 000 numbers", ["./sort"], "./sort.whorl-cc"),
                    ("four threads count bytes", ["./count"], "./count.whorl-cc"),
                    ("`gzip` of 350 KB of words", ["/usr/bin/gzip", "-c", "words.txt"], None)]
        head, columns = [""], []
        for what, command, compiled in programs:
            ways, count = self.recorded(command, compiled)
            plain = ways["the program alone"]
            head.append(f"{what}, {count / 1e6:.1f} million: seconds (ns an access)")
            columns.append({way: "" if took is None else f"{took:.2f} ({1e9 * max(0.0, took - plain) / count:.0f})"
                            for way, took in ways.items()})
        return table(head, [[way, *(column[way] for column in columns)] for way in columns[0]])

    def simulation(self):
        rows = []
        for name, what in (("sort.trace.whorl", "`qsort`, recorded"), ("product.whorl", "a matrix product, n = 136"),
                           ("merge.whorl", "a merge sort, n = 200 000")):
            row = [f"{what}: {self.accesses(name) / 1e6:.1f} million"]
            for machine in ("default", "desktop"):
                for options in (["--jobs", "1"], [], ["--kinds", "--jobs", "1"], ["--kinds"]):
                    row.append(f"{1e3 / self.per_access(name, '--machine', machine, *options):.0f}")
            rows.append(row)
        return table(["million accesses a second", "default: counts, one thread", "all threads", "kinds, one thread",
                      "all threads", "desktop: counts, one thread", "all threads", "kinds, one thread", "all threads"], rows)

    def films(self):
        rows = []
        for size in ("1280x720", "1920x1080"):
            start = self.run("record", "matmul:n=16", "--size", size, "--from", 1000, "--to", 1001, "-o", "film.mp4", runs=1)
            took = self.run("record", "matmul:n=16", "--size", size, "--from", 1000, "--to", 1041, "-o", "film.mp4", runs=1)
            rows.append([size, f"{40 / 8 * 60 / (took - start):.0f}"])
        return table(["a film of the rings (.mp4)", "frames a second"], rows)

    def baselines(self):
        rows = [[f"`{name.split(' ')[1]}`", f"`{floor.CHOSEN[name.split(' ')[0]][0].split(' ')[1]}`", f"{ratio:.2f}"]
                for name, ratio in floor.ratios_of(self.build, ("sim", "stats", "trace")).items()]
        return table(["benchmark", "baseline", "times as fast"], rows)

    def random_trace(self, name, blocks, cpus=1, count=1_000_000):
        """Reads of random blocks, a quarter of them writes, by the CPUs in turn."""
        chance = random.Random(1)
        with open(self.folder / "random.txt", "w", encoding="ascii") as text:
            text.writelines(f"{'rrrw'[chance.randrange(4)]} {64 * chance.randrange(blocks):#x} 8 {i % cpus}\n"
                            for i in range(count))
        self.run("trace", "random.txt", "--columns", "op,addr,size,cpu", "-o", name, runs=1)

    def growth(self):
        texts = ["### With the length of the trace\n\nMatrix products, on `default`:\n\n"]
        rows = []
        for n in (63, 136, 292):
            self.run("trace", f"matmul:n={n}", "-o", "long.whorl", runs=1)
            count = self.accesses("long.whorl")
            rows.append([f"{count / 1e6:.1f}", *(f"{self.per_access('long.whorl', '-m', 'default', *o):.1f}"
                                                 for o in ([], ["--kinds"]))])
        texts.append(table(["million accesses", "counts, ns an access", "kinds, ns an access"], rows))
        texts.append("\n### With the memory that it touches\n\nA million accesses to random blocks, on `desktop`:\n\n")
        rows = []
        for blocks in (1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20):
            self.random_trace("random.whorl", blocks)
            rows.append([f"{blocks:,}".replace(",", " "), *(f"{self.per_access('random.whorl', '-m', 'desktop', *o):.0f}"
                                                            for o in ([], ["--kinds"]))])
        texts.append(table(["blocks", "counts, ns an access", "kinds, ns an access"], rows))
        texts.append("\n### With the number of CPUs\n\nA million accesses to 4 096 random blocks that all CPUs share, on "
                     "`server`:\n\n")
        rows = []
        for cpus in (1, 4, 16, 64):
            self.random_trace("random.whorl", 4096, cpus)
            rows.append([str(cpus), *(f"{self.per_access('random.whorl', '-m', 'server', *o):.0f}" for o in ([], ["--kinds"]))])
        texts.append(table(["CPUs", "counts, ns an access", "kinds, ns an access"], rows))
        return "".join(texts)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        speed = Speed(build, folder)
        parts = [("Recording a program", speed.recording)]
        speed.run("trace", "matmul:n=136", "-o", "product.whorl", runs=1)
        speed.run("trace", "mergesort:n=200000", "-o", "merge.whorl", runs=1)
        parts += [("Simulating a trace", speed.simulation), ("Films", speed.films),
                  ("Against plain loops, in the same minute", speed.baselines), ("How costs grow", speed.growth)]
        text = ("# How fast Whorl is\n\n"
                f"Measured by `./test --bench` on {time.strftime('%-d %B %Y')}: {processor()}, {os.cpu_count()} processors, "
                f"Linux {platform.release()}.\n"
                f"Each time is the least of some runs of a whole command, less what the program takes to start where it is told "
                "per access.\n")
        for title, part in parts:
            print(title, file=sys.stderr, flush=True)
            text += f"\n## {title}\n\n{part()}"
    pathlib.Path(sys.argv[2]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
