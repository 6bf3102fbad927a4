#include "sim/report/quiz/quiz_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/analysis/explain.h"
#include "sim/machine/policies.h"
#include "sim/report/machine_words.h"

namespace whorl::sim {

namespace {

std::string counted(std::uint64_t n, std::string_view one, std::string_view several) {
    return fmt::format("{} {}", n, n == 1 ? one : several);
}

/// Which block is evicted, as a sentence without its end.
std::string_view choiceInWords(const Question& q) {
    if (q.ways == 1) return "The set has one way, and the block in it is evicted";
    return rowOf(q.policy).victim;
}

std::string bitsInWords(unsigned first, unsigned count) {
    if (count == 0) return "no bits";
    return count == 1 ? fmt::format("bit {}", first) : fmt::format("bits {} to {}", first + count - 1, first);
}

std::string evictionInWords(const Question& q, const std::string& victim) {
    if (q.hit) return "";
    if (q.victim) return fmt::format(" {}: {}.", choiceInWords(q), victim);
    if (!q.fills) return " The block does not come into this level, so that nothing is evicted.";
    if (q.before.size() < q.ways) return " A way of the set is free, so that nothing is evicted.";
    return " A way of the set became free during this access, so that nothing is evicted.";
}

}  // namespace

std::string titleOf(const QuizSheet& sheet) {
    const std::string machine = sheet.machine.name.empty() ? geometryOf(sheet.machine) : sheet.machine.name;
    return fmt::format("{} on {}", sheet.trace->name(), machineCalled(machine, sheet.settings));
}

std::string accessInWords(const Question& question, const QuizSheet& sheet) {
    const Access& access = question.access;
    const std::string number = fmt::format("{:#x}", access.address.value);
    const std::string place = sheet.trace->placeOf(access.address, question.tick);
    const std::string words =
        fmt::format("{} {} at {}{}", access.isWrite() ? "writes" : "reads", counted(access.size, "byte", "bytes"),
                    number, place == number || place.empty() ? "" : " (" + place + ")");
    return sheet.machine.cpus > 1 ? fmt::format("by CPU {} {}", access.cpu, words) : words;
}

std::string levelInWords(const LevelConfig& level) {
    return fmt::format("{}, {}, {}, blocks of {}, {}", formatBytes(level.size), counted(level.ways, "way", "ways"),
                       counted(level.sets(), "set", "sets"), counted(level.block, "byte", "bytes"),
                       policyInWords(level));
}

std::string policyInWords(const LevelConfig& level) {
    return std::string(level.ways == 1 ? "direct-mapped" : rowOf(level.policy).name);
}

std::string orderInWords(Policy policy, std::uint32_t ways) {
    return ways == 1 ? "" : fmt::format(", {}", rowOf(policy).listed);
}

std::uint64_t tagOf(BlockAddress block, const Question& question) {
    return block.value / question.fields.sets;
}

std::string contentsInWords(const std::vector<SetLine>& lines, const Question& question) {
    if (lines.empty()) return question.ways == 1 ? "empty" : fmt::format("empty: {} ways free", question.ways);
    std::string out;
    for (const SetLine& line : lines) {
        out += fmt::format("{}tag {:#x}", out.empty() ? "" : ", ", tagOf(line.block, question));
    }
    const std::size_t free = question.ways - lines.size();
    if (free > 0) out += ", " + counted(free, "way free", "ways free");
    return out;
}

std::string_view outcomeInWords(const Question& question) {
    return question.hit ? "hit" : "miss";
}

std::string victimInWords(const Question& question) {
    return question.victim ? fmt::format("tag {:#x}", tagOf(*question.victim, question)) : "none";
}

std::string whyInWords(const Question& question) {
    return whyInWords(question, victimInWords(question));
}

std::string whyInWords(const Question& question, const std::string& victim) {
    std::string why;
    if (question.hit) {
        why = fmt::format("A hit: set {} holds a block with tag {:#x}.", question.fields.set, question.fields.tag);
    } else {
        why = (question.kind ? missInWords(*question.kind) : "a miss") + ".";
        why.front() = 'A';
    }
    return why + evictionInWords(question, victim);
}

unsigned addressBits(const std::vector<Question>& questions) {
    unsigned bits = 8;
    for (const Question& q : questions) {
        const auto fields = q.fields.setBits + q.fields.offsetBits + 1;
        bits = std::max({bits, static_cast<unsigned>(std::bit_width(q.access.address.value)), fields});
    }
    return std::min(64u, (bits + 3) / 4 * 4);
}

AddressDigits digitsOf(const Question& question, unsigned bits) {
    const LevelExplanation& f = question.fields;
    if (!isPowerOfTwo(f.sets)) {
        return {.tag = binaryDigits(question.block.value, bits - f.offsetBits),
                .set = "",
                .offset = binaryDigits(f.offset, f.offsetBits)};
    }
    return {.tag = binaryDigits(f.tag, bits - f.setBits - f.offsetBits),
            .set = binaryDigits(f.set, f.setBits),
            .offset = binaryDigits(f.offset, f.offsetBits)};
}

std::string fieldsInWords(const LevelConfig& level) {
    const auto offset = static_cast<unsigned>(std::countr_zero(level.block));
    const std::string offsetWords = "offset: " + bitsInWords(0, offset);
    if (!isPowerOfTwo(level.sets())) {
        return fmt::format("{0}; block number: the bits above; set: block number modulo {1}; tag: block number / {1}",
                           offsetWords, level.sets());
    }
    const auto set = static_cast<unsigned>(std::countr_zero(level.sets()));
    return fmt::format("tag: the bits from {} on; set: {}; {}", offset + set, bitsInWords(offset, set), offsetWords);
}

}  // namespace whorl::sim
