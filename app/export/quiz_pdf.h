// A sheet of questions as PDF, to be printed: A4, with the answers on pages of their own.
#pragma once

#include <string>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/report/quiz/quiz_words.h"

namespace whorl::app {

/// The PDF of a sheet; the same sheet gives the same bytes. Progress counts questions and answers.
sim::Expected<std::string> quizAsPdf(const sim::QuizSheet& sheet, sim::Progress& progress);

}  // namespace whorl::app
