#include "sim/programs/pattern/walk.h"

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/programs/access_recorder.h"

namespace whorl::sim {

namespace {

/// The number of values `from`, `from` + `step`, … before `to`, or up to it if inclusive. The step is not 0.
std::uint64_t countOf(std::int64_t from, std::int64_t to, std::int64_t step, bool isInclusive) {
    const bool up = step > 0;
    if (up ? from > to : from < to) return 0;
    const auto distance = up ? static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from)
                             : static_cast<std::uint64_t>(from) - static_cast<std::uint64_t>(to);
    const std::uint64_t length = up ? static_cast<std::uint64_t>(step) : ~static_cast<std::uint64_t>(step) + 1;
    if (!isInclusive) return distance / length + (distance % length != 0 ? 1 : 0);
    // The count overflows only for all 2^64 numbers, which is one too many.
    const std::uint64_t more = distance / length;
    return more + (more == ~std::uint64_t{0} ? 0 : 1);
}

}  // namespace

PatternWalk::PatternWalk(const Pattern& pattern, const Progress& progress)
    : pattern_(pattern), progress_(progress), calculator_(pattern.steps) {}

void PatternWalk::run(const Taker& taker) {
    taker_ = &taker;
    try {
        all(pattern_.body);
    } catch (PatternFault& fault) {
        fault.what += situation();
        throw;
    }
}

void PatternWalk::all(const std::vector<PatternStatement>& body) {
    for (const PatternStatement& statement : body) {
        switch (statement.kind) {
            case PatternStatement::Kind::access:
                access(statement);
                break;
            case PatternStatement::Kind::loop:
                loop(statement);
                break;
            case PatternStatement::Kind::repeat:
                repeat(statement);
                break;
            case PatternStatement::Kind::cpu:
                cpu(statement);
                break;
        }
    }
}

void PatternWalk::access(const PatternStatement& statement) {
    PatternStep step{.statement = statement, .indexes = {value(statement.place.indexes[0]), 0}, .cpu = cpu_};
    const Formula& second = statement.place.indexes[1];
    if (second.first != second.end) step.indexes[1] = value(second);
    const std::uint64_t before = accesses_;
    accesses_ += statement.action == PatternAction::update ? 2 : 1;
    if (accesses_ > kMaxPatternAccesses) {
        throwFault(statement.at, fmt::format("the pattern makes more than {} accesses", kMaxPatternAccesses),
                   "let its loops end earlier");
    }
    (*taker_)(step);
    if (accesses_ / kPulse != before / kPulse) pulse();
}

void PatternWalk::loop(const PatternStatement& statement) {
    const std::int64_t from = value(statement.from);
    const std::int64_t to = value(statement.to);
    const std::int64_t step = statement.step ? value(*statement.step) : 1;
    if (step == 0) throwFault(statement.step->at, "a step of 0 never ends", "use a step such as 1, 8 or -1");
    const std::uint64_t count = countOf(from, to, step, statement.isInclusive);
    const std::size_t number = values_.size();
    values_.push_back(from);
    variables_.push_back(&statement);
    for (std::uint64_t i = 0; i < count; ++i) {
        turn(statement);
        all(statement.body);
        // After the last turn, the next value might overflow.
        if (i + 1 < count) values_[number] += step;
    }
    values_.pop_back();
    variables_.pop_back();
}

void PatternWalk::repeat(const PatternStatement& statement) {
    const std::int64_t count = value(statement.from);
    if (count < 0) throwFault(statement.from.at, fmt::format("nothing is repeated {} times", count), "give 0 or more");
    for (std::int64_t i = 0; i < count; ++i) {
        turn(statement);
        all(statement.body);
    }
}

void PatternWalk::cpu(const PatternStatement& statement) {
    const std::int64_t number = value(statement.from);
    if (number < 0 || number >= static_cast<std::int64_t>(kMaxCpus)) {
        throwFault(statement.from.at, fmt::format("there is no CPU {}", number),
                   fmt::format("CPUs are numbered from 0 to {}", kMaxCpus - 1));
    }
    const std::uint8_t before = cpu_;
    cpu_ = static_cast<std::uint8_t>(number);
    all(statement.body);
    cpu_ = before;
}

void PatternWalk::turn(const PatternStatement& statement) {
    if (++turns_ > kMaxPatternTurns) {
        throwFault(statement.at, fmt::format("the pattern's loops turn more than {} times", kMaxPatternTurns),
                   "let them end earlier");
    }
    if (turns_ % kPulse == 0) pulse();
}

void PatternWalk::pulse() const {
    if (progress_.cancelled()) throw Cancelled{};
}

/// ", with i=3 and j=4": the values of the variables; nothing outside of loops.
std::string PatternWalk::situation() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        all.push_back(fmt::format("{}={}", variables_[i]->variable, values_[i]));
    }
    return all.empty() ? "" : ", with " + joinNames(all);
}

}  // namespace whorl::sim
