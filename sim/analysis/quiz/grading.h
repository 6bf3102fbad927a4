// Grades a student's answer to a question, and names the probable misconception: each misconception is a way to compute
// a wrong answer, and the one that computes the student's answer is the likely one.
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

/// The evicted block; empty if none is evicted.
struct Victim {
    std::optional<BlockAddress> block;
    bool operator==(const Victim&) const = default;
};

/// A student's answer; parts that were not answered are empty.
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

/// A misconception about a number, or about the victim, and the answer that it leads to.
struct WrongNumber {
    Misconception of;
    std::uint64_t answer = 0;
};
struct WrongVictim {
    Misconception of;
    Victim answer;
};

/// The wrong answers to this question that misconceptions lead to, the likeliest first, each answer once.
std::vector<WrongNumber> wrongSets(const Question& question, const MachineConfig& machine);
std::vector<WrongNumber> wrongTags(const Question& question);
std::vector<WrongVictim> wrongVictims(const Question& question);
/// Why a student may take a hit for a miss, or the reverse, in this case.
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

/// The misconceptions about all parts.
std::vector<Misconception> allMisconceptions();

}  // namespace whorl::sim
