#include "sim/analysis/quiz/grading.h"

#include <algorithm>
#include <array>
#include <limits>

namespace whorl::sim {

namespace {

using Number = std::optional<std::uint64_t>;

struct NumberRow {
    Misconception of;
    Number (*wouldBe)(const Question&, const MachineConfig&);
};
struct VictimRow {
    Misconception of;
    std::optional<Victim> (*wouldBe)(const Question&);
};
struct OutcomeRow {
    Misconception of;
    bool (*applies)(const Question&, const MachineConfig&);
};

std::uint64_t addressOf(const Question& q) {
    return q.access.address.value;
}

Number anotherLevelsSet(const Question& q, const MachineConfig& machine) {
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        if (l == q.level) continue;
        const LevelConfig& level = machine.levels[l];
        const std::uint64_t set = addressOf(q) / level.block % level.sets();
        if (set != q.fields.set) return set;
    }
    return std::nullopt;
}

constexpr std::array<NumberRow, 9> kSetRows = {{
    {{"tag-for-set", "the tag; the set is in the bits between the tag and the offset"},
     [](const Question& q, const MachineConfig&) -> Number { return q.fields.tag; }},
    {{"offset-for-set", "the offset within the block; the set is in the bits above it"},
     [](const Question& q, const MachineConfig&) -> Number { return q.fields.offset; }},
    {{"offset-bits-as-set", "the lowest bits of the address; the offset's come first, and select no set"},
     [](const Question& q, const MachineConfig&) -> Number { return addressOf(q) % q.fields.sets; }},
    {{"block-for-set", "the number of the block; the set is this number modulo the number of sets"},
     [](const Question& q, const MachineConfig&) -> Number { return q.block.value; }},
    {{"block-modulo-blocks",
      "the block's number modulo the number of blocks, as if the cache were direct mapped; a set has several ways"},
     [](const Question& q, const MachineConfig&) -> Number { return q.block.value % (q.fields.sets * q.ways); }},
    {{"modulo-ways", "the block's number modulo the number of ways; the number of sets counts"},
     [](const Question& q, const MachineConfig&) -> Number { return q.block.value % q.ways; }},
    {{"another-level", "the set of another level, which has other bits for it"}, anotherLevelsSet},
    {{"counted-from-one", "one too many; sets are counted from 0"},
     [](const Question& q, const MachineConfig&) -> Number { return q.fields.set + 1; }},
    {{"one-too-few", "one too few"},
     [](const Question& q, const MachineConfig&) -> Number {
         return q.fields.set == 0 ? Number{} : Number{q.fields.set - 1};
     }},
}};

constexpr std::array<NumberRow, 6> kTagRows = {{
    {{"set-for-tag", "the set; the tag is in the bits above those of the set"},
     [](const Question& q, const MachineConfig&) -> Number { return q.fields.set; }},
    {{"block-for-tag", "the number of the block, in which the bits of the set are still contained"},
     [](const Question& q, const MachineConfig&) -> Number { return q.block.value; }},
    {{"set-removed-only", "the address without as many bits as select the set; those of the offset go, too"},
     [](const Question& q, const MachineConfig&) -> Number { return addressOf(q) / q.fields.sets; }},
    {{"address-for-tag", "the whole address"},
     [](const Question& q, const MachineConfig&) -> Number { return addressOf(q); }},
    {{"bit-too-many", "the tag with a bit of the set"},
     [](const Question& q, const MachineConfig&) -> Number {
         return q.fields.setBits == 0 ? Number{} : Number{q.block.value >> (q.fields.setBits - 1)};
     }},
    {{"bit-too-few", "the tag without its lowest bit"},
     [](const Question& q, const MachineConfig&) -> Number {
         return q.fields.setBits == 0 ? Number{} : Number{q.fields.tag >> 1};
     }},
}};

/// The block of a full set of several ways for which `before(a, b)` holds against all others; none unless the times of
/// all blocks are known.
template <class Time, class Before>
std::optional<Victim> extreme(const Question& q, Time&& time, Before&& before) {
    if (q.ways < 2 || q.before.size() < q.ways || q.hit) return std::nullopt;
    const SetLine* best = nullptr;
    for (const SetLine& line : q.before) {
        if (!time(line)) return std::nullopt;
        if (best == nullptr || before(*time(line), *time(*best))) best = &line;
    }
    return Victim{best->block};
}

std::optional<Tick> filledAt(const SetLine& line) {
    return line.filled;
}
std::optional<Tick> usedAt(const SetLine& line) {
    return line.used;
}

constexpr std::array<VictimRow, 9> kVictimRows = {{
    {{"evicts-on-hit", "an eviction, but the access hits, and a hit brings nothing in"},
     [](const Question& q) -> std::optional<Victim> {
         return q.hit && !q.before.empty() ? std::optional(Victim{q.before.back().block}) : std::nullopt;
     }},
    {{"evicts-though-free", "an eviction, but a way of the set is free, and is filled first"},
     [](const Question& q) -> std::optional<Victim> {
         const bool isFree = !q.hit && q.before.size() < q.ways && !q.before.empty();
         return isFree ? std::optional(Victim{q.before.back().block}) : std::nullopt;
     }},
    {{"none-though-full", "no eviction, but all ways of the set hold blocks, and one has to go"},
     [](const Question& q) -> std::optional<Victim> { return q.victim ? std::optional(Victim{}) : std::nullopt; }},
    {{"fifo-for-policy", "the block that came first, as with FIFO"},
     [](const Question& q) { return extreme(q, filledAt, [](Tick a, Tick b) { return a < b; }); }},
    {{"lru-for-policy", "the block that was not used for the longest time, as with LRU"},
     [](const Question& q) { return extreme(q, usedAt, [](Tick a, Tick b) { return a < b; }); }},
    {{"mru-for-policy", "the block that was used last, as with MRU"},
     [](const Question& q) { return extreme(q, usedAt, [](Tick a, Tick b) { return a > b; }); }},
    {{"order-reversed", "the block that is evicted last; the order was read from the wrong end"},
     [](const Question& q) -> std::optional<Victim> {
         return q.victim ? std::optional(Victim{q.before.front().block}) : std::nullopt;
     }},
    {{"last-in-first-out", "the block that came last"},
     [](const Question& q) { return extreme(q, filledAt, [](Tick a, Tick b) { return a > b; }); }},
    {{"evicts-itself", "the block that is accessed; it comes in, and another one goes"},
     [](const Question& q) -> std::optional<Victim> { return Victim{q.block}; }},
}};

bool isHeldWithOtherByte(const Question& q) {
    return std::any_of(q.before.begin(), q.before.end(), [&](const SetLine& line) {
        return line.block == q.block && line.usedAt && *line.usedAt != q.access.address;
    });
}

constexpr std::array<OutcomeRow, 7> kOutcomeRows = {{
    {{"byte-for-block",
      "right only for a byte that is accessed again; what comes in is the whole block, and another of its bytes was "
      "used before"},
     [](const Question& q, const MachineConfig&) { return q.hit && isHeldWithOtherByte(q); }},
    {{"held-block-missed", "a miss, but the set holds a block with this tag"},
     [](const Question& q, const MachineConfig&) { return q.hit; }},
    {{"another-level-for-this", "true of a level farther away, which has the block; this one does not"},
     [](const Question& q, const MachineConfig& m) {
         return !q.hit && q.servedBy > q.level && q.servedBy < m.levels.size();
     }},
    {{"first-use-hits", "a hit at the first use of the block, which cannot be there yet"},
     [](const Question& q, const MachineConfig&) { return q.kind == MissKind::compulsory; }},
    {{"fully-associative", "true of a fully associative cache of this size; here the ways of one set have to do"},
     [](const Question& q, const MachineConfig&) { return q.kind == MissKind::conflict; }},
    {{"unlimited-size", "true of a larger cache: since its last use, more other blocks were used than fit"},
     [](const Question& q, const MachineConfig&) { return q.kind == MissKind::capacity; }},
    {{"other-cpu-forgotten", "true if no other CPU had written to the block, which took it away"},
     [](const Question& q, const MachineConfig&) { return q.kind && isBySharing(*q.kind); }},
}};

template <class Rows>
std::vector<WrongNumber> wrongNumbers(const Rows& rows, const Question& q, const MachineConfig& machine,
                                      std::uint64_t right) {
    std::vector<WrongNumber> out;
    for (const NumberRow& row : rows) {
        const Number answer = row.wouldBe(q, machine);
        if (!answer || *answer == right) continue;
        const bool isKnown =
            std::any_of(out.begin(), out.end(), [&](const WrongNumber& other) { return other.answer == *answer; });
        if (!isKnown) out.push_back({row.of, *answer});
    }
    return out;
}

template <class Wrongs, class Answer>
std::optional<Misconception> likelyOf(const Wrongs& wrongs, const Answer& answer) {
    for (const auto& wrong : wrongs) {
        if (wrong.answer == answer) return wrong.of;
    }
    return std::nullopt;
}

template <class Answer, class Likely>
void grade(std::vector<GradedPart>& out, QuizPart part, const std::optional<Answer>& answer, const Answer& right,
           Likely&& likely) {
    if (!answer) return;
    GradedPart& graded = out.emplace_back();
    graded.part = part;
    graded.right = *answer == right;
    if (!graded.right) graded.likely = likely(*answer);
}

}  // namespace

