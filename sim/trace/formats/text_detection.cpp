// Which format a text has, by its lines.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/trace/formats/foreign_content.h"
#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/trace_formats.h"

namespace whorl::sim {
namespace {

constexpr std::size_t kLinesSampled = 1000;

tl::unexpected<Error> baseIsOpen(const std::string& name, std::string_view line) {
    return fail(name, fmt::format("the address in \"{}\" may be hex or decimal, and no line tells which", shown(line)),
                "--format din takes all as hex, --format text as decimal unless 0x is before it");
}

/// Detects the format of a text by its beginning, or else by its first lines: most strong matches, then most matches.
/// Null if none match.
Expected<const KnownFormat*> detect(std::string_view text, const std::string& name) {
    const std::span<const KnownFormat> formats = knownFormats();
    for (const KnownFormat& format : formats) {
        if (format.readText != nullptr && format.begins(text)) return &format;
    }
    std::vector<std::pair<int, int>> likeness(formats.size());
    const std::string_view first = firstLine(text);
    std::string_view open;  // the first line that hasBaseOpen()
    bool isOwnText = false;
    for (std::size_t n = 0; n < kLinesSampled && !text.empty();) {
        const std::string_view line = firstLine(text);
        n += withoutBlanks(line).empty() ? 0 : 1;
        for (std::size_t f = 0; f < formats.size() && line.size() <= kMaxLine; ++f) {
            const int like = formats[f].like != nullptr ? formats[f].like(line) : 0;
            likeness[f].first += like > 1 ? 1 : 0;
            likeness[f].second += like;
        }
        const bool isOpen = hasBaseOpen(line);
        if (isOpen && open.empty()) open = line;
        isOwnText |= !isOpen && !withoutBlanks(line).starts_with('#') && likeText(line) > 0;
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    const auto best = std::max_element(likeness.begin(), likeness.end());
    if (best->second == 0) return nullptr;
    const KnownFormat& format = formats[static_cast<std::size_t>(best - likeness.begin())];
    if (format.format != TraceFormat::text || isOwnText) return &format;
    if (!open.empty()) return baseIsOpen(name, open);
    // Text after # is a comment, unless another tool writes its records that way.
    return inOwnText(first).empty() ? &format : nullptr;
}

}  // namespace

Expected<void> readText(const Reading& reading, const KnownFormat* format, std::unique_ptr<ByteSource> bytes) {
    LineSource lines(std::move(bytes));
    const auto block = WHORL_TRY(lines.next());
    if (block.empty()) return fail(reading.name, "the file is empty", "expected a trace");
    const std::string_view begun = withoutByteOrderMark(block);
    if (reading.columns != nullptr) {
        const auto reader = columnsReader(*reading.columns, reading.builder, reading.instructions);
        return readLines(reading, begun, lines, *reader, !reading.instructions);
    }
    const auto detected = WHORL_TRY(format != nullptr ? format : detect(begun, reading.name));
    format = detected;
    if (format == nullptr) {
        const auto lacks = lines.truncated(reading.progress);
        return tl::unexpected(lacks ? noTraceIn(begun, reading.name, *lacks) : lacks.error());
    }
    if (format->readText != nullptr) return format->readText(reading, begun, lines);
    if (format->lineReader == nullptr) {
        return fail(reading.name, fmt::format("this is not a .{} file", format->name),
                    "omit --format to detect the format");
    }
    const auto reader = format->lineReader(reading.builder, reading.instructions);
    return readLines(reading, begun, lines, *reader, format->hasInstructions && !reading.instructions);
}

}  // namespace whorl::sim
