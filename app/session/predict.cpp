#include "app/session/predict.h"

#include <algorithm>

namespace whorl::app {

std::vector<std::uint64_t> setsToChoose(const sim::Question& question, const sim::MachineConfig& machine) {
    constexpr std::size_t kMost = 6;
    constexpr std::uint64_t kEnough = 4;
    const std::uint64_t sets = question.fields.sets;
    std::vector<std::uint64_t> out{question.fields.set};
    for (const sim::WrongNumber& wrong : sim::wrongSets(question, machine)) {
        if (wrong.answer < sets && out.size() < kMost) out.push_back(wrong.answer);
    }
    // Where misconceptions lead to few, others.
    for (std::uint64_t i = 2; out.size() < std::min(kEnough, sets); ++i) {
        const std::uint64_t other = (question.fields.set + i) % sets;
        if (std::find(out.begin(), out.end(), other) == out.end()) out.push_back(other);
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace whorl::app
