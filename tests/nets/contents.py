"""What is in a file, as text: what is compressed is decoded, as another version of a library may compress otherwise."""

import ctypes
import gzip
import hashlib
import re
import struct
import zlib


def digest(data):
    return f"{len(data)} bytes, {hashlib.sha256(data).hexdigest()[:16]}"


def of_bytes(data):
    """Text as it is; of anything else a checksum."""
    if data.startswith((b"%PDF", b"\x89PNG")):
        return of_pdf(data) if data.startswith(b"%") else of_png(data)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return digest(data) + "\n"
    return of_svg(text) if text.startswith("<?xml") and "<svg" in text[:99] else text


def of_svg(text):
    """Without where the corners of the interface's lines lie: Dear ImGui finds them by the processor's approximate
    reciprocal square root, which differs in the fourth digit between manufacturers."""
    scenes, interface, rest = text.partition('<g font-family="')
    return scenes + interface + re.sub(r' d="[^"]*"', lambda path: f' d="{path[0].count(" ")} words"', rest)


def of_pdf(data):
    """Its drawing, images and letters. What stands outside of these names the version of cairo, and the day."""
    streams = [zlib.decompressobj().decompress(data[found.end():]) for found in re.finditer(rb"\nstream\r?\n(?=x)", data)]
    pages = len(re.findall(rb"/Type /Page\b", data))
    # An image depends on the driver of OpenGL: the golden pictures are about that.
    drawing = [re.sub(rb"-?[.\d]+", b"", stream)  # numbers are those of the SVG
               for stream in streams if re.match(rb"[\x20-\x7e\n]*\Z", stream[:200])]
    return f"{pages} pages, {len(streams)} streams\n" + "".join(digest(stream) + "\n" for stream in drawing)


def of_png(data):
    """Its size alone: pixels depend on the driver of OpenGL, and the golden pictures are about them."""
    return "{} x {} pixels\n".format(*struct.unpack(">II", data[16:24]))


def of_whorl(data):
    """What each of its compressed parts holds."""
    zstd = ctypes.CDLL("libzstd.so.1")  # the program needs it, so it is there
    zstd.ZSTD_findFrameCompressedSize.restype = zstd.ZSTD_decompress.restype = ctypes.c_size_t
    zstd.ZSTD_findFrameCompressedSize.argtypes = ctypes.c_char_p, ctypes.c_size_t
    zstd.ZSTD_decompress.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t
    text = ""
    at = data.find(b"\x28\xb5\x2f\xfd")
    while at >= 0:
        size = zstd.ZSTD_findFrameCompressedSize(data[at:], len(data) - at)
        if zstd.ZSTD_isError(ctypes.c_size_t(size)):
            size = 4  # the four bytes were something else
        else:
            buffer = ctypes.create_string_buffer(1 << 24)
            text += digest(buffer.raw[:zstd.ZSTD_decompress(buffer, 1 << 24, data[at:at + size], size)]) + "\n"
        at = data.find(b"\x28\xb5\x2f\xfd", at + size)
    return text


def of_file(path):
    data = path.read_bytes()
    if path.suffix == ".gz":
        return of_bytes(gzip.decompress(data))
    if path.suffix in (".whorl", ".zst"):
        return of_whorl(data)
    if path.suffix in (".mp4", ".webm", ".gif"):
        return "a film\n"  # its bytes are those of an encoder
    return of_bytes(data)
