// JSON written by people: what is wrong with it is said in plain words, in time proportional to the text.
#include "sim/base/json_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "sim/base/text.h"
#include "support/json.h"

namespace whorl::sim {
namespace {

/// The sentences about a text, one a line, without the file's name; empty if there are none.
std::string said(std::string_view text) {
    std::string out;
    for (const Error& error : jsonErrors(text, "f")) out += (out.empty() ? "" : "\n") + error.sentence();
    return out;
}

/// The same for one syntax error, without what they all begin with.
std::string fault(std::string_view text) {
    const std::string sentence = said(text);
    const std::string_view same = ": this is not JSON: ";
    const std::size_t at = sentence.find(same);
    return at == std::string::npos ? sentence : sentence.substr(2, at - 2) + " " + sentence.substr(at + same.size());
}

TEST(JsonText, SoundTextsHaveNoErrors) {
    for (const char* text : {"{}", "[]", " [1, -2.5e+3, true, false, null, \"a\\n\\u00e9\\ud83d\\ude00\"] ", "3",
                             "\"x\"", "\xef\xbb\xbf{\"a\": {\"a\": [[], {}]}}"}) {
        EXPECT_EQ(said(text), "") << text;
    }
}

TEST(JsonText, FaultsAreNamedForWhatTheyAre) {
    EXPECT_EQ(fault(" \n"), "2:1 the file is empty; it should begin with {");
    EXPECT_EQ(fault("{\"a\": [1,\n2"),
              "2:2 the text ends before the [ that line 1 opens is closed; add ], or see whether the file is complete");
    EXPECT_EQ(fault("{\"a\": 1,}"), "1:8 a comma stands before }; remove the comma");
    EXPECT_EQ(fault("[1, ]"), "1:3 a comma stands before ]; remove the comma");
    EXPECT_EQ(fault("[1,,2]"), "1:4 there is no value before the comma; remove the comma");
    EXPECT_EQ(fault("{'a': 1}"), "1:2 \"a\" is in single quotes; use double quotes");
    EXPECT_EQ(fault("{\"a\": 'b'}"), "1:7 \"b\" is in single quotes; use double quotes");
    EXPECT_EQ(fault("{ // here\n}"), "1:3 \"// here\" is a comment; remove it: JSON has no comments");
    EXPECT_EQ(fault("{\"a\": 1 /* b */}"), "1:9 \"/* b */}\" is a comment; remove it: JSON has no comments");
    EXPECT_EQ(fault("[1] # end"), "1:5 more follows the end of the JSON; remove it: a file has one value");
    EXPECT_EQ(fault("{a: 1}"), "1:2 the key \"a\" is not in quotes; put it in double quotes");
    EXPECT_EQ(fault("{\"a\": lru}"), "1:7 \"lru\" is not in quotes; put texts in double quotes");
    EXPECT_EQ(fault("[True]"), "1:2 \"True\" is not a value; write true");
    EXPECT_EQ(fault("[None]"), "1:2 \"None\" is not a value; write null");
    EXPECT_EQ(fault("[NaN]"), "1:2 \"NaN\" is not a number in JSON; write a finite one");
    EXPECT_EQ(fault("[1 2]"), "1:4 there is no comma before \"2\"; put a comma between two values");
    EXPECT_EQ(fault("{\"a\": 1\n\"b c\": 2}"),
              "2:1 there is no comma before \"b c\"; put a comma between a value and the next key");
    EXPECT_EQ(fault("{\"a\"}"),
              "1:2 the key \"a\" has no value; write a colon and a value after it, as in \"ways\": 8");
    EXPECT_EQ(fault("{\"a\": }"), "1:7 the key \"a\" has no value; write one after the colon");
    EXPECT_EQ(fault("{\"a\": [1}"), "1:9 } closes the [ of line 1; close it with ]");
    EXPECT_EQ(fault("{\"a\": 1: 2}"), "1:8 a colon stands after a value; it belongs between a key and its value");
    EXPECT_EQ(fault("{[1]: 2}"), "1:2 a key should be here, not [; an object is a list of \"key\": value");
    EXPECT_EQ(
        fault("[\"a]\n"),
        "1:2 the text that begins here does not end on its line; close it with \", or write \\n for a line break in "
        "it");
    EXPECT_EQ(fault("[\"a]"), "1:2 the text that begins here does not end; close it with \"");
    EXPECT_EQ(fault("[\"a\tb\"]"), "1:4 the character U+0009 stands within a text; write \\t for a tab");
    EXPECT_EQ(fault("[\"C:\\dir\"]"), "1:5 \"\\d\" is not an escape; write \\\\ for a backslash");
    EXPECT_EQ(fault("[\"\\ud800\"]").substr(0, 31), "1:3 \"\\ud800\" is not a character");
    EXPECT_EQ(fault("[\"\\u12\"]").substr(0, 29), "1:3 \"\\u12\" is not a character");
    EXPECT_EQ(fault("[\"\xc3\xa9\xe9\"]"), "1:4 the byte 0xe9 is not UTF-8; save the file as UTF-8");
    for (const char* number : {"01", "1.", ".5", "+1", "-", "0x10", "1e", "1_000"}) {
        EXPECT_EQ(
            fault(fmt::format("[{}]", number)),
            fmt::format("1:2 the number \"{}\" is not written as in JSON; write decimal digits, such as 64, -3 or "
                        "0.5, without zeros before them",
                        number));
    }
    EXPECT_EQ(fault("[1e999]"), "1:2 the number \"1e999\" is too large; at most 1.7e308 is possible");
}

TEST(JsonText, DuplicateKeysHaveTheirPaths) {
    EXPECT_EQ(said(R"({"a": 1, "b": [{}, {"c": 1, "\u0063": 2}], "a": 3})"),
              "f: b[1]: the key \"c\" appears twice in one object; remove one of them\n"
              "f: the key \"a\" appears twice in one object; remove one of them");
    std::string deep;
    for (int i = 0; i < 100; ++i) deep += fmt::format("{{\"k{}\": ", i);
    deep += R"({"x": 1, "x": 2})" + std::string(100, '}');
    EXPECT_EQ(said(deep),
              "f: k0.k1.k2.k3.….k96.k97.k98.k99: the key \"x\" appears twice in one object; remove one of them");
}

TEST(JsonText, HasItsLimits) {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    EXPECT_EQ(said(nested(kMaxNested)), "");
    EXPECT_EQ(fault(nested(kMaxNested + 1)),
              "1:201 objects and lists are nested more than 200 deep; no file that Whorl reads needs that");
    std::string keys = "{\"k\": 0";
    for (std::size_t i = 1; i < kMaxKeys; ++i) keys += fmt::format(", \"{}\": 0", i);
    EXPECT_EQ(said(keys + "}"), "");
    EXPECT_EQ(fault(keys + ",\n\"more\": 0}"), "2:1 the object has more than 1000 keys; remove some of them");
}

// Each of these took time with the square of its length, or recursed: they would take hours, or the stack.
TEST(JsonText, JsonTakesTimeInProportionToTheText) {
    constexpr std::size_t kMany = 2'000'000;
    std::string text = "[";
    text.append(kMany, '[');
    EXPECT_EQ(jsonErrors(text, "f").size(), 1u);
    text = "{\"a\": 1";
    for (std::size_t i = 0; i < kMany; ++i) text += ",\"a\":1";
    EXPECT_EQ(jsonErrors(text + "}", "f").size(), 1u);
    text = std::string(150, '[');
    for (std::size_t i = 0; i < kMany / 10; ++i) text += R"({"a":1,"a":2},)";
    EXPECT_EQ(jsonErrors(text + "1" + std::string(150, ']'), "f").size(), kMany / 10);
    text = "[\"" + std::string(kMany, 'x') + "\"]";
    EXPECT_EQ(jsonErrors(text, "f").size(), 0u);
    text = "[" + std::string(kMany, '9') + "]";
    EXPECT_EQ(jsonErrors(text, "f").size(), 1u);
}

/// A random text that is often JSON and often nearly.
std::string randomText(std::mt19937& random) {
    static const std::vector<std::string> kPieces = {"{",           "}",
                                                     "[",           "]",
                                                     ",",           ":",
                                                     "\"a\"",       "\"b\"",
                                                     "1",           "-0.5e1",
                                                     "true",        "null",
                                                     " ",           "\n",
                                                     "\"\\u00e9\"", "\"\xc3\xa9\"",
                                                     "\"\xff\"",    "\"\\ud83d\\ude00\"",
                                                     "\"\\ud83d\"", "01",
                                                     "tru",         "'a'",
                                                     "//",          "1e400",
                                                     "-",           "\"\t\"",
                                                     "\"\\x\"",     "\"",
                                                     "\\",          "1e-400",
                                                     "\"k\":",      "{\"k\":1}",
                                                     "[1,2]",       "\xef\xbb\xbf"};
    std::uniform_int_distribution<std::size_t> piece(0, kPieces.size() - 1);
    std::string text;
    for (std::size_t n = random() % 9 + 1; n > 0; --n) text += kPieces[piece(random)];
    return text;
}

/// A random value, nested.
std::string randomValue(std::mt19937& random, int depth) {
    const auto many = [&](auto&& one) {
        std::string out;
        for (std::size_t n = random() % 4; n > 0; --n) out += (out.empty() ? "" : ",") + one();
        return out;
    };
    switch (depth == 0 ? 2 + random() % 4 : random() % 6) {
        case 0:
            return "[" + many([&] { return randomValue(random, depth - 1); }) + "]";
        case 1:
            return "{" +
                   many([&] { return fmt::format("\"k{}\": {}", random() % 5, randomValue(random, depth - 1)); }) + "}";
        case 2:
            return fmt::format("{}", static_cast<double>(random()) / 1e5);
        case 3:
            return fmt::format("-{}e{}", random() % 100, random() % 20);
        case 4:
            return "\"a\\\"\xc3\xa9\"";
        default:
            return "false";
    }
}

// What is accepted here is interpreted by another parser, which must accept it too, and the other way round.
TEST(JsonText, AcceptsExactlyWhatIsParsed) {
    std::mt19937 random(1);
    for (int i = 0; i < 60'000; ++i) {
        std::string text = i % 2 == 0 ? randomText(random) : randomValue(random, 4);
        if (i % 4 == 1 && !text.empty()) text[random() % text.size()] = "{}[],:\"x1 \x80"[random() % 11];
        const auto errors = jsonErrors(text, "f");
        const bool isSyntax = !errors.empty() && errors[0].what.starts_with("this is not JSON");
        ASSERT_EQ(!isSyntax, test::Json::accepts(text)) << text << "\n" << said(text);
        ASSERT_EQ(said(text).find("unexpected"), std::string::npos) << "a word of the library";
    }
}

TEST(Utf8, CountsAndWritesCharacters) {
    EXPECT_EQ(characterCount("aé€😀"), 4u);
    for (std::uint32_t code = 0; code < 0x110000; ++code) {
        if (code >= 0xd800 && code < 0xe000) continue;
        std::string text;
        appendCharacter(text, code);
        ASSERT_EQ(characterLength(text), text.size()) << code;
    }
    for (const char* wrong : {"\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3", "\xff"}) {
        EXPECT_EQ(characterLength(wrong), 0u);
    }
}

}  // namespace
}  // namespace whorl::sim
