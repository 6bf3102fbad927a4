// Grades a student's answer to a question, and says what was probably confused: each misconception is a way to compute
// a wrong answer, and the one that computes what the student answered is the likely one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/analysis/quiz/question.h"
#include "sim/base/types.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// What a question asks for.
enum class QuizPart : std::uint8_t { set, tag, outcome, victim };

/// A block that is evicted, or that none is.
struct Victim {
    std::optional<BlockAddress> block;
    bool operator==(const Victim&) const = default;
};

/// What was answered; parts that were not are left open.
struct QuizAnswer {
    std::optional<std::uint64_t> set;
    std::optional<std::uint64_t> tag;
    std::optional<bool> hit;
    std::optional<Victim> victim;
};

/// An error in reasoning. The words complete "that is …", and end without a full stop.
struct Misconception {
    std::string_view key;
    std::string_view words;
};

/// A misconception about a number, or about the victim, with what it leads to.
struct WrongNumber {
    Misconception of;
    std::uint64_t answer = 0;
};
struct WrongVictim {
    Misconception of;
    Victim answer;
};

/// What misconceptions lead to wrong answers about this question, the likeliest first, each answer once.
std::vector<WrongNumber> wrongSets(const Question& question, const MachineConfig& machine);
std::vector<WrongNumber> wrongTags(const Question& question);
std::vector<WrongVictim> wrongVictims(const Question& question);
/// Why one may take a hit for a miss, or the other way round, in this case.
std::optional<Misconception> wrongOutcome(const Question& question, const MachineConfig& machine);

struct GradedPart {
    QuizPart part{};
    bool right = false;
    std::optional<Misconception> likely;  ///< the error, where it is known
};

/// The right answer to all parts.
QuizAnswer rightAnswer(const Question& question);

/// The parts that were answered, in the order of QuizPart.
std::vector<GradedPart> graded(const Question& question, const MachineConfig& machine, const QuizAnswer& answer);

/// Everything that can be confused, by all parts.
std::vector<Misconception> allMisconceptions();

}  // namespace whorl::sim
