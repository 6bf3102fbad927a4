#!/usr/bin/env python3
"""How long the frames of a window take while it plays, zooms and moves, in each view: median and 95th percentile, in
milliseconds, and until a view that has just been shown has settled.

    frames.py WHORL INPUT [OPTION...] [--views VIEW,...]

Needs a display (xvfb-run -s '-screen 0 1400x900x24') and two idle cores for figures that can be compared."""
import os
import socket
import subprocess
import sys
import tempfile
import time

VIEWS = ("rings source object block:0 collisions memory memory-live cache:0 cache-live:0 history phases cycles life "
         "table:0 array").split()
SECONDS = 2.0


class Window:
    def __init__(self, whorl, options, folder):
        self.log = os.path.join(folder, "frames")
        place = os.path.join(folder, "socket")
        environment = dict(os.environ, WHORL_FRAME_LOG=self.log, XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder)
        self.program = subprocess.Popen([whorl, "--control", place, *options], env=environment)
        self.socket = socket.socket(socket.AF_UNIX)
        for _ in range(300):
            try:
                self.socket.connect(place)
                break
            except OSError:
                time.sleep(0.1)
        self.lines = self.socket.makefile("rw")

    def send(self, line):
        self.lines.write(line + "\n")
        self.lines.flush()
        return self.lines.readline().strip()

    def frames(self):
        with open(self.log, encoding="ascii") as log:
            return [float(line) for line in log if line.endswith("\n")]


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def measured(window, commands):
    """The frames while the commands are sent one after the other."""
    before = len(window.frames())
    end = time.monotonic() + SECONDS
    count = 0
    while time.monotonic() < end:
        if commands:
            window.send(commands[count % len(commands)])
            count += 1
        time.sleep(0.016)
    return window.frames()[before:]


def main():
    options = sys.argv[2:]
    views = VIEWS
    if "--views" in options:
        at = options.index("--views")
        views = options[at + 1].split(",")
        del options[at:at + 2]
    with tempfile.TemporaryDirectory() as folder:
        window = Window(sys.argv[1], [*options, "--paused"], folder)
        window.send("wait")
        window.send("seek 50%")
        window.send("pick-memory 0x0 1")
        print(f"{'view':14} {'opens':>6} {'play':>12} {'zoom':>12} {'move':>12}   median, 95th percentile; ms")
        for view in views:
            start = time.monotonic()
            if window.send(f"view-only {view}") != "ok":
                continue
            window.send("wait")
            opened = (time.monotonic() - start) * 1000
            row = [f"{view:14} {opened:6.0f}"]
            window.send("play")
            row.append(measured(window, []))
            window.send("play")
            window.send("wait")
            row.append(measured(window, ["zoom-in"] * 6 + ["zoom-out"] * 6))
            window.send("zoom-in")
            row.append(measured(window, ["pan 0.1 0"] * 5 + ["pan -0.1 0"] * 5))
            window.send("zoom-reset")
            print(row[0], *(f"{percentile(f, 0.5):5.1f} {percentile(f, 0.95):6.1f}" for f in row[1:]), flush=True)
        window.send("quit")
        window.program.wait()


main()
