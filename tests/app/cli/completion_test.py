#!/usr/bin/env python3
"""completion_test.py WHORL COMPLETIONS

What `whorl complete` answers, and what bash, zsh and fish make of it by the scripts in the folder COMPLETIONS. bash and
zsh run in a terminal of their own, where keys are typed; a shell that is not installed is left out."""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

WHORL = os.path.abspath(sys.argv[1])
SCRIPTS = os.path.abspath(sys.argv[2])
failures = []


def check(what, found, expected):
    if found != expected:
        failures.append(f"{what}: {found!r}, not {expected!r}")


def lines_of(*words):
    done = subprocess.run([WHORL, "complete", "--", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0 or done.stderr:
        failures.append(f"complete {words}: status {done.returncode}, {done.stderr!r}")
    return done.stdout.splitlines()


def candidates(*words):
    """The words alone, and what follows the last of them."""
    return [line.split("\t")[0] for line in lines_of(*words)]


def test_candidates():
    check("a command", candidates("fram"), ["frame", ":files"])
    check("a word with its meaning", lines_of("programs", "--h"), ["--help\tPrint this help message and exit"])
    check("words of an option", candidates("frame", "--ground", ""), ["dark", "light"])
    check("behind =", candidates("frame", "--ground=l"), ["--ground=light"])
    check("behind a flag", candidates("stats", "--lenient", "bubb"), ["bubblesort", ":files"])
    check("a format", candidates("stats", "--format", "ch"), ["chiron", "champsim"])
    check("a lock", candidates("record", "matmul", "--lock", ""), ["access", "share", "line"])
    check("options of a program", candidates("stats", "matmul:"), ["matmul:n=", "matmul:variant="])
    check("their words", candidates("stats", "matmul:n=4,variant="),
          [f"matmul:n=4,variant={word}" for word in ("standard", "transposed", "blocked")])
    check("those that have an effect", candidates("stats", "matmul:variant=blocked,b"),
          ["matmul:variant=blocked,block="])
    check("their usual number", candidates("stats", "matmul:n="), ["matmul:n=16"])
    check("as options", candidates("stats", "matmul", "--va"), ["--variant"])
    check("their words, too", candidates("stats", "matmul", "--variant", "t"), ["transposed"])
    check("behind =, too", candidates("stats", "matmul", "--variant=t"), ["--variant=transposed"])
    check("a machine", candidates("stats", "-m", "lap"), ["laptop", ":files"])
    check("with its caches", lines_of("stats", "-m", "lap")[0].split("\t")[1].split(",")[0], "48K/12/64")
    check("a value of the machine", candidates("stats", "--set", "L2.po"), ["L2.policy="])
    check("its levels", candidates("frame", "-m", "laptop", "--groups", "L"), ["L1", "L2", "L3"])
    check("its words", candidates("stats", "--set", "protocol="),
          [f"protocol={word}" for word in ("none", "msi", "mesi")])
    check("of a sweep", candidates("stats", "--sweep", "L1.policy=lru,f"), ["L1.policy=lru,fifo"])
    check("a scene", candidates("--scene", "fig1d"), ["fig1d", "fig1d-small"])
    check("of another tour", candidates("--tour", "memory", "--scene", "fig2"), ["fig2"])
    check("a tour", candidates("scenes", "ri"), ["rings", ":files"])
    check("all tours", len(candidates("scenes", "")) > 10, True)
    check("a view", candidates("frame", "--view", "rings,block:"), ["rings,block:L1", "rings,block:L2"])
    check("a metric", candidates("frame", "--metric", "miss-r"), ["miss-rate:L1", "miss-rate:L2"])
    check("a table", candidates("stats", "--by", "way"), ["way", "way:"])
    check("of a level", candidates("stats", "-m", "laptop", "--by", "way:"), ["way:L1", "way:L2", "way:L3"])
    check("a folder", lines_of("stats", "--sources", ""), [":folders"])
    check("a program", lines_of("run", "--", ""), [":programs"])
    check("its arguments", lines_of("run", "--", "ls", "--colo"), [":files"])
    check("a compiler", lines_of("cc", ""), [":programs"])
    check("its options", lines_of("cc", "g++", "-O"), [":files"])
    check("a file behind =", lines_of("stats", "--regions=a"), [":files\t--regions="])
    check("an output", lines_of("stats", "matmul", "-o", ""), [":files"])
    check("no option twice", candidates("frame", "--ground", "dark", "--groun"), [])
    check("but a list", candidates("frame", "--set", "cpus=2", "--set"), ["--set"])
    check("an unknown command", lines_of("frobnicate", "--no-such", "x"), [])
    check("an unknown option", lines_of("frame", "--no-such="), [])
    check("no words", candidates(), candidates(""))


def test_names():
    """Names in an input that is already on the line."""
    check("regions", candidates("stats", "matmul", "--only", "region="), ["region=A", "region=B", "region=C"])
    check("others", candidates("stats", "matmul", "--only", "region=B,"), ["region=B,A", "region=B,C"])
    check("of a scene", candidates("frame", "--scene", "fig1a", "--only", "region=A"), ["region=A"])
    check("objects", candidates("frame", "nbody:bodies=8,steps=1", "--object", "Body 7"), ["Body 7"])
    check("places", candidates("history", "matmul", ""), ["A", "B", "C", "L1:", "L2:"])
    check("an array", candidates("frame", "matmul", "--view", "array:"), ["array:A", "array:B", "array:C"])
    check("a history", candidates("frame", "matmul", "--view", "history:"), ["history:A", "history:B", "history:C"])
    check("a change", candidates("whatif", "matmul", "--map", "shift:B"), ["shift:B:"])
    check("a tile", candidates("whatif", "matmul", "--map", "block:B:"), ["block:B:8"])
    check("without bytes", candidates("whatif", "matmul", "--map", "transpose:B"), ["transpose:B"])
    check("classes", candidates("whatif", "nbody:bodies=8,steps=1", "--map", "align:class:B"), ["align:class:Body:"])
    check("a gauge", candidates("frame", "matmul", "--disk", "region:"), ["region:A", "region:B", "region:C"])
    check("lines", candidates("frame", "matmul", "--line", "mat"), ["matmul_standard.h:"])
    check("CPUs", candidates("stats", "vecadd", "--only", "cpu=0,"), ["cpu=0,1", "cpu=0,2", "cpu=0,3"])
    with open("own.trace", "w", encoding="utf-8") as file:
        file.write("region front 0x1000 64 8\nregion back 0x2000 64 8\nr 0x1000 8\nw 0x2000 8\n")
    check("of a file", candidates("stats", "own.trace", "--only", "region="), ["region=front", "region=back"])
    check("of a file in the home folder", candidates("stats", "~/own.trace", "--only", "region=f"), ["region=front"])
    with open("names", "w", encoding="utf-8") as file:
        file.write("region other 0x3000 64 8\n")
    check("by another file", candidates("stats", "own.trace", "--regions", "names", "--only", "region=o"),
          ["region=other"])
    check("of no file", candidates("stats", "missing.trace", "--only", "region="), [])
    os.mkfifo("pipe")
    begun = time.monotonic()
    check("of a pipe", candidates("stats", "pipe", "--only", "region="), [])
    # A multiply of this size takes seconds; its arrays are called as those of a small one.
    check("of a long program", candidates("frame", "matmul:n=384", "--object", ""), ["A", "B", "C"])
    if time.monotonic() - begun > 5:
        failures.append("names are not found at once")


def test_options():
    """Each command offers just the options that its help lists."""
    def options_in(text):
        found = set()
        for line in text.splitlines():
            match = re.match(r"  (-\w)?,?(--[\w-]+)?(\s|$)", line)
            if match:
                found |= {name for name in match.groups()[:2] if name}
        return found

    commands = [word for word in candidates("") if word.isalpha()]
    check("there are commands", len(commands) > 25, True)
    for command in [None, *commands]:
        words = [command] if command else []
        helps = subprocess.run([WHORL, *words, "--help"], capture_output=True, text=True, check=False)
        if "Usage" not in helps.stdout:
            failures.append(f"{command}: no help")
        if helps.stdout.startswith("Whorl shows") and command:
            continue  # a built-in program, not a command
        found = set(candidates(*words, "-"))
        # The words of another program are its own.
        if command == "cc":
            found.discard(":programs")
        check(f"options of {command}", found, options_in(helps.stdout))


class Shell:
    """A shell in a terminal of its own."""

    def __init__(self, command, setup):
        main, other = pty.openpty()
        env = {**os.environ, "TERM": "dumb", "PS1": "$ ", "COLUMNS": "500", "HISTFILE": "", "INPUTRC": "/dev/null"}
        # Lines that are wrapped come back with other characters in them.
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 500, 0, 0))
        self.process = subprocess.Popen(command, stdin=other, stdout=other, stderr=other, env=env,
                                        start_new_session=True)
        os.close(other)
        self.main = main
        self.seen = b""
        self.send(setup + "\nargs() { printf '\\002'; printf '<%s>' \"$@\"; printf '\\003\\n'; }\n")
        check(f"{command[0]} starts", self.words("true", ""), ["true"])

    def send(self, text):
        os.write(self.main, text.encode())

    def words(self, typed, keys):
        """The words of the line when it has been typed and then these keys were pressed."""
        self.seen = b""
        self.send(f"{typed}{keys}\x01args \x05\n")
        end = time.monotonic() + 30
        while time.monotonic() < end:
            match = re.search(rb"\002(.*?)\003", self.seen, re.S)
            if match:
                return re.findall("<(.*?)>", match.group(1).decode())
            if select.select([self.main], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.main, 65536)
                except OSError:
                    break
        return [f"no answer: {self.seen.decode(errors='replace')}"]

    def close(self):
        os.close(self.main)
        self.process.kill()
        self.process.wait()


