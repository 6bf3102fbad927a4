// Chooses accesses of a run that make good questions. The same choice gives the same questions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/analysis/quiz/question.h"
#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/replay/run.h"

namespace whorl::sim {

struct QuizChoice {
    std::size_t level = 0;
    Range range;               ///< must be built
    std::uint64_t count = 10;  ///< the most questions
    std::uint64_t every = 0;   ///< n: every n-th access that can be asked about; 0: a mix of hits and misses
    std::uint64_t seed = 1;
};

/// The questions, in the order of their accesses. Without `every`, hits and misses in equal parts as far as possible,
/// the kinds of misses in equal parts too, and no set more often than needed. Empty when cancelled.
std::optional<std::vector<Question>> chosenQuestions(const Run& run, const QuizChoice& choice, Progress& progress);

/// Up to `count` successive accesses to one set of a cache, with nothing else that changes the set in between, so that
/// each content follows from the one before. Chosen among all sets and times for many hits, misses and evictions. An
/// empty list if there are none; no value when cancelled.
std::optional<std::vector<Question>> chosenSequence(const Run& run, const QuizChoice& choice, Progress& progress);

/// The question about the next access from `from` on that can be asked about, and that is telling if `telling` is set;
/// none if there is none among the next 65536 accesses, which can be played while a person waits.
std::optional<Question> nextQuestion(const Run& run, std::size_t level, Tick from, bool telling);

/// Whether an access is worth a question by itself: it misses, but not for the first time, or it evicts a block of the
/// set in question. For a person who looks for the next one.
bool isTelling(const Question& question);

}  // namespace whorl::sim
