// Expressions and claims: their values against an independent computation, and the errors with their places.
#include "app/tours/expression.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

namespace whorl::app {
namespace {

const std::map<std::string, sim::Quantity, std::less<>> kSome = {
    {"L1.misses", {64}},           {"accesses", {256}}, {"n", {16}},
    {"L1.hit_rate", {0.75, true}}, {"none", {0}},       {"L9.hit_rate", {std::nan(""), true}}};

sim::Expected<sim::Quantity> some(std::string_view name) {
    const auto found = kSome.find(name);
    if (found != kSome.end()) return found->second;
    return sim::fail({}, fmt::format("there is no quantity {}", name), "did you mean another?");
}

double number(const std::string& text) {
    const auto value = valueOf(text, some);
    EXPECT_TRUE(value) << text << ": " << value.error().sentence();
    return value ? value->value : std::nan("");
}
std::string refusal(const std::string& text) {
    const auto value = valueOf(text, some);
    return value ? "accepted" : value.error().sentence();
}

TEST(Expression, OperatorsBindAsUsual) {
    EXPECT_EQ(number("2 + 3 * 4"), 14);
    EXPECT_EQ(number("(2 + 3) * 4"), 20);
    EXPECT_EQ(number("20 - 3 - 4"), 13);
    EXPECT_EQ(number("64 / 4 / 2"), 8);
    EXPECT_EQ(number("-n + 20"), 4);
    EXPECT_EQ(number("2 * -n"), -32);
    EXPECT_EQ(number("L1.misses/accesses"), 0.25);
    EXPECT_EQ(number(" 0.5*n "), 8);
}

/// A random expression, and its value computed while it is written.
struct Written {
    std::string text;
    double value = 0;
};
Written written(std::mt19937& random, int depth) {
    const auto leaf = [&]() -> Written {
        if (random() % 2 == 0) {
            const unsigned whole = random() % 100 + 1;
            return {fmt::format("{}", whole), static_cast<double>(whole)};
        }
        const char* name = random() % 2 == 0 ? "n" : "L1.misses";
        return {name, kSome.find(name)->second.value};
    };
    if (depth == 0) return leaf();
    const Written a = written(random, depth - 1);
    const Written b = written(random, depth - 1);
    switch (random() % 5) {
        case 0:
            return {"(" + a.text + " + " + b.text + ")", a.value + b.value};
        case 1:
            return {"(" + a.text + "-" + b.text + ")", a.value - b.value};
        case 2:
            return {"(" + a.text + ") *(" + b.text + ")", a.value * b.value};
        case 3:
            if (b.value != 0) return {"((" + a.text + ") / (" + b.text + "))", a.value / b.value};
            [[fallthrough]];
        default:
            return {"-(" + a.text + ")", -a.value};
    }
}

TEST(Expression, RandomOnesHaveTheirValues) {
    for (unsigned seed = 0; seed < 400; ++seed) {
        std::mt19937 random(seed);
        const Written w = written(random, static_cast<int>(seed % 5));
        EXPECT_EQ(number(w.text), w.value) << w.text;
        const auto same = triedClaim(fmt::format("{} == {}", w.text, w.text), some);
        ASSERT_TRUE(same) << w.text;
        EXPECT_TRUE(same->holds) << w.text;
        // Of three relations exactly one holds.
        const Written v = written(random, 2);
        int held = 0;
        for (const char* sign : {"<", "==", ">"}) {
            held += triedClaim(fmt::format("{} {} {}", w.text, sign, v.text), some)->holds ? 1 : 0;
        }
        EXPECT_EQ(held, 1) << w.text << " and " << v.text;
    }
}

TEST(Expression, SharesStayShares) {
    EXPECT_TRUE(valueOf("L1.hit_rate", some)->isShare);
    EXPECT_TRUE(valueOf("1 - L1.hit_rate", some)->isShare);
    EXPECT_FALSE(valueOf("L1.hit_rate * accesses", some)->isShare);
    EXPECT_FALSE(valueOf("L1.misses / accesses", some)->isShare);
    EXPECT_TRUE(valueOf("L1.misses / accesses %", some)->isShare);
}

TEST(Expression, ErrorsSayWhere) {
    EXPECT_EQ(refusal("n + "),
              "\"n + \", character 5: a value is missing; give a number, or a quantity such as L1.misses");
    EXPECT_EQ(refusal("n + * 2"),
              "\"n + * 2\", character 5: this is no value; give a number, or a quantity such as L1.misses");
    EXPECT_EQ(refusal("(n + 2"), "\"(n + 2\", character 7: a parenthesis is open; close it with )");
    EXPECT_EQ(refusal("n 2"),
              "\"n 2\", character 3: \"2\" is not expected; an expression ends here, or goes on with + - * /");
    EXPECT_EQ(refusal("n % 2"),
              "\"n % 2\", character 5: \"2\" is not expected; an expression ends here, or goes on with + - * /");
    EXPECT_EQ(refusal("4.5.6 + n"), "\"4.5.6 + n\", character 1: \"4.5.6\" is no number; write it as in 64 or 0.25");
    EXPECT_EQ(refusal("2 * L3.misses"),
              "\"2 * L3.misses\", character 5: there is no quantity L3.misses; did you mean another?");
    EXPECT_EQ(refusal("n / none"),
              "\"n / none\", character 3: something is divided by 0; name a quantity that is not 0 here");
    EXPECT_EQ(refusal("L9.hit_rate"),
              "\"L9.hit_rate\", character 1: L9.hit_rate has no value here; it is a ratio of what does not happen");
    EXPECT_EQ(refusal("L1..misses"),
              "\"L1..misses\", character 1: \"L1..misses\" is no name; names are such as L1.misses");
    EXPECT_EQ(refusal("…"), "\"…\", character 1: this is no value; give a number, or a quantity such as L1.misses");
    EXPECT_NE(refusal(std::string(200, '(') + "n").find("nested too deeply"), std::string::npos);
    EXPECT_NE(refusal(std::string(200, '-') + "n").find("nested too deeply"), std::string::npos);
}

TEST(Claim, ComparesAndKeepsBothSides) {
    const auto tried = triedClaim("L1.misses * 4 == accesses", some).value();
    EXPECT_TRUE(tried.holds);
    EXPECT_EQ(tried.left.value, 256);
    EXPECT_EQ(tried.right.value, 256);
    EXPECT_EQ(tried.sign, "==");
    for (const auto& [claim, holds] : std::map<std::string, bool>{{"n < 16", false},
                                                                  {"n <= 16", true},
                                                                  {"n > 15", true},
                                                                  {"n >= 17", false},
                                                                  {"n != 16", false},
                                                                  {"n!=3", true},
                                                                  {"L1.misses / 3 * 3 == 64", true}}) {
        EXPECT_EQ(triedClaim(claim, some)->holds, holds) << claim;
    }
    EXPECT_EQ(triedClaim("n", some).error().sentence(),
              "\"n\", character 2: nothing is compared; a claim has one of == != < <= > >=, as in L1.misses == 64");
    EXPECT_EQ(triedClaim("1 < n < 3", some).error().sentence(),
              "\"1 < n < 3\", character 7: \"< 3\" is not expected; a claim compares two expressions");
    EXPECT_FALSE(triedClaim("n = 16", some));
}

TEST(Claim, ItsFormIsKnownWithoutARun) {
    EXPECT_TRUE(checkClaim("L7.misses / (n - n) == 4"));
    EXPECT_TRUE(checkExpression("L7.misses %"));
    EXPECT_EQ(checkExpression("4").error().sentence(),
              "\"4\" names no quantity; name one, such as L1.misses, so that the number comes from the run");
    EXPECT_FALSE(checkExpression(""));
    EXPECT_FALSE(checkClaim("4 == 4"));
    EXPECT_FALSE(checkClaim("n =="));
    EXPECT_FALSE(checkClaim("n == 4 %"));
}

}  // namespace
}  // namespace whorl::app
