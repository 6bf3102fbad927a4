#!/usr/bin/env python3
"""monkey.py WINDOW EVENTS SEED BINDINGS: a script for xdotool with that many random events in a window: keys from the
table of bindings (the source file), text, the mouse, its wheel, drags, and other sizes of the window. The same seed gives
the same events."""

import random
import re
import sys

# The names of keys that X has for those of the table, which are often the characters themselves.
NAMES = {"Space": "space", "PageDown": "Next", "PageUp": "Prior", "Enter": "Return", ".": "period", ",": "comma",
         "+": "plus", "-": "minus", "=": "equal", "]": "bracketright", "[": "bracketleft", ">": "greater", "<": "less",
         "*": "asterisk", ")": "parenright", "(": "parenleft", "/": "slash", "?": "question", "'": "apostrophe"}
LEAVES = "Ctrl+Q"  # the program; it is to stay
WORDS = ["matmul:n=4", "vecadd:chunk=1", "1K/2/32", "B[3][0]", "0x1040", "nosuch", "align:A:64", "class:Array", "paper",
         "\"", "(", "99999999999999999999", "-1", "%s%n", "~"]
WIDTH, HEIGHT = 900, 640  # larger windows take longer to draw


def chord(key):
    """The key as xdotool writes it: "Ctrl+Left" is ctrl+Left."""
    *modifiers, last = key.split("+") if len(key) > 1 else [key]
    if len(last) == 1 and last.isalpha():
        last = last.lower()
    return "+".join([m.lower() for m in modifiers] + [NAMES.get(last, last)])


def keys_of(bindings):
    """The keys of the table, which are the lists of words in braces in its entries."""
    keys = []
    for words in re.findall(r'\{("[^"{}]+"(?:, "[^"{}]+")*)\}', bindings):
        keys += re.findall(r'"([^"]+)"', words)
    keys += [f"F{n}" for n in range(2, 7)] + [str(n) for n in range(1, 10)]
    keys = sorted(set(keys) - {LEAVES})
    assert len(keys) > 90, keys
    return keys + ["Escape"] * 4


class Monkey:
    def __init__(self, window, seed, keys):
        self.window = window
        self.chance = random.Random(seed)
        self.keys = keys

    def point(self):
        return f"mousemove --window {self.window} {self.chance.randrange(WIDTH)} {self.chance.randrange(HEIGHT)}"

    def key(self):
        return ["key --clearmodifiers --delay 1 " + chord(self.chance.choice(self.keys))]

    def text(self):
        key = self.chance.choice(["o", "m", "slash", "ctrl+f", "ctrl+p", "ctrl+g", "ctrl+o", "ctrl+b"])
        word = self.chance.choice(WORDS).replace('"', '\\"')
        last = self.chance.choice(["Return", "Return", "Escape", "Tab"])
        return [f"key --delay 1 {key}", f'type --delay 1 -- "{word}"', f"key --delay 1 {last}"]

    def move(self):
        return [self.point()]

    def click(self):
        button = self.chance.choice([1, 1, 1, 2, 3])
        return [self.point(), f"click --repeat {self.chance.choice([1, 1, 2])} --delay 1 {button}"]

    def wheel(self):
        return [self.point(), f"click --repeat {self.chance.randint(1, 9)} --delay 1 {self.chance.choice([4, 5])}"]

    def drag(self):
        button = self.chance.choice([1, 1, 2, 3])
        held = self.chance.choice(["", "", "Shift_L", "Control_L"])
        moves = [self.point() for _ in range(self.chance.randint(1, 4))]
        lines = [self.point(), f"mousedown {button}", *moves, f"mouseup {button}"]
        return [f"keydown {held}", *lines, f"keyup {held}"] if held else lines

    def resize(self):
        width, height = self.chance.choice([(900, 640), (1000, 700), (120, 90), (300, 900), (1200, 200), (640, 480)])
        return [f"windowsize {self.window} {width} {height}"]

    def event(self):
        kinds = [self.key, self.move, self.click, self.wheel, self.drag, self.text, self.resize]
        return self.chance.choices(kinds, [50, 14, 14, 8, 8, 4, 2])[0]()


def main():
    window, events, seed, bindings = sys.argv[1:]
    with open(bindings, encoding="utf-8") as file:
        monkey = Monkey(window, int(seed), keys_of(file.read()))
    for _ in range(int(events)):
        print("\n".join(monkey.event()))


if __name__ == "__main__":
    main()
