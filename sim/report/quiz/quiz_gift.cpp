#include "sim/report/quiz/quiz_gift.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/analysis/quiz/grading.h"

namespace whorl::sim {

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
