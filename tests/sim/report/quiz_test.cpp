// Sheets: what Moodle reads in a GIFT file is what was asked and is right; sheets of text hold questions and answers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "sim/analysis/history_help.h"
#include "sim/analysis/quiz/choice.h"
#include "sim/analysis/quiz/grading.h"
#include "sim/report/gift_reader.h"
#include "sim/report/quiz/quiz_sheet.h"

namespace whorl::sim {
namespace {

using test::GiftAnswer;
using test::GiftQuestion;

QuizSheet sheetOf(const std::string& program, const std::string& machine, QuizChoice choice = {}) {
    const auto run = test::built(test::traceOfProgram(program), *loadMachine(machine));
    choice.range = {Tick{0}, Tick{run->trace().size()}};
    Progress progress;
    return {.trace = run->sharedTrace(),
            .machine = run->machine(),
            .level = choice.level,
            .questions = *chosenQuestions(*run, choice, progress)};
}

std::vector<GiftAnswer> rightOnes(const GiftQuestion& q) {
    std::vector<GiftAnswer> out;
    std::copy_if(q.answers.begin(), q.answers.end(), std::back_inserter(out),
                 [](const GiftAnswer& answer) { return answer.right; });
    return out;
}

void expectNumber(const GiftQuestion& read, std::uint64_t right, const std::vector<WrongNumber>& wrong) {
    EXPECT_EQ(read.kind, GiftQuestion::Kind::numerical);
    ASSERT_EQ(rightOnes(read).size(), 1u);
    EXPECT_EQ(rightOnes(read)[0].text, std::to_string(right));
    EXPECT_EQ(read.answers.size(), wrong.size() + 1);
    for (const WrongNumber& w : wrong) {
        const auto at = std::find_if(read.answers.begin(), read.answers.end(),
                                     [&](const GiftAnswer& a) { return a.text == std::to_string(w.answer); });
        ASSERT_NE(at, read.answers.end());
        EXPECT_FALSE(at->right);
        EXPECT_EQ(at->tolerance, "0");
        EXPECT_EQ(at->feedback, fmt::format("That is {}.", w.of.words));
    }
}

void expectVictim(const GiftQuestion& read, const Question& q) {
    EXPECT_EQ(read.kind, GiftQuestion::Kind::multipleChoice);
    // Those in the set, that which is accessed, and none.
    std::set<BlockAddress> choices{q.block};
    for (const SetLine& line : q.before) choices.insert(line.block);
    EXPECT_EQ(read.answers.size(), choices.size() + 1);
    ASSERT_EQ(rightOnes(read).size(), 1u);
    EXPECT_EQ(rightOnes(read)[0].text, victimInWords(q));
    EXPECT_EQ(read.feedback, whyInWords(q));
    for (const GiftAnswer& answer : read.answers) {
        if (!answer.right && !answer.feedback.empty()) {
            EXPECT_TRUE(answer.feedback.starts_with("That is "));
        }
    }
}

TEST(QuizGift, IsReadBackAsItWasAsked) {
    for (const std::string machine : {"1K/2/32, 4K/4/32", "768/3/32", "512/1/16"}) {
        const QuizSheet sheet = sheetOf("matmul:n=16", machine, {.count = 20});
        const auto read = test::readGift(quizAsGift(sheet));
        ASSERT_EQ(read.size(), 4 * sheet.questions.size());
        for (std::size_t i = 0; i < sheet.questions.size(); ++i) {
            const Question& q = sheet.questions[i];
            for (std::size_t k = 4 * i; k < 4 * i + 4; ++k) {
                EXPECT_EQ(read[k].category, (std::vector<std::string>{"Whorl", titleOf(sheet)}));
                EXPECT_EQ(read[k].format, "plain");
                EXPECT_NE(read[k].text.find(accessInWords(q, sheet)), std::string::npos);
                EXPECT_FALSE(read[k].feedback.empty());
            }
            expectNumber(read[4 * i], q.fields.set, wrongSets(q, sheet.machine));
            expectNumber(read[4 * i + 1], q.fields.tag, wrongTags(q));
            const GiftQuestion& outcome = read[4 * i + 2];
            ASSERT_EQ(outcome.answers.size(), 2u);
            ASSERT_EQ(rightOnes(outcome).size(), 1u);
            EXPECT_EQ(rightOnes(outcome)[0].text, outcomeInWords(q));
            EXPECT_EQ(outcome.feedback, whyInWords(q));
            EXPECT_NE(outcome.text.find(contentsInWords(q.before, q)), std::string::npos);
            expectVictim(read[4 * i + 3], q);
        }
    }
}

/// Where a set has one way there is nothing to choose, whatever the machine's file says.
TEST(Quiz, NoPolicyIsNamedWhereASetHasOneWay) {
    for (const std::string policy : {"lru", "fifo", "mru", "srrip", "plru"}) {
        for (const char* allocate : {"L1.allocate=true", "L1.allocate=false"}) {
            const auto machine = withValue(*withValue(*loadMachine("256/1/32"), "L1.policy=" + policy), allocate);
            ASSERT_TRUE(machine);
            const auto run = test::built(test::traceOfProgram("matmul:n=8"), *machine);
            Progress progress;
            const QuizChoice choice{.range = {Tick{0}, Tick{run->trace().size()}}, .count = 40};
            const QuizSheet sheet{.trace = run->sharedTrace(),
                                  .machine = run->machine(),
                                  .questions = *chosenQuestions(*run, choice, progress)};
            std::string all = quizAsText(sheet) + quizAsGift(sheet);
            std::transform(all.begin(), all.end(), all.begin(), [](unsigned char c) { return std::tolower(c); });
            EXPECT_NE(all.find("direct-mapped"), std::string::npos);
            for (const char* word : {"lru", "fifo", "mru", "rrip", "recently used", "longest time", "came first"}) {
                EXPECT_EQ(all.find(word), std::string::npos) << policy << ": " << word;
            }
        }
    }
}

TEST(QuizGift, NamesOfQuestionsDiffer) {
    std::set<std::string> names;
    for (const GiftQuestion& q : test::readGift(quizAsGift(sheetOf("matmul:n=8", "1K/2/32")))) {
        EXPECT_TRUE(names.insert(q.name).second) << q.name;
    }
}

TEST(QuizGift, ManyWaysAreAnsweredInWords) {
    QuizSheet sheet = sheetOf("matmul:n=16", "1K/32/32");
    std::erase_if(sheet.questions, [](const Question& q) { return !q.victim; });
    ASSERT_FALSE(sheet.questions.empty());
    const auto read = test::readGift(quizAsGift(sheet));
    for (std::size_t i = 0; i < sheet.questions.size(); ++i) {
        const GiftQuestion& q = read[4 * i + 3];
        EXPECT_EQ(q.kind, GiftQuestion::Kind::shortAnswer);
        ASSERT_EQ(q.answers.size(), 2u) << "with and without 0x";
        EXPECT_EQ("tag " + q.answers[0].text, victimInWords(sheet.questions[i]));
        EXPECT_EQ("0x" + q.answers[1].text, q.answers[0].text);
    }
}

/// A number beyond those that Moodle calculates exactly is a word.
TEST(QuizGift, LargeTagsAreAnsweredInHexadecimal) {
    QuizSheet sheet = sheetOf("matmul:n=4", "1K/2/32", {.count = 1});
    sheet.questions[0].fields.tag = (std::uint64_t{1} << 54) + 1;
    const auto read = test::readGift(quizAsGift(sheet));
    EXPECT_EQ(read[1].kind, GiftQuestion::Kind::shortAnswer);
    EXPECT_EQ(read[1].answers[0].text, "0x40000000000001");
}

TEST(QuizGift, TheVictimIsNotAskedForWhereItCannotBeKnown) {
    QuizSheet sheet = sheetOf("matmul:n=4", "1K/2/32", {.count = 3});
    for (Question& q : sheet.questions) q.policy = Policy::random;
    EXPECT_EQ(test::readGift(quizAsGift(sheet)).size(), 9u);
}

TEST(QuizGift, SignsOfTheFormatAreEscaped) {
    const std::string signs = "a~b=c#d{e}f:g\\h\ni";
    EXPECT_EQ(giftText(signs), "a\\~b\\=c\\#d\\{e\\}f\\:g\\\\h\\ni");
    const auto read = test::readGift("::" + giftText(signs) + "::[plain]" + giftText(signs) + " {=" + giftText(signs) +
                                     "#" + giftText(signs) + " ~no ####" + giftText(signs) + "}\n");
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].name, signs);
    EXPECT_EQ(read[0].text, signs);
    EXPECT_EQ(read[0].answers[0].text, signs);
    EXPECT_EQ(read[0].answers[0].feedback, signs);
    EXPECT_EQ(read[0].feedback, signs);
}

