"""Compressed files and .whorl files: packing, and checksums that are right again after the damage."""

import ctypes
import ctypes.util
import gzip
import struct
import zlib

_zstd = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
for _name in ("ZSTD_compressBound", "ZSTD_compress", "ZSTD_decompress", "ZSTD_isError"):
    getattr(_zstd, _name).restype = ctypes.c_size_t
_zstd.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
_zstd.ZSTD_compress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
_zstd.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
_zstd.ZSTD_isError.argtypes = [ctypes.c_size_t]

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
BLOCK_SYNC = b"WRL["
# BlockHead of sim/trace/formats/whorl_format.h: sync, kind, first, accesses, bytes, checksum, headCheck.
BLOCK_HEAD = struct.Struct("<4sIQIIII")
FIRST_SECTION, LAST_SECTION = 3, 11


def gzipped(data):
    return gzip.compress(data, 6, mtime=0)


def zstd_compressed(data):
    room = _zstd.ZSTD_compressBound(len(data))
    packed = ctypes.create_string_buffer(room)
    size = _zstd.ZSTD_compress(packed, room, data, len(data), 3)
    assert not _zstd.ZSTD_isError(size)
    return packed.raw[:size]


def zstd_stored(data):
    """A frame whose blocks are not compressed: damage in it reaches the reader."""
    frame = bytearray(ZSTD_MAGIC + b"\x00\x38")  # no content size; a window of 128 KiB
    pieces = [data[i : i + 0x1FFFF] for i in range(0, len(data), 0x1FFFF)] or [b""]
    for i, piece in enumerate(pieces):
        last = i + 1 == len(pieces)
        frame += struct.pack("<I", len(piece) << 3 | last)[:3] + piece
    return bytes(frame)


def zstd_unpacked(packed, room=1 << 22):
    """The content, or None."""
    into = ctypes.create_string_buffer(room)
    size = _zstd.ZSTD_decompress(into, room, packed, len(packed))
    return None if _zstd.ZSTD_isError(size) else into.raw[:size]


def gzip_put_right(packed):
    """The file with the checksum and the length of what its damaged data unpacks to, if it is a plain gzip file."""
    if len(packed) < 18 or packed[:3] != b"\x1f\x8b\x08" or packed[3] != 0:
        return packed
    unpacker = zlib.decompressobj(-15)
    try:
        data = unpacker.decompress(packed[10:-8], 1 << 24)
    except zlib.error:
        return packed
    return packed[:-8] + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)


def whorl_blocks(data):
    """Offset and head of each block that can be found."""
    at = data.find(BLOCK_SYNC)
    while at >= 0 and at + BLOCK_HEAD.size <= len(data):
        yield at, BLOCK_HEAD.unpack_from(data, at)
        at = data.find(BLOCK_SYNC, at + 1)


def whorl_head(kind, first, accesses, content):
    head = BLOCK_HEAD.pack(BLOCK_SYNC, kind, first, accesses, len(content), zlib.crc32(content), 0)
    return head[:-4] + struct.pack("<I", zlib.crc32(head[:-4]))


def whorl_put_right(data):
    """The file with checksums that fit its damaged blocks."""
    out = bytearray(data)
    for at, (_, kind, first, accesses, size, _, _) in whorl_blocks(data):
        content = bytes(out[at + BLOCK_HEAD.size :][:size])
        head = whorl_head(kind, first, accesses, content)
        out[at : at + len(head)] = head
    return bytes(out)


def whorl_with_section_changed(data, chance, change):
    """The file with the content of a section changed before it was compressed."""
    sections = [b for b in whorl_blocks(data) if FIRST_SECTION <= b[1][1] <= LAST_SECTION]
    if not sections:
        return data
    at, (_, kind, first, accesses, size, _, _) = chance.choice(sections)
    begin = at + BLOCK_HEAD.size
    content = zstd_unpacked(data[begin : begin + size])
    if content is None:
        return data
    packed = zstd_compressed(change(content))
    return data[:at] + whorl_head(kind, first, accesses, packed) + packed + data[begin + size :]
