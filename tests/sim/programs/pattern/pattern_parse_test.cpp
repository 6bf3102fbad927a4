// What is wrong with a pattern is told where it is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/programs/pattern/pattern_help.h"

namespace whorl::sim::test {
namespace {

/// A pattern, where its fault is, and something that is said of it.
struct Fault {
    std::string text;
    std::string where;
    std::string said;
};

void expectFaults(const std::vector<Fault>& faults) {
    for (const auto& [text, where, said] : faults) {
        const std::string sentence = wrongIn(text);
        EXPECT_TRUE(sentence.starts_with("p:" + where + ": ")) << text << "\n" << sentence;
        EXPECT_NE(sentence.find(said), std::string::npos) << text << "\n" << sentence;
        EXPECT_NE(sentence.find("; "), std::string::npos) << "does not say what to do: " << sentence;
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    }
}

TEST(PatternParser, SaysWhereStatementsAreWrong) {
    expectFaults({
        {"raed A[0]", "1:1", "did you mean \"read\"?"},
        {"read A[0]\n  fro i in 0..4 { }", "2:3", "did you mean \"for\"?"},
        {"A[3]", "1:1", "read A[...]"},
        {"read A[0] }", "1:11", "no { that this } closes"},
        {"for i in 0..4 {\n read A[i]", "1:15", "this { is not closed"},
        {"for i in 0..4 read A[i]", "1:15", "expected \"{\" here, not \"read\""},
        {"for (int i = 0; i < 4; i++) { }", "1:5", "for i in 0..16"},
        {"for i = 0..4 { }", "1:7", "expected \"in\" after for i, not \"=\""},
        {"for i in 4 { }", "1:12", "expected \"..\" after the first value"},
        {"for i in 0..4 { for i in 0..4 { } }", "1:21", "\"i\" is the name of a loop around this one"},
        {"for min in 0..4 { }", "1:5", "a word of patterns"},
        {"repeat { }", "1:8", "expected a number, not \"{\""},
        {"read", "1:5", "expected a number, not the end"},
        {"read A[0],", "1:11", "not the end"},
        {"read A[0", "1:9", "expected \"]\" after an index"},
        {"read A[0] of 4", "1:11", "array A of 4"},
        {"read A[0][1][2]", "1:13", "at most two dimensions"},
        {"read A[0]\nread A[0][1]", "2:6", "A has 1 dimension, not 2"},
        {"array A[4][4]; read A[1]", "1:21", "A has 2 dimensions, not 1"},
        {"for A in 0..4 { read A[0] }", "1:22", "a loop around this one"},
        {"let n = 4; read n[0]", "1:17", "a constant already"},
    });
}

TEST(PatternParser, SaysWhereDeclarationsAreWrong) {
    expectFaults({
        {"array [4]", "1:7", "expected the name of an array"},
        {"array A[4]; array A[5]", "1:19", "once, before it is used"},
        {"read A[0]; array A[5]", "1:18", "once, before it is used"},
        {"array A[0]", "1:9", "0 is out of range; a dimension has 1 to"},
        {"array A[-3]", "1:9", "-3 is out of range"},
        {"array A[2][2][2]", "1:14", "at most two dimensions"},
        {"array A[4] of 0", "1:15", "an element has 1 to 4096"},
        {"array A[4] align 0", "1:18", "an alignment has 1 to"},
        {"array A[4] at -8", "1:15", "out of range"},
        {"array A[4] at 64 align 64", "1:7", "both an address and an alignment"},
        {"repeat 2 { array A[4] }", "1:12", "outside of all braces"},
        {"repeat 2 { let n = 4 }", "1:12", "outside of all braces"},
        {"let n 4", "1:7", "expected \"=\" after let n"},
        {"let n = random(4)", "1:9", "no constant"},
        {"for i in 0..4 { read 64 of i }", "1:28", "a constant is needed"},
        {"read 64 of 5000", "1:12", "an access has 1 to 4096"},
        {"array A[1M] of 4096 at 0x1000\narray B[4] at 0x2000\nread A[0]", "2:7", "B overlaps the array A"},
        {"array A[1G][1M]; read A[0][0]", "1:7", "too large"},
        {"read A[0x7fffffffffff]", "1:6", "too large"},
    });
}

TEST(PatternParser, SaysWhereNumbersAreWrong) {
    expectFaults({
        {"read A[16x]", "1:8", "\"16x\" is not a number"},
        {"read 0x", "1:6", "not a number"},
        {"read 0xfffffffffffffffff", "1:6", "not a number"},
        {"read 0xffffffffffffffff", "1:6", "too large"},
        {"read 99999999999999999999", "1:6", "not a number"},
        {"read A[1 + ]", "1:12", "expected a number, not \"]\""},
        {"read A[(1 + 2]", "1:14", "expected \")\""},
        {"read A[min(1)]", "1:13", "expected \",\""},
        {"read A[random 4]", "1:15", "write random(16)"},
        {"for row in 0..4 { read A[rwo] }", "1:26", "did you mean \"row\"?"},
        {"read A[n]", "1:8", "there is no variable \"n\""},
        {"read A[0], B[A]", "1:14", "A is an array"},
        {"read A[0] & 3", "1:11", "\"&\" has no meaning"},
        {"# Maß\nread Aß[0]", "2:7", "\"ß\" has no meaning"},
        {"# Maß\nread A[0]\xff", "2:10", "has no meaning"},
        {std::string("read 8\0", 7), "1:7", "has no meaning"},
        {fmt::format("read {}1", std::string(100, '(')), "1:70", "nested"},
        {fmt::format("read {}1", std::string(100, '-')), "1:70", "nested"},
    });
    std::string deep;
    for (int i = 0; i < 70; ++i) deep += fmt::format("for i{} in 0..1 {{ ", i);
    EXPECT_NE(wrongIn(deep).find("nested"), std::string::npos);
    // A column is a character, not a byte.
    expectFaults({{"/* */", "1:1", "no statement begins with \"/\""}});
}

TEST(PatternParser, TakesWhatIsUsual) {
    for (const char* const sound : {
             "read 0",
             "read 0;",
             ";;read 0x10 of 1;write 0x10\nupdate 16",
             "read A[0] read A[1] // two\n# three\nread A[2]",
             "for i in 0..1{for j in i..i+1{read A[i][j],A[j][i]}}",
             "for for_ in 0..1 { read read_[for_] }",
             "let a = 2 * 3; let b = a % 4; array X[a][b]; read X[a - 1][b - 1]",
             "\r\nread 1\r\n",
             "cpu 63 { read 0 }",
             "repeat 0 { read A[0] } read B[0]",
         }) {
        EXPECT_EQ(wrongIn(sound), "") << sound;
    }
}

TEST(PatternParser, RefusesTextsThatAreTooLong) {
    const std::string all(kMaxPatternBytes - 6, ' ');
    EXPECT_EQ(wrongIn("read 0" + all), "");
    EXPECT_NE(wrongIn("read 0" + all + " ").find("too long"), std::string::npos);
    // Neither many terms nor many names take a large stack, or long.
    std::string sum = "read 0";
    std::string names;
    for (int i = 0; i < 50'000; ++i) {
        sum += "+1";
        names += fmt::format("read a{}[0] ", i);
    }
    EXPECT_EQ(addressesOf(sum), std::vector<std::uint64_t>{50'000});
    EXPECT_EQ(patternTrace(names).regions().size(), 50'000u);
}

}  // namespace
}  // namespace whorl::sim::test
