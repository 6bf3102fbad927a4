// Splits the text of a pattern into tokens: names, numbers and signs, without blanks and comments.
#pragma once

#include <cstdint>
#include <string_view>

namespace whorl::sim {

struct PatternToken {
    enum class Kind : std::uint8_t { name, number, sign, end };
    Kind kind = Kind::end;
    std::uint32_t at = 0;  ///< offset in the text
    std::uint32_t line = 1;
    std::string_view text = {};
    std::int64_t number = 0;

    bool is(std::string_view word) const { return kind != Kind::end && text == word; }
};

class PatternLexer {
  public:
    explicit PatternLexer(std::string_view text) : text_(text) {}

    /// The next token. After the last one, every call returns an end token. Throws a PatternFault for invalid text.
    PatternToken next();

  private:
    void skipBlanks();
    PatternToken number(PatternToken token) const;

    std::string_view text_;
    std::uint32_t at_ = 0;
    std::uint32_t line_ = 1;
};

}  // namespace whorl::sim
