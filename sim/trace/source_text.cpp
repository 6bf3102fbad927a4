#include "sim/trace/source_text.h"

#include <algorithm>

namespace whorl::sim {

SourceText::SourceText(std::string_view text) {
    if (text.empty()) return;
    lines_ = std::make_shared<Lines>();
    lines_->bytes.reserve(text.size());
    lines_->ends.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        add(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void SourceText::add(std::string_view line) {
    if (lines_ == nullptr) {
        lines_ = std::make_shared<Lines>();
    } else if (lines_.use_count() > 1) {
        lines_ = std::make_shared<Lines>(*lines_);
    }
    lines_->bytes += line;
    lines_->ends.push_back(static_cast<std::uint32_t>(lines_->bytes.size()));
}

bool SourceText::operator==(const SourceText& other) const {
    return lines_ == other.lines_ || std::equal(begin(), end(), other.begin(), other.end());
}

}  // namespace whorl::sim
