"""What is done with a broken file, and what must hold then."""

import csv
import io
import json
import pathlib
import re
import subprocess

PATIENCE = 10  # seconds a run
PATIENCE_SANITIZED = 100
MACHINE = ["--machine", "1K/2/32, 4K/4/32", "--set", "cpus=8"]
SMALL = ["--size", "64x36"]
# What may be said besides the one sentence of an error: what was left out of a damaged file, what a file contains, and
# progress.
WARNING = re.compile(r"whorl: .*: .*\b(embeds|lost|damaged|missing|left out|skipped|could not be read)\b.*|[^:]* … \d+ %(, .* left)?")
# Words of libraries, not of whorl.
LIBRARY = re.compile(r"\bstd::|_M_|basic_string|json\.exception|bad_alloc|filesystem error|terminate called|Sanitizer|runtime error")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


csv.field_size_limit(1 << 30)


class Fault(Exception):
    """Something that must never happen, whatever the file."""


class Run:
    """One run of whorl in a folder."""

    patience = PATIENCE

    def __init__(self, whorl, folder, words, given=None, sentences=1):
        self.words = words
        try:
            with open(given or "/dev/null", "rb") as stdin:
                done = subprocess.run([whorl, *words], cwd=folder, stdin=stdin, capture_output=True, timeout=self.patience,
                                      check=False)
        except subprocess.TimeoutExpired:
            raise Fault(f"{self}: takes more than {self.patience} s") from None
        self.status = done.returncode
        self.out = done.stdout
        self.said = done.stderr
        self.check_said(sentences)

    def __str__(self):
        return "whorl " + " ".join(self.words)

    def check_said(self, sentences):
        """Status 2 comes with one sentence (or `sentences`, a line each), status 0 with warnings only."""
        try:
            said = self.said.decode("utf-8")
        except UnicodeDecodeError:
            raise Fault(f"{self}: says what is not UTF-8: {self.said[-300:]}") from None
        if self.status not in (0, 2):
            raise Fault(f"{self}: ends with status {self.status}: {said[-2000:]}")
        if CONTROL.search(said) or LIBRARY.search(said):
            raise Fault(f"{self}: says {said[-500:]!r}")
        lines = said.split("\n")
        if lines.pop() != "":
            raise Fault(f"{self}: ends in the middle of a line: {said[-300:]!r}")
        rest = [line for line in lines if not WARNING.fullmatch(line)] if sentences == 1 else lines
        if self.status == 0 and rest:
            raise Fault(f"{self}: succeeds and says {rest[:3]}")
        if self.status == 2 and not lines:
            raise Fault(f"{self}: fails without a word")
        if self.status == 2 and (len(rest) > sentences or not lines[-1 if sentences == 1 else 0].startswith("whorl: ")):
            raise Fault(f"{self}: does not fail with one sentence: {rest[:3]}")
        if any(len(line) > 2000 for line in lines):
            raise Fault(f"{self}: says a line of {max(map(len, lines))} characters")


def check(holds, words):
    if not holds:
        raise Fault(words)


def as_json(run):
    def refuse(word):
        raise ValueError(word)

    try:
        return json.loads(run.out.decode("utf-8"), parse_constant=refuse)
    except ValueError as error:
        raise Fault(f"{run}: writes invalid JSON: {error}") from None


def as_csv(run):
    try:
        # Names may hold any bytes, and Python takes a CR for the end of a row, too, where it stands alone.
        rows = list(csv.reader(io.StringIO(run.out.decode("latin-1").replace("\r", "")), strict=True))
    except csv.Error as error:
        raise Fault(f"{run}: writes an invalid table: {error}") from None
    check(rows and all(len(row) == len(rows[0]) for row in rows), f"{run}: the rows of the table differ in length")
    return rows


def check_counts(run):
    """The counts of a report are consistent; gives what any other report of the trace must agree with."""
    report = as_json(run)
    check(report["accesses"] > 0, f"{run}: reports on nothing")
    check(report["accesses"] == report["reads"] + report["writes"], f"{run}: reads and writes are not the accesses")
    for level in report["levels"]:
        for cache in level["caches"]:
            for kind in ("hits", "misses", "evictions", "writebacks", "fills"):
                check(cache[kind] >= 0, f"{run}: {kind} below 0")
            check(cache["hits"] + cache["misses"] == cache["accesses"], f"{run}: hits and misses are not the accesses")
            check(cache["read_misses"] + cache["write_misses"] == cache["misses"], f"{run}: the misses do not add up")
            check(cache["evictions"] <= cache["fills"], f"{run}: more is evicted than was filled")
    for name, rows in report.get("tables", {}).items():
        check(sum(row["cycles"] for row in rows) == report["cycles"], f"{run}: the cycles of {name} are not all")
    counters = ("hits", "misses", "evictions", "writebacks")
    levels = [[{k: cache[k] for k in counters} for cache in level["caches"]] for level in report["levels"]]
    return {"accesses": report["accesses"], "writes": report["writes"], "cycles": report["cycles"], "levels": levels}


