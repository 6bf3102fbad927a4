#include "app/session/predict.h"

#include <algorithm>

namespace whorl::app {

std::optional<sim::QuizPart> nextPart(const Prediction& prediction) {
    if (prediction.question == nullptr || prediction.revealed || prediction.isAnswered()) return std::nullopt;
    if (!prediction.answer.set) return sim::QuizPart::set;
    return prediction.answer.hit ? sim::QuizPart::victim : sim::QuizPart::outcome;
}

std::optional<sim::QuizAnswer> withChoice(const Prediction& prediction, std::size_t choice,
                                          const sim::MachineConfig& machine) {
    const auto part = nextPart(prediction);
    if (!part) return std::nullopt;
    const sim::Question& question = *prediction.question;
    sim::QuizAnswer answer = prediction.answer;
    if (part == sim::QuizPart::set) {
        const std::vector<std::uint64_t> sets = setsToChoose(question, machine);
        if (choice >= sets.size()) return std::nullopt;
        answer.set = sets[choice];
    } else if (part == sim::QuizPart::outcome) {
        if (choice > 1) return std::nullopt;
        answer.hit = choice == 0;
    } else {
        if (choice > question.before.size()) return std::nullopt;
        const bool isNone = choice == question.before.size();
        answer.victim = isNone ? sim::Victim{} : sim::Victim{question.before[choice].block};
    }
    return answer;
}

std::vector<std::uint64_t> setsToChoose(const sim::Question& question, const sim::MachineConfig& machine) {
    constexpr std::size_t kMax = 6;
    constexpr std::uint64_t kEnough = 4;
    const std::uint64_t sets = question.fields.sets;
    std::vector<std::uint64_t> out{question.fields.set};
    for (const sim::WrongNumber& wrong : sim::wrongSets(question, machine)) {
        if (wrong.answer < sets && out.size() < kMax) out.push_back(wrong.answer);
    }
    // Fill up with other sets if misconceptions lead to only a few.
    for (std::uint64_t i = 2; out.size() < std::min(kEnough, sets); ++i) {
        const std::uint64_t other = (question.fields.set + i) % sets;
        if (std::find(out.begin(), out.end(), other) == out.end()) out.push_back(other);
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace whorl::app
