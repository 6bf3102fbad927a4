#include "sim/trace/formats/foreign_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/text.h"
#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/trace_formats.h"

namespace whorl::sim {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kUnpack =
    "unpack it and give the trace in it, which may be compressed with gzip, zstd or xz";
constexpr std::string_view kDecompress = "decompress it first, or use gzip, zstd or xz";
constexpr std::string_view kRecord =
    "record its accesses with valgrind --tool=lackey --trace-mem=yes, and give the trace";
constexpr std::string_view kNoTrace = "give a trace in its place";

/// A kind of file, identified by bytes at an offset.
struct Signature {
    std::string_view bytes;
    std::string_view what;
    std::string_view hint;
    std::size_t at = 0;
};

constexpr std::array kSignatures{
    Signature{"BZh"sv, "this is compressed with bzip2", kDecompress},
    Signature{"\x04\x22\x4d\x18"sv, "this is compressed with lz4", kDecompress},
    Signature{"\x02\x21\x4c\x18"sv, "this is compressed with lz4", kDecompress},
    Signature{"LZIP"sv, "this is compressed with lzip", kDecompress},
    Signature{"\x5d\0\0"sv, "this is compressed with lzma", kDecompress},
    Signature{"\x1f\x9d"sv, "this is compressed with compress", kDecompress},
    Signature{"\x1f\x8b"sv, "this is compressed with gzip twice", "decompress it once"},
    Signature{"\x28\xb5\x2f\xfd"sv, "this is compressed with zstd twice", "decompress it once"},
    Signature{"\xfd\x37zXZ\0"sv, "this is compressed with xz twice", "decompress it once"},
    Signature{"PK\x03\x04"sv, "this is a ZIP archive", kUnpack},
    Signature{"PK\x05\x06"sv, "this is an empty ZIP archive", kUnpack},
    Signature{"7z\xbc\xaf\x27\x1c"sv, "this is a 7z archive", kUnpack},
    Signature{"Rar!\x1a\x07"sv, "this is a RAR archive", kUnpack},
    Signature{"ustar"sv, "this is a tar archive", kUnpack, 257},
    Signature{"070701"sv, "this is a cpio archive", kUnpack},
    Signature{"!<arch>\n"sv, "this is an archive of ar", kUnpack},
    Signature{"\x7f"
              "ELF"sv,
              "this is a program, a library or a core dump (ELF), not a trace", kRecord},
    Signature{"MZ\x90"sv, "this is a program (PE), not a trace", kRecord},
    Signature{"\xcf\xfa\xed\xfe"sv, "this is a program (Mach-O), not a trace", kRecord},
    Signature{"PERFILE2"sv, "this is a recording of perf, which has samples, not all accesses",
              "record the program with valgrind --tool=lackey --trace-mem=yes"},
    Signature{"SQLite format 3"sv, "this is an SQLite database", kNoTrace},
    Signature{"\x89PNG\r\n"sv, "this is a picture (PNG)", kNoTrace},
    Signature{"\xff\xd8\xff"sv, "this is a picture (JPEG)", kNoTrace},
    Signature{"GIF8"sv, "this is a picture (GIF)", kNoTrace},
    Signature{"%PDF-"sv, "this is a document (PDF)", kNoTrace},
    Signature{"version https://git-lfs"sv, "this is a pointer to a file that Git LFS keeps",
              "fetch it with git lfs pull"},
    Signature{"\x89WHORL"sv, "this was a .whorl file, but its line ends have been changed", "copy it again, as binary"},
};

// An encoding of text. The table lists encodings of four bytes first, because a mark of two bytes may be a prefix of
// theirs.
struct Encoding {
    std::string_view mark;  ///< the byte order mark
    std::string_view name;
    std::size_t bytes;       ///< bytes of a character
    std::size_t low;         ///< index of the byte that is not 0 for ASCII characters
    std::string_view exact;  ///< the name that iconv needs if there is no byte order mark
};
constexpr std::array kEncodings{
    Encoding{"\xff\xfe\0\0"sv, "UTF-32", 4, 0, "UTF-32LE"},
    Encoding{"\0\0\xfe\xff"sv, "UTF-32", 4, 3, "UTF-32BE"},
    Encoding{"\xff\xfe"sv, "UTF-16", 2, 0, "UTF-16LE"},
    Encoding{"\xfe\xff"sv, "UTF-16", 2, 1, "UTF-16BE"},
};

/// Whether a text without a byte order mark has an ASCII character in each character's low byte, and zeros elsewhere.
bool isAsciiIn(const Encoding& encoding, std::string_view text) {
    constexpr std::size_t kFewest = 8;
    text = text.substr(0, text.size() / encoding.bytes * encoding.bytes);
    if (text.size() < kFewest) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const bool expected = i % encoding.bytes == encoding.low ? c >= 9 && c < 0x7f : c == 0;
        if (!expected) return false;
    }
    return true;
}

std::optional<Error> otherEncoding(std::string_view begin, const std::string& name) {
    for (const Encoding& encoding : kEncodings) {
        const bool marked = begin.starts_with(encoding.mark);
        if (!marked && !isAsciiIn(encoding, begin)) continue;
        return Error{
            .where = name,
            .what = fmt::format("this text is in {}, not in UTF-8", encoding.name),
            .hint = fmt::format("convert it with iconv -f {} -t UTF-8", marked ? encoding.name : encoding.exact),
            .cancelled = false};
    }
    return std::nullopt;
}