TEST(QuizText, AnswersFollowOnAPageOfTheirOwn) {
    QuizSheet sheet = sheetOf("matmul:n=8", "1K/2/32");
    const std::string text = quizAsText(sheet);
    const auto page = text.find('\f');
    ASSERT_NE(page, std::string::npos);
    for (const Question& q : sheet.questions) {
        EXPECT_NE(text.find(accessInWords(q, sheet)), std::string::npos);
        EXPECT_NE(text.find(contentsInWords(q.before, q)), std::string::npos);
        EXPECT_GT(text.find(whyInWords(q)), page);
    }
    sheet.withAnswers = false;
    EXPECT_EQ(quizAsText(sheet), text.substr(0, page));
}

TEST(QuizWords, AnAddressInItsFields) {
    const QuizSheet sheet = sheetOf("matmul:n=8", "1K/2/32, 4K/4/32");
    const unsigned bits = addressBits(sheet.questions);
    EXPECT_EQ(bits % 4, 0u);
    for (const Question& q : sheet.questions) {
        const AddressDigits digits = digitsOf(q, bits);
        std::string all = digits.tag + digits.set + digits.offset;
        std::erase(all, ' ');
        std::string whole = binaryDigits(q.access.address.value, bits);
        std::erase(whole, ' ');
        EXPECT_EQ(all, whole);
    }
    EXPECT_EQ(fieldsInWords(sheet.machine.levels[0]), "tag: the bits from 9 on; set: bits 8 to 5; offset: bits 4 to 0");
}

}  // namespace
}  // namespace whorl::sim
