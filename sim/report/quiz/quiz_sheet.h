// Sheets of questions: as text, with the answers on a page of their own, and for Moodle, in its GIFT format:
// https://docs.moodle.org/en/GIFT_format.
#pragma once

#include <string>
#include <string_view>

#include "sim/report/quiz/quiz_words.h"

namespace whorl::sim {

std::string quizAsText(const QuizSheet& sheet);

/// Four questions for each access: its set and its tag (numerical), hit or miss, and the evicted block (multiple
/// choice; as a short answer if there are many ways). Wrong answers that follow from a misconception have its words as
/// feedback.
std::string quizAsGift(const QuizSheet& sheet);

/// The text with the signs escaped that have a meaning in GIFT.
std::string giftText(std::string_view text);

}  // namespace whorl::sim
