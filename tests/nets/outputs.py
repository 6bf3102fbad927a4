#!/usr/bin/env python3
"""What whorl writes, all of it: a net under changes that must not change it.

    outputs.py WHORL [NAME...]                 checks items against outputs.sums: lists what differs, is missing or new
    outputs.py WHORL --write [NAME...]         writes outputs.sums
    outputs.py WHORL --against OTHER [NAME...] shows how each item differs from what OTHER writes, which is another program
                                               or a revision of git; NAMEs are patterns such as 'stats/matmul/*'
    outputs.py WHORL --show NAME...            prints items

An item is what one command, or a few that belong together, print, say and leave behind: its name is that of its line in
outputs.sums. Commands run with an environment of their own, each item in an empty folder, where `in` has what they read.
"""

import argparse
import concurrent.futures
import difflib
import fnmatch
import functools
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # in the source tree

import contents
import corpus
import windows

HERE = pathlib.Path(__file__).resolve().parent
SUMS = HERE / "outputs.sums"


class Program:
    """A whorl, a folder for what it reads and writes, and the environment in which it runs."""

    def __init__(self, whorl, folder):
        self.whorl = os.path.abspath(whorl)
        self.folder = pathlib.Path(folder).resolve()
        self.inputs = self.folder / "in"
        self.inputs.mkdir()
        # Nothing of the user's: neither the language nor settings, nor a display, nor tools beside those of the system.
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder / "home"), "LC_ALL": "C.UTF-8",
                            "XDG_STATE_HOME": str(self.folder / "home"), "LIBGL_ALWAYS_SOFTWARE": "1",
                            "TMPDIR": str(self.folder)}
        corpus.make_inputs(self)

    def run(self, words, cwd, stdin=b""):
        return subprocess.run([self.whorl, *words], cwd=cwd, env=self.environment, input=stdin, capture_output=True,
                              check=False, timeout=120)

    def normal(self, text):
        """Without what depends on the time and the machine."""
        text = text.replace(str(self.folder), "FOLDER").replace(self.whorl, "WHORL")
        # How far a long command has come is said now and then, by the clock.
        text = re.sub(r"^[a-z]+ing\b.* …( .*)?\n", "", text.replace("\r", "\n"), flags=re.MULTILINE)
        # The caches of this computer, which are the last in the list of machines and among candidates.
        text = re.sub(r"^host: .*?(?=^As a file)", "", text, flags=re.MULTILINE | re.DOTALL)
        return text

    def transcript(self, name, commands):
        """What the commands do, as text."""
        cwd = self.folder / "items" / name.replace("/", "|")
        cwd.mkdir(parents=True)
        (cwd / "in").symlink_to(self.inputs)
        parts = []
        for command in commands:
            words, stdin = command if isinstance(command, tuple) else (command, b"")
            done = self.run(words, cwd, stdin)
            parts.append(f"$ whorl {shlex.join(words)}\n")
            parts.append(self.normal(contents.of_bytes(done.stdout)))
            parts.append("".join(f"! {line}\n" for line in self.normal(contents.of_bytes(done.stderr)).splitlines()))
            parts.append(f"= {done.returncode}\n" if done.returncode else "")
        for path in sorted(path for path in cwd.rglob("*") if path.is_file() and "in" not in path.relative_to(cwd).parts):
            parts.append(f"--- {path.relative_to(cwd)}\n{self.normal(contents.of_file(path))}\n")
        shutil.rmtree(cwd)
        return "".join(parts)

    def items(self, patterns):
        """The text of each item whose name fits."""
        found = {}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            sessions = [pool.submit(windows.session, self, *one) for one in windows.SESSIONS
                        if not patterns or any(pattern.startswith(("control/", "*")) for pattern in patterns)]
            made = {name: pool.submit(self.transcript, name, commands)
                    for name, commands in corpus.items(self).items() if fits(name, patterns)}
            for name, one in made.items():
                found[name] = one.result()
            for one in sessions:
                found.update({name: self.normal(text) for name, text in one.result().items() if fits(name, patterns)})
        return dict(sorted(found.items()))


def fits(name, patterns):
    return not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def items_of(whorl, patterns):
    with tempfile.TemporaryDirectory() as folder:
        return Program(whorl, folder).items(patterns)


@functools.cache
def built(revision):
    """The program of a revision."""
    done = subprocess.run([HERE / "build_revision.sh", revision, "whorl"], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"outputs.py: {revision} is neither a program nor a revision that can be built")
    return os.path.join(done.stdout.strip(), "whorl")


def sum_of(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def show_differences(whorl, other, patterns):
    """How many there are."""
    before, now = (items_of(program, patterns) for program in (other, whorl))
    names = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    for name in names:
        sys.stdout.writelines(difflib.unified_diff(before.get(name, "").splitlines(True),
                                                   now.get(name, "").splitlines(True), f"a/{name}", f"b/{name}"))
    print(f"{len(names)} of {len(before.keys() | now.keys())} items differ", file=sys.stderr)
    return len(names)


def known_sums():
    return dict(reversed(line.split(" ", 1)) for line in SUMS.read_text().splitlines()) if SUMS.exists() else {}


def check(found, patterns):
    """How many items are not as outputs.sums has them."""
    known = {name: value for name, value in known_sums().items() if fits(name, patterns)}
    said = 0
    for word, names in (("differs", [name for name in found if name in known and sum_of(found[name]) != known[name]]),
                        ("is missing", [name for name in known if name not in found]),
                        ("is new", [name for name in found if name not in known])):
        for name in names:
            print(f"{word}: {name}")
        said += len(names)
    print(f"{len(found)} items, {said} of them not as in {SUMS.name}")
    if said:
        print(f"see how: {sys.argv[0]} {sys.argv[1]} --against REVISION-OR-PROGRAM [NAME...]; to keep it: --write")
    return said


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("whorl")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--against")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_intermixed_args()
    if given.against:
        other = given.against if os.path.isfile(given.against) else built(given.against)
        return 1 if show_differences(given.whorl, other, given.names) else 0
    found = items_of(given.whorl, given.names)
    if given.show:
        for name, text in found.items():
            print(f"=== {name}\n{text}")
        return 0
    if given.write:
        sums = {name: value for name, value in known_sums().items() if not fits(name, given.names)}
        sums.update({name: sum_of(text) for name, text in found.items()})
        SUMS.write_text("".join(f"{value} {name}\n" for name, value in sorted(sums.items())))
        print(f"{len(found)} items")
        return 0
    return 1 if check(found, given.names) else 0


if __name__ == "__main__":
    sys.exit(main())
