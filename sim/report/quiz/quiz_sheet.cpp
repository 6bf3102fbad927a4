#include "sim/report/quiz/quiz_sheet.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/analysis/quiz/grading.h"

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

namespace {

/// Moodle calculates with floating point numbers; larger ones are not exact.
constexpr std::uint64_t kMaxExact = std::uint64_t{1} << 53;
/// Sets with more blocks to choose from would fill the screen.
constexpr std::size_t kMaxChoices = 12;

std::string likelyWords(const Misconception& of) {
    return giftText(fmt::format("That is {}.", of.words));
}

class GiftWriter {
  public:
    explicit GiftWriter(const QuizSheet& sheet) : sheet_(sheet), bits_(addressBits(sheet.questions)) {}

    std::string all() {
        out_ = fmt::format("// Questions about {} accesses of {}, by Whorl\n\n$CATEGORY: {}\n", sheet_.questions.size(),
                           onOneLine(titleOf(sheet_)), categoryOf(titleOf(sheet_)));
        for (const Question& q : sheet_.questions) {
            ++number_;
            addNumber(q, "set", q.fields.set, wrongSets(q, sheet_.machine));
            addNumber(q, "tag", q.fields.tag, wrongTags(q));
            addOutcome(q);
            if (q.asksForVictim()) addVictim(q);
        }
        return out_;
    }

  private:
    /// A slash separates categories, and two stand for one within a name. A category has no escapes.
    static std::string categoryOf(const std::string& title) {
        std::string path = "Whorl/";
        for (const char c : onOneLine(title)) path += c == '/' ? "//" : std::string(1, c);
        return path;
    }
    static std::string onOneLine(std::string text) {
        std::replace_if(
            text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
        return text;
    }

    /// The name of the question, and what it is about.
    void begin(const Question& q, std::string_view part) {
        const LevelConfig& level = sheet_.machine.levels[sheet_.level];
        out_ += fmt::format("\n::{}::[plain]",
                            giftText(fmt::format("{} Access {}, {}: {}", number_, q.tick.value, level.name, part)));
        out_ += giftText(fmt::format("{} of {}.\n{}.\nAn access {}; in binary, {}.\n", level.name, titleOf(sheet_),
                                     levelInWords(level), accessInWords(q, sheet_),
                                     binaryDigits(q.access.address.value, bits_)));
    }
    void tellContents(const Question& q) {
        out_ += giftText(
            fmt::format("Its set holds{}: {}.\n", orderInWords(q.policy, q.ways), contentsInWords(q.before, q)));
    }
    void ask(std::string_view question) { out_ += giftText(question) + " {"; }
    void end(const Question& q) { out_ += fmt::format("\n####{}\n}}\n", giftText(whyInWords(q))); }
    void endFields(const Question& q) {
        const std::string words =
            fmt::format("{}. Tag {:#x} ({}), set {}, offset {}.", fieldsInWords(sheet_.machine.levels[sheet_.level]),
                        q.fields.tag, q.fields.tag, q.fields.set, q.fields.offset);
        out_ += fmt::format("\n####{}\n}}\n", giftText(words));
    }

    void addNumber(const Question& q, std::string_view part, std::uint64_t right,
                   const std::vector<WrongNumber>& wrong) {
        begin(q, part);
        if (right > kMaxExact) {
            ask(fmt::format("Which {} does its address have? Answer in hexadecimal, as in 0x1f.", part));
            out_ += fmt::format("\n\t={0:#x}\n\t={0:x}", right);
        } else {
            ask(fmt::format("Which {} does its address have? Answer with a decimal number.", part));
            out_ += fmt::format("#\n\t={}:0", right);
            for (const WrongNumber& w : wrong) {
                if (w.answer <= kMaxExact) out_ += fmt::format("\n\t=%0%{}:0#{}", w.answer, likelyWords(w.of));
            }
        }
        endFields(q);
    }

    void addOutcome(const Question& q) {
        begin(q, "hit or miss");
        tellContents(q);
        ask("Hit or miss?");
        const auto wrong = wrongOutcome(q, sheet_.machine);
        const std::string feedback = wrong ? "#" + likelyWords(*wrong) : "";
        for (const bool hit : {true, false}) {
            const bool right = hit == q.hit;
            out_ += fmt::format("\n\t{}{}{}", right ? '=' : '~', hit ? "hit" : "miss", right ? "" : feedback);
        }
        end(q);
    }

    void addVictim(const Question& q) {
        begin(q, "evicted block");
        tellContents(q);
        if (q.before.size() + 2 > kMaxChoices) {
            ask("Which block is evicted? Answer with its tag in hexadecimal, as in 0x1f, or with none.");
            out_ += fmt::format("\n\t={}", q.victim ? fmt::format("{:#x}", tagOf(*q.victim, q)) : "none");
            if (q.victim) out_ += fmt::format("\n\t={:x}", tagOf(*q.victim, q));
            return end(q);
        }
        ask("Which block is evicted?");
        for (const SetLine& line : q.before) {
            addChoice(q, Victim{line.block}, fmt::format("tag {:#x}", tagOf(line.block, q)));
        }
        const bool isHeld =
            std::any_of(q.before.begin(), q.before.end(), [&](const SetLine& line) { return line.block == q.block; });
        if (!isHeld) addChoice(q, Victim{q.block}, fmt::format("tag {:#x}", q.fields.tag));
        addChoice(q, Victim{}, "none");
        end(q);
    }
    void addChoice(const Question& q, const Victim& choice, const std::string& words) {
        const bool right = choice == Victim{q.victim};
        out_ += fmt::format("\n\t{}{}", right ? '=' : '~', giftText(words));
        if (right) return;
        for (const WrongVictim& w : wrongVictims(q)) {
            if (w.answer == choice) out_ += "#" + likelyWords(w.of);
        }
    }

    const QuizSheet& sheet_;
    unsigned bits_;
    std::size_t number_ = 0;
    std::string out_;
};

}  // namespace

std::string giftText(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n') {
            out += "\\n";
        } else if (c == '\r' || c == '\t') {
            out += ' ';
        } else {
            if (std::string_view("~=#{}:\\").find(c) != std::string_view::npos) out += '\\';
            out += c;
        }
    }
    return out;
}

std::string quizAsGift(const QuizSheet& sheet) {
    return GiftWriter(sheet).all();
}

}  // namespace whorl::sim
