// Which accesses of a run make good questions. The same choice gives the same ones.
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
    std::uint64_t count = 10;  ///< at most so many
    std::uint64_t every = 0;   ///< every so many of the accesses that can be asked; 0: telling ones
    std::uint64_t seed = 1;
};

/// The questions, in the order of their accesses. Without `every`, hits and misses in equal parts as far as there are,
/// the kinds of misses likewise, and no set more often than needed. Nothing when cancelled.
std::optional<std::vector<Question>> chosenQuestions(const Run& run, const QuizChoice& choice, Progress& progress);

/// Up to `count` accesses, one after the other, that one set of a cache gets, with nothing else that changes it in
/// between: so each content follows from the one before. Of all sets and times one where both hits and misses, and
/// evictions, are many. Empty if there are none; nothing when cancelled.
std::optional<std::vector<Question>> chosenSequence(const Run& run, const QuizChoice& choice, Progress& progress);

/// The question about the next access that can be asked, or of those that are telling, from `from` on; none if there is
/// none among the next 65536, which can be played while a person waits.
std::optional<Question> nextQuestion(const Run& run, std::size_t level, Tick from, bool telling);

/// What makes an access worth a question by itself: it misses, but not for the first time, or it evicts a block of the
/// set that it is about. For those who look for the next one.
bool isTelling(const Question& question);

}  // namespace whorl::sim
