// Reads questions in Moodle's GIFT format, as https://docs.moodle.org/en/GIFT_format describes it: for tests of what is
// written in it.
#pragma once

#include <string>
#include <vector>

namespace whorl::sim::test {

struct GiftAnswer {
    bool right = false;  ///< in full
    std::string text;    ///< of a number: without its tolerance
    std::string tolerance;
    std::string feedback;
};

struct GiftQuestion {
    enum class Kind { numerical, multipleChoice, shortAnswer };
    Kind kind = Kind::multipleChoice;
    std::vector<std::string> category;  ///< from the outermost
    std::string name;
    std::string format;  ///< "plain"
    std::string text;
    std::vector<GiftAnswer> answers;
    std::string feedback;  ///< to all
};

/// All questions of a file. Throws std::runtime_error where it is not as described.
std::vector<GiftQuestion> readGift(const std::string& text);

}  // namespace whorl::sim::test