def test_keys(name, shell, everything):
    """What two shells do alike; `everything`: the keys that insert all candidates."""
    def typed(line, expected, keys="\t"):
        check(f"{name}: {line}", shell.words(line, keys), expected)

    typed("whorl fram", ["whorl", "frame"])
    typed("whorl frame matmul --ground d", ["whorl", "frame", "matmul", "--ground", "dark"])
    typed("whorl frame --ground=d", ["whorl", "frame", "--ground=dark"])
    typed("whorl frame --ground ", ["whorl", "frame", "--ground", "dark", "light"], everything)
    typed("whorl stats matmul:va", ["whorl", "stats", "matmul:variant="])
    typed("whorl stats matmul:va", ["whorl", "stats", "matmul:variant=blocked"], "\tb\t")
    typed("whorl stats matmul:variant=tr", ["whorl", "stats", "matmul:variant=transposed"])
    typed("whorl stats --set L2.policy=sr", ["whorl", "stats", "--set", "L2.policy=srrip"])
    typed("whorl whatif matmul --map=sh", ["whorl", "whatif", "matmul", "--map=shift:A:64"], "\tA\t64")
    typed("whorl frame matmul --view bl", ["whorl", "frame", "matmul", "--view", "block:L2"], "\t2\t")
    typed("whorl frame matmul --disk kind:tr", ["whorl", "frame", "matmul", "--disk", "kind:true sharing"])
    typed('whorl frame matmul --disk "kind:tr', ["whorl", "frame", "matmul", "--disk", "kind:true sharing"])
    typed("whorl stats my", ["whorl", "stats", "my trace.din"])
    typed("whorl stats own.trace --regions=my", ["whorl", "stats", "own.trace", "--regions=my trace.din"])
    typed("whorl stats --sources fol", ["whorl", "stats", "--sources", "folder/inner"], "\tinner")
    typed("whorl run -- ./some-p", ["whorl", "run", "--", "./some-program"])
    typed(f"{WHORL} fram", [WHORL, "frame"])
    # The cursor stands behind --groun.
    typed("whorl frame --groun --at 5", ["whorl", "frame", "--ground", "--at", "5"], "\x02" * len(" --at 5") + "\t")


