// The text of a source file, as lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::sim {

/// A list of lines, without their ends. Copies share their memory, so that a file to which a trace refers by several
/// names takes it once. Empty: the text is not available.
class SourceText {
  public:
    class Iterator;
    static constexpr std::size_t kBytesOfLine = sizeof(std::uint32_t);  ///< memory of a line besides its text

    SourceText() = default;
    /// Splits a text at its newlines; a carriage return before one is dropped.
    explicit SourceText(std::string_view text);

    /// Adds a line. Earlier copies do not get it.
    void add(std::string_view line);

    std::size_t size() const { return lines_ == nullptr ? 0 : lines_->ends.size(); }
    bool empty() const { return size() == 0; }
    /// A line, counted from 0; valid as long as this text or a copy of it, unless lines are added.
    std::string_view operator[](std::size_t line) const {
        const std::size_t begin = line == 0 ? 0 : lines_->ends[line - 1];
        return std::string_view(lines_->bytes).substr(begin, lines_->ends[line] - begin);
    }
    std::string_view back() const { return (*this)[size() - 1]; }
    Iterator begin() const;
    Iterator end() const;

    /// Equal for texts that share their memory; null for an empty text.
    const void* identity() const { return lines_.get(); }
    /// Whether the lines are equal.
    bool operator==(const SourceText& other) const;

  private:
    struct Lines {
        std::string bytes;
        std::vector<std::uint32_t> ends;  ///< end of each line in `bytes`
    };

    std::shared_ptr<Lines> lines_;
};

class SourceText::Iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string_view*;
    using reference = std::string_view;

    Iterator(const SourceText& text, std::size_t line) : text_(&text), line_(line) {}
    std::string_view operator*() const { return (*text_)[line_]; }
    Iterator& operator++() {
        ++line_;
        return *this;
    }
    Iterator operator++(int) { return {*text_, line_++}; }
    bool operator==(const Iterator&) const = default;

  private:
    const SourceText* text_;
    std::size_t line_;
};

inline SourceText::Iterator SourceText::begin() const {
    return {*this, 0};
}

inline SourceText::Iterator SourceText::end() const {
    return {*this, size()};
}

}  // namespace whorl::sim
