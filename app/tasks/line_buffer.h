// Bytes that come in pieces, taken apart into lines of a limited length. No input or output.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace whorl::app {

class LineBuffer {
  public:
    struct Line {
        std::string text;      ///< without its end: "\n" or "\r\n"
        bool tooLong = false;  ///< it had more than the limit; `text` is empty
    };

    /// A line may have `most` bytes.
    explicit LineBuffer(std::size_t most) : most_(most) {}

    /// How many bytes add() takes now: never more than one line's, and its end, are kept.
    std::size_t room() const { return most_ + 2 - waiting_.size(); }
    /// Adds bytes, room() at most. Those of a line that is too long are dropped.
    void add(std::string_view bytes);
    /// Nothing follows: what is left is a line.
    void end() { ended_ = true; }

    /// Whether take() returns one.
    bool has() const;
    /// The next line, if a whole one has come.
    std::optional<Line> take();

  private:
    std::size_t most_;
    std::string waiting_;
    bool dropping_ = false;  ///< up to the end of the line
    bool ended_ = false;
};

}  // namespace whorl::app