def test_bash():
    shell = Shell(["bash", "--norc", "--noprofile", "-i"],
                  f"bind 'set enable-bracketed-paste off'; PATH={os.path.dirname(WHORL)}:$PATH; . {SCRIPTS}/whorl.bash")
    test_keys("bash", shell, "\x1b*")
    shell.close()


def test_zsh():
    # Its own way to insert all candidates, and the words of the line by whitespace, as bash has them.
    setup = (f"PATH={os.path.dirname(WHORL)}:$PATH; fpath=({SCRIPTS} $fpath); autoload -Uz compinit; compinit -D -u; "
             "bindkey -e; zle -C all-matches complete-word _generic; bindkey '^X*' all-matches; "
             "zstyle ':completion:all-matches:*' insert yes; "
             "zstyle ':completion:all-matches::::' completer _all_matches _complete; unset zle_bracketed_paste")
    shell = Shell(["zsh", "-f", "-i"], setup)
    test_keys("zsh", shell, "\x18*")
    shell.close()


def test_fish():
    def typed(line, expected):
        script = f"set PATH {os.path.dirname(WHORL)} $PATH; source {SCRIPTS}/whorl.fish; complete -C $argv[1]"
        done = subprocess.run(["fish", "--no-config", "-c", script, line], capture_output=True, text=True, check=False)
        check(f"fish: {line}", [found.split("\t")[0] for found in done.stdout.splitlines()], expected)

    typed("whorl fram", ["frame"])
    typed("whorl frame --gr", ["--ground", "--groups"])
    typed("whorl frame --ground ", ["dark", "light"])
    typed("whorl frame --ground=d", ["--ground=dark"])
    typed("whorl stats matmul:va", ["matmul:variant="])
    typed("whorl stats matmul:variant=", [f"matmul:variant={w}" for w in ("blocked", "standard", "transposed")])
    typed("whorl frame matmul --disk kind:tr", ["kind:true sharing"])
    typed("whorl frame matmul --disk 'kind:tr", ["kind:true sharing"])
    typed("whorl stats my", ["my trace.din"])
    typed("whorl stats own.trace --regions=my", ["--regions=my trace.din"])
    typed("whorl stats --sources fol", ["folder/"])
    typed("whorl run -- ./some-p", ["./some-program"])


def main():
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.environ["HOME"] = folder
    with open("my trace.din", "w", encoding="ascii") as file:
        file.write("0 1000\n")
    os.mkdir("folder")
    shutil.copy("/bin/true", "some-program")
    test_candidates()
    test_names()
    test_options()
    for shell, test in (("bash", test_bash), ("zsh", test_zsh), ("fish", test_fish)):
        if shutil.which(shell):
            test()
        else:
            print(f"{shell} is not installed: its completion is not tested")
    os.chdir("/")
    shutil.rmtree(folder)
    for failure in failures:
        print("FAILED:", failure)
    sys.exit(1 if failures else 0)


main()