std::string inLowerCase(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

/// Whether the bytes are text in UTF-8, Latin-1 or a similar encoding: few control characters, and no zeros.
bool isText(std::string_view begin) {
    constexpr std::size_t kMaxControls = 20;  ///< at most one byte in this number is a control character
    const auto controls = std::count_if(begin.begin(), begin.end(), [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && "\t\n\v\f\r\b\x1b"sv.find(c) == std::string_view::npos) ||
               c == 0x7f;
    });
    return begin.find('\0') == std::string_view::npos &&
           static_cast<std::size_t>(controls) * kMaxControls <= begin.size();
}

/// 'R' or 'W' for a word that means a read or a write; 0 for others.
char accessLetter(std::string_view word) {
    constexpr std::array kReads = {"r"sv, "read"sv, "ld"sv, "l"sv, "load"sv};
    constexpr std::array kWrites = {"w"sv, "write"sv, "st"sv, "s"sv, "store"sv};
    const std::string lower = inLowerCase(word);
    if (std::find(kReads.begin(), kReads.end(), lower) != kReads.end()) return 'R';
    return std::find(kWrites.begin(), kWrites.end(), lower) != kWrites.end() ? 'W' : '\0';
}

/// The kind of a text that is no trace ("JSON"); empty if it is unknown.
std::string_view textKind(std::string_view begin) {
    begin = trimmed(begin);
    const std::string_view inside = begin.empty() ? begin : trimmed(begin.substr(1));
    if (begin.starts_with('{') && (inside.starts_with('"') || inside.starts_with('}'))) return "JSON";
    if (begin.starts_with('[') && !inside.empty() && "{[\"]-0123456789"sv.find(inside[0]) != std::string_view::npos) {
        return "JSON";
    }
    const std::string opening = inLowerCase(begin.substr(0, 16));
    if (opening.starts_with("<!doctype html") || opening.starts_with("<html")) return "HTML";
    if (opening.starts_with("<?xml")) return "XML";
    return {};
}

}  // namespace

std::optional<Error> foreignContent(std::string_view begin, const std::string& name) {
    if (auto encoding = otherEncoding(begin.substr(0, kForeignSample), name)) return encoding;
    if (likeWhorl(begin)) return std::nullopt;
    for (const Signature& s : kSignatures) {
        if (begin.size() < s.at || !begin.substr(s.at).starts_with(s.bytes)) continue;
        return Error{.where = name, .what = std::string(s.what), .hint = std::string(s.hint), .cancelled = false};
    }
    return std::nullopt;
}

std::string inOwnText(std::string_view line) {
    constexpr std::string_view kBetween = " \t,;:#";
    char letter = 'R';
    std::string_view address;
    for (std::size_t at = 0; (at = line.find_first_not_of(kBetween, at)) != std::string_view::npos;) {
        const std::string_view word = line.substr(at, line.find_first_of(kBetween, at) - at);
        at += word.size();
        if (const char known = accessLetter(word); known != '\0') {
            letter = known;
        } else if (!hexNumber(word)) {
            return {};
        } else if (word.size() > address.size() && word.find_first_of("0123456789") != std::string_view::npos) {
            address = word;  // the longest number is unlikely to be the size
        }
    }
    if (address.empty()) return {};
    return fmt::format("{} {}{}", letter, prefixedHexNumber(address) ? "" : "0x", address);
}

Error noTraceIn(std::string_view begin, const std::string& name, std::uint64_t lacks) {
    const auto error = [&](std::string what, std::string hint) {
        return Error{.where = name, .what = std::move(what), .hint = std::move(hint), .cancelled = false};
    };
    const std::string formats = joinNames(formatNames(), "or");
    if (!isText(begin.substr(0, kForeignSample))) {
        return error(
            fmt::format("this is neither text nor a .whorl file: it begins with \"{}\"", shown(begin.substr(0, 16))),
            fmt::format("expected a trace in {}, as it is or compressed with gzip, zstd or xz", formats));
    }
    const std::string_view kind = textKind(begin);
    if (kind == "JSON")
        return error("this is JSON, not a trace",
                     "if it is a machine, give it with --machine, and a trace in its place");
    if (!kind.empty())
        return error(fmt::format("this is {}, not a trace", kind),
                     "if it was downloaded, see whether the server sent another page");
    const std::string_view first = firstLine(begin);
    if (isTooLong(first)) return lineError(name, 1, first, first.size() + lacks, {});
    if (const std::string own = inOwnText(first); !own.empty()) {
        return error(
            fmt::format("\"{}\" is in no form that Whorl knows ({})", shown(first), formats),
            fmt::format("write R or W, then 0x and the address in hex: {}; or say what its columns are, as with "
                        "--columns op,addr,size",
                        own));
    }
    return error(fmt::format("no line of it looks like a trace in {}", formats),
                 "use --format to force one of them, or say what its columns are, as with --columns op,addr,size");
}

}  // namespace whorl::sim
