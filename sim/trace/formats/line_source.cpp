#include "sim/trace/formats/line_source.h"

#include <algorithm>
#include <cstring>
#include <span>

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

}  // namespace whorl::sim
