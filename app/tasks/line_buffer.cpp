#include "app/tasks/line_buffer.h"

#include <algorithm>
#include <utility>

namespace whorl::app {

void LineBuffer::add(std::string_view bytes) {
    waiting_ += bytes;
    const std::size_t end = waiting_.find('\n');
    if (end != std::string::npos) return;
    const bool isTooLong = waiting_.size() > most_ + 1 || (waiting_.size() == most_ + 1 && waiting_.back() != '\r');
    dropping_ |= isTooLong;
    if (dropping_) waiting_.clear();
}

bool LineBuffer::has() const {
    return waiting_.find('\n') != std::string::npos || (ended_ && (!waiting_.empty() || dropping_));
}

std::optional<LineBuffer::Line> LineBuffer::take() {
    if (!has()) return std::nullopt;
    const std::size_t end = std::min(waiting_.find('\n'), waiting_.size());
    std::string text = waiting_.substr(0, end);
    waiting_.erase(0, end + 1);
    if (!text.empty() && text.back() == '\r') text.pop_back();
    const bool tooLong = std::exchange(dropping_, false) || text.size() > most_;
    if (tooLong) text.clear();
    return Line{.text = std::move(text), .tooLong = tooLong};
}

}  // namespace whorl::app