class Trial:
    """One broken file in a folder of its own, which must hold nothing else in the end but what was asked for."""

    def __init__(self, whorl, folder, name, data, good, chance):
        self.whorl = whorl
        self.folder = pathlib.Path(folder)
        self.name = name
        self.chance = chance
        self.runs = 0
        self.accepted = 0
        (self.folder / name).write_bytes(data)
        for beside, content in good.beside.items():
            (self.folder / beside).write_bytes(content)
        self.expected = {name, *good.beside}
        getattr(self, good.role)()
        self.check_folder()

    def run(self, *words, given=None, sentences=1):
        self.runs += 1
        run = Run(self.whorl, self.folder, list(words), given, sentences)
        self.accepted += run.status == 0
        return run

    def write(self, output, *words, sentences=1):
        """A run that writes a file: it is there if, and only if, the run succeeds."""
        run = self.run(*words, "-o", output, sentences=sentences)
        if run.status == 0:
            self.expected.add(output)
            if (self.folder / (output + ".files")).exists():  # beside a Chiron trace with sources
                self.expected.add(output + ".files")
            check((self.folder / output).is_file(), f"{run}: succeeds and writes nothing")
        return run

    def check_folder(self):
        found = {path.name for path in self.folder.iterdir()}
        check(found == self.expected, f"left in the folder: {found - self.expected}, gone: {self.expected - found}")

    # --- what is done with a file, by its role

    def trace(self):
        machine = MACHINE if self.chance.random() < 0.8 else []
        more = self.chance.choice([[], [], [], ["--lenient"], ["--instructions"]])
        streamed = self.run("stats", self.name, "--json", *machine, *more)
        kept = self.run("stats", self.name, "--kinds", "--by", "region", "--json", *machine, *more)
        # Instructions that nothing asks for are skipped unread when a trace is streamed.
        skipped = b"not a record of lackey: \"I" in kept.said
        # The file may bring a machine without caches, which has no kinds of misses.
        uncached = not machine and b"--kinds is about caches" in kept.said
        check(streamed.status == kept.status or skipped or uncached, f"{kept}: gives {kept.status}, streamed {streamed.status}")
        if kept.status == 0:
            counts = check_counts(streamed)
            check(check_counts(kept) == counts, f"{kept}: counts otherwise than when it is streamed")
            self.copy(counts if machine else None, machine, more)
        elif machine:
            self.write("copy.whorl", "trace", self.name, *machine, *more)
            check("copy.whorl" not in self.expected, f"{kept}: fails, but the trace can be written")
        self.trace_elsewhere(more)

    def copy(self, counts, machine, more):
        """The trace, written in another form, has the same counts."""
        output = "copy." + self.chance.choice(["trace", "trace.gz", "trace.zst", "whorl", "whorl"])
        written = self.write(output, "trace", self.name, *machine, *more)
        check(written.status == 0, f"{written}: fails, but the statistics are there")
        # In text, accesses that caches see but nothing shows are those after "off".
        hidden = [] if output.endswith(".whorl") else ["--unrecorded", "simulate"]
        read = self.run("stats", output, "--json", *machine, *hidden)
        check(read.status == 0, f"{written}: writes what cannot be read")
        if counts:
            again = check_counts(read)
            check(again == counts, f"{written}: the copy has other counts: {again} not {counts}")

    def trace_elsewhere(self, more):
        """Now and then: commands that take longer, or that read the same in another way."""
        which = self.chance.randrange(30)
        if which == 0:
            self.write("x.png", "frame", self.name, *more, *SMALL)
        elif which == 1:
            self.write("x.png", "frame", self.name, *more, *SMALL, "--view", "source,object")
        elif which == 2:
            self.run("sharing", self.name, *MACHINE, *more)
        elif which == 3:
            self.run("collisions", self.name, *more, "--csv")
        elif which == 4:
            run = self.run("stats", self.name, "--by", "object", "--csv", *more)
            if run.status == 0:
                as_csv(run)
        elif which == 5:
            self.run("stats", "-", *more, given=self.folder / self.name)
        elif which == 6:
            self.write("x.chiron", "trace", self.name, "--machine", "paradigm", "--to", "chiron", *more)
        elif which == 7:
            place = self.chance.choice(["0x1000", "4096+64", "0xffffffffffffffff", "B", "B[1]", "L1:0:0", "L1@1:0:0"])
            self.run("history", self.name, place, "--json", *more)
        elif which == 8:
            self.run("stats", self.name, "--by", "block", "--by", "page", "--by", "way", "--json", *more)

    def sources(self):
        run = self.run("stats", "a.chiron", "--chiron-sources", self.name, "--by", "line", "--json")
        if run.status == 0:
            check_counts(run)
            self.write("x.trace", "trace", "a.chiron", "--chiron-sources", self.name)
            check(self.run("stats", "x.trace").status == 0, "sources that cannot be read back from a text trace")

    def machine(self):
        run = self.write("again.json", "machines", f"./{self.name}", sentences=1000)
        used = self.run("stats", "matmul:n=4", "--machine", f"./{self.name}", "--json", sentences=1000)
        if run.status == 0:
            again = self.run("machines", "./again.json")
            check(again.out == (self.folder / "again.json").read_bytes(), f"{run}: reads back otherwise")
        else:
            check(used.status == 2, f"{run}: fails, but the machine can be used")
        if used.status == 0:
            check(check_counts(used)["accesses"] == 144, f"{used}: accesses are missing")

    def tour(self):
        run = self.run("scenes", f"./{self.name}", sentences=1000)
        if run.status != 0:
            return
        ids = re.findall(r"^([a-z0-9][a-z0-9-]*): ", run.out.decode("utf-8"), re.MULTILINE)
        check(ids, f"{run}: lists no scene")
        if self.chance.random() < 0.2:
            self.write("x.png", "frame", "--tour", f"./{self.name}", "--scene", self.chance.choice(ids), *SMALL)

    def part(self):
        beside = next(iter(self.expected - {self.name}))
        parts = [self.name, beside]
        self.chance.shuffle(parts)
        run = self.run("merge", *parts)
        if run.status == 0 and beside.endswith(".json"):
            as_json(run)
        elif run.status == 0:
            as_csv(run)
