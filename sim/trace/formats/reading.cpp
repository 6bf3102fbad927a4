#include "sim/trace/formats/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace whorl::sim {
namespace {

Error nothingIn(const std::string& name, const TraceBuilder& builder, bool fetchesLeftOut) {
    std::string hint;
    if (builder.skippedLines() > 0) {
        hint = fmt::format("{} lines were malformed and skipped", builder.skippedLines());
    } else if (builder.accessesOff() > 0) {
        hint = fmt::format("{} accesses come after \"off\" and before \"on\"", builder.accessesOff());
    } else if (fetchesLeftOut) {
        hint = "instruction fetches are skipped; --instructions counts them as reads";
    }
    return {.where = name, .what = "there are no accesses in it", .hint = std::move(hint)};
}

void skip(LineReader& reader, TraceBuilder& builder, std::string_view line, std::uint64_t length) {
    constexpr std::size_t kMaxNamed = 8;
    if (isTooLong(line) && builder.losses().size() < kMaxNamed) {
        builder.lost(fmt::format("line {} is left out: it has {} bytes, and a line at most {}", reader.lines() + 1,
                                 length, kMaxLine));
    }
    builder.lineSkipped();
    reader.skipLine();
}

}  // namespace

Expected<void> takeBlock(const Reading& reading, std::string_view block, LineReader& reader,
                         const LineLength& lengthOf) {
    if (reading.progress.cancelled()) return tl::unexpected(Error::byUser());
    while (true) {
        block.remove_prefix(reader.read(block));
        if (block.empty()) break;
        const std::string_view line = firstLine(block);
        const auto length = WHORL_TRY(isTooLong(line) ? lengthOf(line) : line.size());
        if (!reading.lenient) {
            return tl::unexpected(lineError(reading.name, reader.lines() + 1, line, length, reader.malformed()));
        }
        skip(reader, reading.builder, line, length);
        block.remove_prefix(block.find('\n') + 1);
    }
    reading.progress.setAccesses(reading.builder.size());
    return checkMemory(reading);
}

Expected<void> readLines(const Reading& reading, std::string_view begun, LineSource& lines, LineReader& reader,
                         bool fetchesLeftOut) {
    const auto lengthOf = [&](std::string_view line) {
        return lines.truncated(reading.progress).map([&](std::uint64_t lacks) { return line.size() + lacks; });
    };
    for (Expected<std::string_view> block = begun; !block->empty();) {
        if (auto taken = takeBlock(reading, *block, reader, lengthOf); !taken) return taken;
        block = lines.next();
        if (!block) return tl::unexpected(block.error());
    }
    reader.finish();
    return finish(reading, fetchesLeftOut);
}

Expected<void> finish(const Reading& reading, bool fetchesLeftOut) {
    if (reading.builder.size() == 0) return tl::unexpected(nothingIn(reading.name, reading.builder, fetchesLeftOut));
    reading.builder.flush();
    return checkMemory(reading);
}

Expected<void> checkMemory(const Reading& reading) {
    if (!reading.builder.isBeyondMemory()) return {};
    reading.budget.take(reading.builder.bytes());
    return tl::unexpected(reading.budget.error(reading.name));
}

Expected<void> readUpTo(std::size_t most, std::string& bytes, ByteSource& source, const Progress& progress) {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    while (bytes.size() < most) {
        if (progress.cancelled()) return tl::unexpected(Error::byUser());
        const std::size_t had = bytes.size();
        bytes.resize(std::min(most, had + kStep));
        const auto n = source.read(std::span(bytes).subspan(had));
        bytes.resize(had + n.value_or(0));
        if (!n) return tl::unexpected(n.error());
        if (*n == 0) break;
    }
    return {};
}

}  // namespace whorl::sim
