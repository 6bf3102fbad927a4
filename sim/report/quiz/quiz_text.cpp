#include "sim/report/quiz/quiz_text.h"

#include <fmt/format.h>

namespace whorl::sim {

namespace {

std::string machineAsText(const QuizSheet& sheet) {
    std::string out;
    for (std::size_t l = 0; l < sheet.machine.levels.size(); ++l) {
        const LevelConfig& level = sheet.machine.levels[l];
        out +=
            fmt::format("  {:4} {}{}\n", level.name, levelInWords(level), l == sheet.level ? "   <- asked about" : "");
    }
    return out + fmt::format("\nAn address in {}: {}\n", sheet.machine.levels[sheet.level].name,
                             fieldsInWords(sheet.machine.levels[sheet.level]));
}

std::string questionAsText(std::size_t number, const Question& q, const QuizSheet& sheet, unsigned bits) {
    std::string out = fmt::format("\n{}. Access {} {}\n", number, q.tick.value, accessInWords(q, sheet));
    out += fmt::format("   address  {}\n", binaryDigits(q.access.address.value, bits));
    out += fmt::format("   its set  {}\n", contentsInWords(q.before, q));
    out += "   tag ____________   set ________   hit or miss ________";
    if (q.asksForVictim()) out += "   evicted ____________";
    return out + "\n";
}

std::string joinedDigits(const Question& q, unsigned bits) {
    const AddressDigits digits = digitsOf(q, bits);
    std::string out = digits.tag;
    for (const std::string* part : {&digits.set, &digits.offset}) {
        if (!part->empty()) out += (out.empty() ? "" : " | ") + *part;
    }
    return out;
}

std::string answerAsText(std::size_t number, const Question& q, unsigned bits) {
    std::string out = fmt::format("\n{}. tag {:#x}, set {}, offset {}: {}", number, q.fields.tag, q.fields.set,
                                  q.fields.offset, outcomeInWords(q));
    if (q.asksForVictim()) out += ", evicted: " + victimInWords(q);
    out += fmt::format("\n   {}\n   {}\n", joinedDigits(q, bits), whyInWords(q));
    return out;
}

std::string sequenceAsText(const QuizSheet& sheet, bool filledIn) {
    if (sheet.questions.empty()) return "";
    const Question& first = sheet.questions.front();
    std::string out = fmt::format("\nBefore: {}\n\n{:>4} {:>10} {:>5}  {:>18}  {:>12}  {:9}  the set after it\n",
                                  contentsInWords(first.before, first), "", "access", "", "address", "tag", "hit/miss");
    std::size_t number = 0;
    for (const Question& q : sheet.questions) {
        out += fmt::format("{:>3}. {:>10} {:>5}  {:>#18x}  ", ++number, q.tick.value,
                           q.access.isWrite() ? "write" : "read", q.access.address.value);
        out += filledIn
                   ? fmt::format("{:>#12x}  {:9}  {}\n", q.fields.tag, outcomeInWords(q), contentsInWords(q.after, q))
                   : fmt::format("{0:_>12}  {0:_>8}   {0:_>40}\n", "");
    }
    return out;
}

std::string tasksAsText(const QuizSheet& sheet, unsigned bits) {
    const LevelConfig& level = sheet.machine.levels[sheet.level];
    if (sheet.isSequence) {
        const std::uint64_t set = sheet.questions.empty() ? 0 : sheet.questions.front().fields.set;
        return fmt::format(
                   "\nAll these accesses go to set {} of {}, one after the other. Fill in the tag of each, whether it\n"
                   "hits or misses, and what the set holds after it{}.\n",
                   set, level.name, orderInWords(level.policy, level.ways)) +
               sequenceAsText(sheet, false);
    }
    std::string out = fmt::format(
        "\nOf each access: which tag and which set of {} does its address have? Is it a hit or a miss there? Which\n"
        "block is evicted (its tag, or none)? \"its set\" is what the set holds before the access{}.\n",
        level.name, orderInWords(level.policy, level.ways));
    std::size_t number = 0;
    for (const Question& q : sheet.questions) out += questionAsText(++number, q, sheet, bits);
    return out;
}

std::string answersAsText(const QuizSheet& sheet, unsigned bits) {
    std::string out = fmt::format("\fAnswers: {}\n", titleOf(sheet));
    if (sheet.isSequence) out += sequenceAsText(sheet, true);
    std::size_t number = 0;
    for (const Question& q : sheet.questions) out += answerAsText(++number, q, bits);
    return out;
}

}  // namespace

std::string quizAsText(const QuizSheet& sheet) {
    const unsigned bits = addressBits(sheet.questions);
    std::string out =
        fmt::format("{}: {}\n\n", sheet.isSequence ? "Play the cache" : "Cache questions", titleOf(sheet));
    out += machineAsText(sheet) + tasksAsText(sheet, bits);
    return sheet.withAnswers ? out + answersAsText(sheet, bits) : out;
}

}  // namespace whorl::sim
