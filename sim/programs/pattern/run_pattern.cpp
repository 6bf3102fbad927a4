#include "sim/programs/pattern/run_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/memory_budget.h"
#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/programs/access_recorder.h"
#include "sim/programs/catalogue.h"

namespace whorl::sim {

// --- loops and accesses ---

std::uint64_t turnsOf(std::int64_t from, std::int64_t to, std::int64_t step, bool isInclusive) {
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
    const std::uint64_t count = turnsOf(from, to, step, statement.isInclusive);
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

// --- a pattern runs twice: first to determine the sizes of its arrays, and whether it can run; then to record it ---

namespace {

constexpr std::uint64_t kPulse = 1u << 16;  ///< accesses between two checks of progress and memory

std::string elementName(const PatternArray& array, const PatternStep& step) {
    return array.dimensions == 1 ? fmt::format("{}[{}]", array.name, step.indexes[0])
                                 : fmt::format("{}[{}][{}]", array.name, step.indexes[0], step.indexes[1]);
}

/// "A[16][8]".
std::string shapeOf(const PatternArray& array, const PatternExtents& extents) {
    return array.dimensions == 1 ? fmt::format("{}[{}]", array.name, extents[0])
                                 : fmt::format("{}[{}][{}]", array.name, extents[0], extents[1]);
}

/// Runs a pattern once without recording it, to find its extents, accesses and faults.
class PatternSurvey {
  public:
    PatternSurvey(const Pattern& pattern, Progress& progress) : pattern_(pattern), progress_(progress) {
        for (const PatternArray& array : pattern.arrays) extents_.push_back(array.extents);
        PatternWalk walk(pattern, progress);
        walk.run([&](const PatternStep& step) { take(step); });
        accesses_ = walk.accesses();
    }

    /// The extents by array; all 0 for an array that is neither declared nor accessed.
    const std::vector<PatternExtents>& extents() const { return extents_; }
    std::uint64_t accesses() const { return accesses_; }

  private:
    void take(const PatternStep& step) {
        if (++taken_ % kPulse == 0) progress_.setAccesses(taken_);
        const PatternStatement& statement = step.statement;
        if (!statement.place.array) {
            checkAddress(step);
            return;
        }
        const PatternArray& array = pattern_.arrays[*statement.place.array];
        PatternExtents& extents = extents_[*statement.place.array];
        for (std::size_t d = 0; d < array.dimensions; ++d) {
            const std::int64_t index = step.indexes[d];
            if (index < 0 || (array.hasExtents && static_cast<std::uint64_t>(index) >= extents[d])) {
                outside(array, step, d);
            }
            if (!array.hasExtents) extents[d] = std::max(extents[d], static_cast<std::uint64_t>(index) + 1);
        }
    }

    static void checkAddress(const PatternStep& step) {
        const std::int64_t address = step.indexes[0];
        if (address >= 0 && static_cast<std::uint64_t>(address) <= kMaxPatternAddress) return;
        throwFault(step.statement.at, fmt::format("there is no address {}", address),
                   fmt::format("addresses are from 0 to {:#x}", kMaxPatternAddress));
    }

    [[noreturn]] static void outside(const PatternArray& array, const PatternStep& step, std::size_t d) {
        const std::string declared = array.hasExtents ? " " + shapeOf(array, array.extents) : "";
        throwFault(step.statement.at, fmt::format("{} is outside of the array{}", elementName(array, step), declared),
                   array.hasExtents ? fmt::format("this index is from 0 to {}", array.extents[d] - 1)
                                    : "an index is 0 or more");
    }

    const Pattern& pattern_;
    Progress& progress_;
    std::vector<PatternExtents> extents_;
    std::uint64_t accesses_ = 0;
    std::uint64_t taken_ = 0;
};

/// The region of an array with its extents, without a base. Its size is within the limit.
Region regionOf(const PatternArray& array, const PatternExtents& extents) {
    const std::uint64_t most = kMaxPatternMemory / array.elementSize;
    const std::uint64_t columns = std::max<std::uint64_t>(extents[1], 1);
    if (extents[0] > most || columns > most / extents[0]) {
        throwFault(array.at,
                   fmt::format("{} with elements of {} is too large", shapeOf(array, extents),
                               bytesInWords(array.elementSize)),
                   fmt::format("an array has at most {}", bytesInWords(kMaxPatternMemory)));
    }
    return {.name = array.name,
            .base = {},
            .size = extents[0] * columns * array.elementSize,
            .elementSize = array.elementSize,
            .rows = extents[0],
            .columns = extents[1]};
}

/// Records a pattern whose survey found no fault.
class PatternRecorder {
  public:
    PatternRecorder(const Pattern& pattern, const PatternSurvey& survey, AccessRecorder& recorder, Progress& progress)
        : pattern_(pattern), recorder_(recorder), progress_(progress), regions_(pattern.arrays.size()) {
        recorder_.builder().limitMemory(budget_.left());
        for (std::size_t i = 0; i < regions_.size(); ++i) {
            if (survey.extents()[i][0] > 0) place(i, survey.extents()[i]);
        }
    }

    Expected<void> record() {
        PatternWalk walk(pattern_, progress_);
        try {
            walk.run([&](const PatternStep& step) { take(step); });
        } catch (const Full&) {
            budget_.take(recorder_.builder().bytes());
            return tl::unexpected(budget_.error(pattern_.file));
        }
        return {};
    }

  private:
    /// Thrown when memory is exhausted.
    struct Full {};

    /// Places an array after the preceding one, unless it has an address.
    void place(std::size_t number, const PatternExtents& extents) {
        const PatternArray& array = pattern_.arrays[number];
        Region region = regionOf(array, extents);
        // By default, elements are aligned to the largest power of two that divides their size.
        const std::uint64_t align = array.align != 0 ? array.align : array.elementSize & (~array.elementSize + 1);
        region.base = ByteAddress{array.address ? *array.address : (end_ + align - 1) / align * align};
        end_ = region.base.value + region.size;
        if (end_ > 2 * kMaxPatternAddress) {
            throwFault(array.at, fmt::format("{} does not fit below {:#x}", array.name, 2 * kMaxPatternAddress),
                       "declare it elsewhere, or smaller");
        }
        std::string other;
        if (!recorder_.builder().addRegion(region, &other)) {
            throwFault(array.at, fmt::format("{} overlaps the array {}", array.name, other),
                       fmt::format("it begins at {:#x} and has {}: let it begin elsewhere", region.base.value,
                                   bytesInWords(region.size)));
        }
        regions_[number] = std::move(region);
    }

    void take(const PatternStep& step) {
        const TraceBuilder& builder = recorder_.builder();
        if (builder.size() % kPulse < 2 && builder.isBeyondMemory()) throw Full{};
        const PatternStatement& statement = step.statement;
        Access access{.address = {}, .size = statement.place.size, .op = Op::read, .cpu = step.cpu};
        if (statement.place.array) {
            const Region& region = regions_[*statement.place.array];
            const std::uint64_t columns = std::max<std::uint64_t>(region.columns, 1);
            const auto at =
                static_cast<std::uint64_t>(step.indexes[0]) * columns + static_cast<std::uint64_t>(step.indexes[1]);
            access.address = ByteAddress{region.base.value + at * region.elementSize};
            access.size = region.elementSize;
        } else {
            access.address = ByteAddress{static_cast<std::uint64_t>(step.indexes[0])};
        }
        access.site = recorder_.siteOf(statement.line);
        if (statement.action != PatternAction::write) recorder_.record(access);
        if (statement.action == PatternAction::read) return;
        access.op = Op::write;
        access.modify = statement.action == PatternAction::update;
        recorder_.record(access);
    }

    const Pattern& pattern_;
    AccessRecorder& recorder_;
    Progress& progress_;
    MemoryBudget budget_;
    std::vector<Region> regions_;  ///< by array; empty for one that is neither declared nor accessed
    std::uint64_t end_ = AccessRecorder::kFirstAddress;
};

}  // namespace

Expected<Trace> runPattern(const Pattern& pattern, const std::string& traceName, Progress& progress) {
    return runRecorded([&]() -> Expected<Trace> {
        try {
            progress.start(0);
            const PatternSurvey survey(pattern, progress);
            if (survey.accesses() == 0) {
                return fail(
                    pattern.file, "the pattern makes no access",
                    "write read A[i], write A[i] or update A[i] in a loop that turns: for i in 0..16 { read A[i] }");
            }
            const auto lines = static_cast<std::uint32_t>(std::count(pattern.text.begin(), pattern.text.end(), '\n'));
            const std::string file = pattern.file.substr(pattern.file.rfind('/') + 1);
            const Listing listing{.file = file, .text = pattern.text, .firstLine = 1, .lines = lines + 1};
            AccessRecorder recorder(traceName, listing, survey.accesses(), progress);
            WHORL_TRY(PatternRecorder(pattern, survey, recorder, progress).record());
            return recorder.finish();
        } catch (const PatternFault& fault) {
            return tl::unexpected(errorOf(fault, pattern.text, pattern.file));
        }
    });
}

}  // namespace whorl::sim
