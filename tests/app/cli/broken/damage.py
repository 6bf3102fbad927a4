"""Ways to break a file. Each takes a source of chance, the bytes, and the bytes of some other good file."""

import re

import packing

NUMBERS = [b"0", b"-1", b"1", b"255", b"65536", b"4294967295", b"4294967296", b"9223372036854775807",
           b"9223372036854775808", b"18446744073709551615", b"18446744073709551616", b"1" + 40 * b"0", b"1e308",
           b"1e999", b"-0.0", b"0x7fffffffffffffff", b"0xffffffffffffffff", b"nan", b"0.1", b"fffffffffffffff8"]
LONG = 300_000


def _range(chance, data, most=400):
    begin = chance.randrange(len(data) + 1)
    return begin, min(len(data), begin + chance.randint(1, most))


def truncate(chance, data, other):
    return data[: chance.randrange(len(data) + 1)]


def flip_bits(chance, data, other):
    out = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 8, 50])):
        if out:
            out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def splice(chance, data, other):
    begin, end = _range(chance, data)
    first, last = _range(chance, other)
    return data[:begin] + other[first:last] + data[end:]


def duplicate(chance, data, other):
    begin, end = _range(chance, data, 5000)
    return data[:end] + data[begin:end] * chance.choice([1, 1, 20]) + data[end:]


def remove(chance, data, other):
    begin, end = _range(chance, data)
    return data[:begin] + data[end:]


def swap(chance, data, other):
    a, b, c, d = sorted(chance.randrange(len(data) + 1) for _ in range(4))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def shuffle_lines(chance, data, other):
    lines = data.splitlines(keepends=True)
    for _ in range(chance.choice([1, 3, 30])):
        if lines:
            i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
    return b"".join(lines)


def change_number(chance, data, other):
    found = list(re.finditer(rb"[0-9a-fA-F.]+", data[:200_000]))
    for _ in range(chance.choice([1, 1, 3])):
        if found:
            number = chance.choice(found)
            data = data[: number.start()] + chance.choice(NUMBERS) + data[number.end() :]
            found = [m for m in found if m.end() <= number.start()]
    return data


def overwrite_number(chance, data, other):
    """A number of a binary file."""
    size = chance.choice([1, 2, 4, 8])
    value = chance.choice([0, 1, 0x7F, 1 << (8 * size - 1), (1 << (8 * size)) - 1, chance.getrandbits(8 * size)])
    at = chance.randrange(len(data) + 1)
    return data[:at] + value.to_bytes(size, "little") + data[at + size :]


def nest(chance, data, other):
    depth = chance.choice([50, 1000, 100_000])
    opening = chance.choice([b"[", b'{"a":', b'{"levels":[', b"("])
    at = chance.randrange(len(data) + 1)
    return data[:at] + opening * depth + (data[at:] if chance.random() < 0.5 else b"")


def lengthen_line(chance, data, other):
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice([b"7", b" ", b"x", b'"', b"\xc3", b"\x00", b"#"]) * LONG + data[at:]


def insert_odd_bytes(chance, data, other):
    at = chance.randrange(len(data) + 1)
    odd = chance.choice([b"\x00", b"\x00" * 4096, b"\r", b"\x1b[2J", b"\xff\xfe", b"\xe2\x80\xae", b"\x7f", b"\x85", b"\x0c",
                         b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\\", b'"', b"'", b"{}", b"%s%n"])
    return data[:at] + odd + data[at:]


def change_word(chance, data, other):
    """A word of the file in another place of it."""
    words = list(re.finditer(rb"[^\s,:\"]+", data[:100_000]))
    if len(words) < 2:
        return data
    one, two = chance.choice(words), chance.choice(words)
    return data[: one.start()] + two.group() + data[one.end() :]


def encode_otherwise(chance, data, other):
    text = data.decode("latin-1")
    how = chance.choice(["utf-16", "utf-16-be", "utf-32", "cr", "crlf", "bom"])
    if how == "cr":
        return data.replace(b"\n", b"\r")
    if how == "crlf":
        return data.replace(b"\n", b"\r\n")
    return b"\xef\xbb\xbf" + data if how == "bom" else text.encode(how)


def change_magic(chance, data, other):
    magic = chance.choice([b"\x89WHORL\r\n", b"\x89WHORL\n", b"\x1f\x8b\x08\x00", packing.ZSTD_MAGIC, b"BZh9", b"PK\x03\x04",
                           b"\xfd7zXZ\x00", b"\x7fELF", b"i 32\n", b"==1== Lackey", b"{", b"%PDF"])
    return magic + data[chance.choice([0, len(magic)]) :]


def empty(chance, data, other):
    return chance.choice([b"", b"\n", b" ", b"#\n", b"\x00"])


def replace(chance, data, other):
    return other


ANY = [truncate, flip_bits, splice, duplicate, remove, swap, change_magic, empty, replace, insert_odd_bytes, nest,
       lengthen_line, encode_otherwise]
TEXT = ANY + [change_number, change_word, shuffle_lines] * 4
BINARY = ANY + [overwrite_number, flip_bits, swap, splice, duplicate] * 3


def broken(chance, data, other, ways):
    """The file damaged in one to three ways."""
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        data = chance.choice(ways)(chance, data, other)
    return data


def broken_whorl(chance, data, other):
    """A .whorl file: damaged as it is, or with checksums that are right, or within a section."""
    how = chance.random()
    if how < 0.25:
        return broken(chance, data, other, BINARY)
    if how < 0.65:
        return packing.whorl_put_right(broken(chance, data, other, [overwrite_number, flip_bits, swap, splice, duplicate,
                                                                  remove]))
    change = lambda content: broken(chance, content, other, BINARY)
    return packing.whorl_with_section_changed(data, chance, change)


def packed(chance, data):
    """Compressed in some way, or not; the file may be damaged after that, too."""
    how = chance.choice(["", "", "", "gzip", "zstd", "stored", "halves", "twice"])
    if how == "gzip":
        data = packing.gzipped(data)
    elif how == "zstd":
        data = packing.zstd_compressed(data)
    elif how == "stored":
        data = packing.zstd_stored(data)
    elif how == "halves":
        data = packing.gzipped(data[: len(data) // 2]) + packing.zstd_stored(data[len(data) // 2 :])
    elif how == "twice":
        data = packing.gzipped(packing.zstd_compressed(data))
    if how and chance.random() < 0.3:
        data = packing.gzip_put_right(broken(chance, data, b"", [flip_bits, truncate, duplicate, remove]))
    return data