std::vector<WrongNumber> wrongSets(const Question& question, const MachineConfig& machine) {
    return wrongNumbers(kSetRows, question, machine, question.fields.set);
}

std::vector<WrongNumber> wrongTags(const Question& question) {
    return wrongNumbers(kTagRows, question, {}, question.fields.tag);
}

std::vector<WrongVictim> wrongVictims(const Question& question) {
    std::vector<WrongVictim> out;
    for (const VictimRow& row : kVictimRows) {
        const auto answer = row.wouldBe(question);
        if (!answer || *answer == Victim{question.victim}) continue;
        if (!likelyOf(out, *answer)) out.push_back({row.of, *answer});
    }
    return out;
}

std::optional<Misconception> wrongOutcome(const Question& question, const MachineConfig& machine) {
    for (const OutcomeRow& row : kOutcomeRows) {
        if (row.applies(question, machine)) return row.of;
    }
    return std::nullopt;
}

QuizAnswer rightAnswer(const Question& question) {
    return {.set = question.fields.set,
            .tag = question.fields.tag,
            .hit = question.hit,
            .victim = question.asksForVictim() ? std::optional(Victim{question.victim}) : std::nullopt};
}

std::vector<GradedPart> graded(const Question& question, const MachineConfig& machine, const QuizAnswer& answer) {
    std::vector<GradedPart> out;
    grade(out, QuizPart::set, answer.set, question.fields.set,
          [&](std::uint64_t set) { return likelyOf(wrongSets(question, machine), set); });
    grade(out, QuizPart::tag, answer.tag, question.fields.tag,
          [&](std::uint64_t tag) { return likelyOf(wrongTags(question), tag); });
    grade(out, QuizPart::outcome, answer.hit, question.hit, [&](bool) { return wrongOutcome(question, machine); });
    grade(out, QuizPart::victim, answer.victim, Victim{question.victim},
          [&](const Victim& victim) { return likelyOf(wrongVictims(question), victim); });
    return out;
}

std::vector<Misconception> allMisconceptions() {
    std::vector<Misconception> out;
    out.reserve(kSetRows.size() + kTagRows.size() + kOutcomeRows.size() + kVictimRows.size());
    for (const NumberRow& row : kSetRows) out.push_back(row.of);
    for (const NumberRow& row : kTagRows) out.push_back(row.of);
    for (const OutcomeRow& row : kOutcomeRows) out.push_back(row.of);
    for (const VictimRow& row : kVictimRows) out.push_back(row.of);
    return out;
}

}  // namespace whorl::sim
