"""The parts of a page that `whorl page` has written, taken out of its HTML as the page itself does it."""

import base64
import gzip
import hashlib
import html
import json
import lzma
import pathlib
import re

# The elements that hold data, and the names of their values in app/page/web/page.html.
HELD = {"start": "START", "files": "FILES", "code": "PLAYER", "wasm": "WASM"}


def part_of(text, name):
    """What is in the element <script id=NAME>."""
    found = re.search(rf'<script type="[a-z/]+" id="{name}">(.*?)</script>', text, re.DOTALL)
    if not found:
        raise ValueError(f"the page has no part {name}")
    return found[1].strip()


def dense_bytes(text):
    """The bytes that cmake/dense_text.js has written as text."""
    out = bytearray()
    bits = count = 0
    numbers = [25 if letter == "!" else ord(letter) - 35 for letter in text]
    for high, low in zip(numbers[::2], numbers[1::2]):
        bits |= (high * 91 + low) << count
        count += 13
        while count >= 8:
            out.append(bits & 255)
            bits >>= 8
            count -= 8
    return bytes(out)


class PageFile:
    """One page. `start` is the JSON text that the player gets; `files` are its inputs by name."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.text = self.path.read_text(encoding="utf-8")
        self.start = part_of(self.text, "start")
        self.files = {name: base64.b64decode(content) for name, content in json.loads(part_of(self.text, "files"))}
        self.title = html.unescape(re.search(r"<title>(.*?)</title>", self.text, re.DOTALL)[1])

    def unpack_into(self, folder):
        """Writes its files into a folder, which is made."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in self.files.items():
            if "/" in name or name.startswith("."):
                raise ValueError(f"a file of the page is called {name}")
            (folder / name).write_bytes(content)

    def unpack_player_into(self, folder):
        """Writes player.js and player.wasm into a folder, as emscripten made them; driver.js is left out."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        code = gzip.decompress(base64.b64decode(part_of(self.text, "code"))).decode()
        (folder / "player.js").write_text(code[:code.index("// The player's side of a page")], encoding="utf-8")
        size, packed = part_of(self.text, "wasm").split(":", 1)
        wasm = lzma.LZMADecompressor(lzma.FORMAT_ALONE).decompress(dense_bytes(packed))  # a byte may follow
        if len(wasm) != int(size):
            raise ValueError(f"the player has {len(wasm)} bytes, not {size}")
        (folder / "player.wasm").write_bytes(wasm)

    def with_player(self, built):
        """The page with the player with all views that cmake/build_player.sh has put into the folder `built`."""
        for part, name in (("code", "player.code"), ("wasm", "player.packed")):
            held = part_of(self.text, part)
            self.text = self.text.replace(held, (pathlib.Path(built) / name).read_text(encoding="utf-8").strip(), 1)
        return self

    def with_shell(self, web):
        """The page with the shell that is in the folder `web`: page.html, page.css and page.js, as they are now, around
        the picture, the words and the data of this one."""
        web = pathlib.Path(web)
        style = (web / "page.css").read_text(encoding="utf-8")
        script = (web / "page.js").read_text(encoding="utf-8")
        # Before page.js stands what unpacks the player, a line of its own.
        own = re.findall(r"<script>(.*?)</script>", self.text, re.DOTALL)[-1]
        before = own[:own.index("// The page around the player")] if "// The page around the player" in own else ""
        script = before + script if before.strip() else script
        checksum = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', self.text)[1]
        values = {name: part_of(self.text, part) for part, name in HELD.items()}
        values |= {
            "TITLE": re.search(r"<title>(.*?)</title>", self.text, re.DOTALL)[1],
            "POLICY": re.sub(r"'sha256-[^']*'", f"'sha256-{checksum}'", policy, count=1),
            "STYLE": style,
            "PICTURE": re.search(r'<div id="poster">(.*?)</div>\n<div id="canvases">', self.text, re.DOTALL)[1],
            "WORDS": re.search(r'<div id="still">(.*?)</div>\n<section id="panels"', self.text, re.DOTALL)[1],
            "SCRIPT": script,
        }
        shell = (web / "page.html").read_text(encoding="utf-8")
        self.text = re.sub(r"@([A-Z]+)@", lambda found: values.get(found[1], found[0]), shell)
        return self
