// Predicting accesses: the playhead stands before an access, and the user predicts its outcome. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/analysis/quiz/grading.h"
#include "sim/analysis/quiz/question.h"
#include "sim/base/types.h"

namespace whorl::app {

/// Which accesses are asked about: each, those that are telling, or all that one set gets.
enum class PredictKind : std::uint8_t { next, telling, sequence };

struct Prediction {
    PredictKind kind = PredictKind::next;
    std::size_t level = 0;
    /// The question about the next access, or about the access just revealed; null: no accesses are left to ask about.
    std::shared_ptr<const sim::Question> question;
    sim::QuizAnswer answer;           ///< the parts answered so far
    bool revealed = false;            ///< the access has been played
    std::vector<sim::Tick> sequence;  ///< the accesses of a sequence that are still to come
    std::uint64_t parts = 0;          ///< answered parts of all questions so far
    std::uint64_t right = 0;          ///< correctly answered parts

    /// Whether every part has been answered.
    bool isAnswered() const {
        return question != nullptr && answer.set && answer.hit && (answer.victim || !question->asksForVictim());
    }
};

/// The part that is answered next: the set, the outcome, then the victim; none once all are.
std::optional<sim::QuizPart> nextPart(const Prediction& prediction);

/// The choice with that number from 0, as it is shown, for the part that is answered next; null without one.
std::optional<sim::QuizAnswer> withChoice(const Prediction& prediction, std::size_t choice,
                                          const sim::MachineConfig& machine);

/// Some sets to choose from: the right one and those that misconceptions lead to, ascending.
std::vector<std::uint64_t> setsToChoose(const sim::Question& question, const sim::MachineConfig& machine);

}  // namespace whorl::app
