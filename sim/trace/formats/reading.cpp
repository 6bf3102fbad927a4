#include "sim/trace/formats/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace whorl::sim {

LineSource::LineSource(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)), buffer_(kBlock + 1) {}

Expected<std::string_view> LineSource::next() {
    dropped_ = 0;
    while (true) {
        WHORL_TRY(fill());
        if (inLongLine_) {
            dropLongLine();
            continue;
        }
        if (const std::size_t last = rest().rfind('\n'); last != std::string_view::npos) return give(last + 1);
        if (rest().size() > kMaxLine) truncateLine();
        if (rest().empty()) return rest();
        buffer_[end_++] = '\n';  // the buffer has one spare byte
        return give(rest().size());
    }
}

/// Reads until the buffer is full or the source ends.
Expected<void> LineSource::fill() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    while (!ended_ && end_ < kBlock) {
        const auto n = WHORL_TRY(bytes_->read(std::span(buffer_).subspan(end_, kBlock - end_)));
        if (n == 0) ended_ = true;
        end_ += n;
    }
    return {};
}

/// Keeps enough of the line that it is too long even without a "\r" at its end.
void LineSource::truncateLine() {
    const std::size_t had = rest().size();
    end_ = begin_ + std::min(had, kMaxLine + 2);
    dropped_ = had - rest().size();
    inLongLine_ = !ended_;
}

Expected<std::uint64_t> LineSource::truncated(const Progress& progress) {
    // The block is only the beginning of the line, and lies before begin_.
    while (inLongLine_) {
        if (progress.cancelled()) return tl::unexpected(Error::byUser());
        const std::size_t n = WHORL_TRY(bytes_->read(std::span(buffer_).subspan(begin_, kBlock - begin_)));
        const std::string_view more(buffer_.data() + begin_, n);
        const std::size_t newline = more.find('\n');
        ended_ = n == 0;
        inLongLine_ = newline == std::string_view::npos && !ended_;
        dropped_ += std::min(newline, n);
        if (newline == std::string_view::npos) continue;
        end_ = begin_ + n;
        begin_ += newline + 1;
    }
    return dropped_;
}

void LineSource::dropLongLine() {
    const std::size_t newline = rest().find('\n');
    inLongLine_ = newline == std::string_view::npos && !ended_;
    begin_ += newline == std::string_view::npos ? rest().size() : newline + 1;
}

std::string_view LineSource::give(std::size_t size) {
    const std::string_view block = rest().substr(0, size);
    begin_ += size;
    return block;
}

bool LineReader::refuseAddress(std::string_view word, std::string form, bool noise) {
    if (word.empty()) return refuse("no address", std::move(form), noise);
    const std::string_view why = !likeAddress(word)      ? ""
                                 : word.starts_with('-') ? ": it is negative"
                                 : hexNumber(word)       ? ": 0x is missing before its hex digits"
                                                         : ": it has more than 64 bits";
    return refuse(fmt::format("\"{}\" is not an address{}", shown(word), why), std::move(form), noise);
}

bool LineReader::possible(std::uint64_t address, std::uint64_t size) {
    if (size == 0) return refuse("an access of 0 bytes");
    if (size > kMaxAccessSize) {
        return refuse(fmt::format("an access of {} bytes", size),
                      fmt::format("at most {} are possible", kMaxAccessSize));
    }
    return withinMemory(address, size) || refuse("an access past the end of the address space");
}

bool isTooLong(std::string_view line) {
    return line.size() > kMaxLine;
}

Error lineError(const std::string& name, std::uint64_t number, std::string_view line, std::uint64_t length,
                const Malformed& why) {
    const std::string what = isTooLong(line) ? fmt::format("a line of {} bytes", length) : why.what;
    std::string hint = isTooLong(line) ? fmt::format("a line has at most {}", kMaxLine) : why.hint;
    if (why.noise) hint += fmt::format("{}--lenient skips such lines", hint.empty() ? "" : "; ");
    return {.where = fmt::format("{}:{}", name, number),
            .what = fmt::format("{}: \"{}\"", what, shown(line)),
            .hint = std::move(hint)};
}

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
    for (std::string_view block = begun; !block.empty(); block = WHORL_TRY(lines.next())) {
        WHORL_TRY(takeBlock(reading, block, reader, lengthOf));
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
