// A sheet of questions as text, with the answers on a page of their own.
#pragma once

#include <string>

#include "sim/report/quiz/quiz_words.h"

namespace whorl::sim {

std::string quizAsText(const QuizSheet& sheet);

}  // namespace whorl::sim
