// Memory has the name of the variable that holds it, whoever allocates it, wherever it is.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "capture/compiled.h"
#include "sim/trace/owners.h"

namespace whorl::sim {
namespace {

/// Accesses by the owner of the memory.
std::map<std::string, std::uint64_t> accessesByOwner(const Trace& trace) {
    std::map<std::string, std::uint64_t> sums;
    trace.forEach(Tick{0}, Tick{trace.size()},
                  [&](Tick t, const Access& a) { ++sums[trace.owners().name(trace.ownerAt(a.address, t))]; });
    return sums;
}

class OwnersOf : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        if (!test::isInstalled(GetParam())) GTEST_SKIP() << "no " << GetParam();
    }
};

TEST_P(OwnersOf, TheHeapAreItsVariables) {
    const Trace trace = test::recorded({test::compiled("owners.cpp", GetParam())}).trace;
    const auto sums = accessesByOwner(trace);
    const std::map<std::string, std::uint64_t> least = {{"a", 4096 / 8 * 8},
                                                        {"b", 4096 / 8 * 8},
                                                        {"p", 4096},
                                                        {"q", 4096},
                                                        {"c", 4096},
                                                        {"flat", 500},
                                                        {"out", 500},
                                                        {"filled", 2000},
                                                        {"image.pixels", 313},
                                                        {"poster.pixels", 450},
                                                        {"grid.cells", 450},
                                                        {"wide.cells", 550},
                                                        {"nodes of index", 300},
                                                        {"nodes of table", 300},
                                                        {"nodes of queue", 300},
                                                        {"buckets of table", 50},
                                                        {"nodes of tree", 200},
                                                        {"orders", 3000},
                                                        {"prices", 3000},
                                                        {"shared", 750},
                                                        {"owned", 350},
                                                        {"text", 375},
                                                        {"pointers", 100},
                                                        {"pointers of pointers", 100},
                                                        {"pointers of a", 64},
                                                        {"vectors of p", 64}};
    for (const auto& [name, accesses] : least) {
        const auto sum = sums.find(name);
        EXPECT_TRUE(sum != sums.end() && sum->second >= accesses)
            << name << ": " << (sum == sums.end() ? 0 : sum->second) << " of " << accesses;
    }
}

TEST_P(OwnersOf, ElementsHaveTheirTypes) {
    const Trace trace = test::recorded({test::compiled("owners.cpp", GetParam())}).trace;
    std::map<std::string, std::set<std::string>> types;
    for (const Object& o : trace.objects()) {
        types[std::string(variableOf(o.name))].insert(o.type == nullptr ? "" : o.type->name);
    }
    const std::map<std::string, std::string> expected = {{"a", "double"},        {"flat", "float"},
                                                         {"orders", "Order"},    {"filled", "short"},
                                                         {"prices", "double"},   {"image.pixels", "unsigned char"},
                                                         {"grid.cells", "float"}};
    for (const auto& [name, type] : expected) {
        const bool isShort = type == "short" && types[name].contains("short int");
        EXPECT_TRUE(types[name].contains(type) || isShort) << name << ": " << testing::PrintToString(types[name]);
    }
}

INSTANTIATE_TEST_SUITE_P(Compilers, OwnersOf, testing::Values("g++ -O0", "g++ -O2", "clang++ -O2", "whorl cc g++ -O2"),
                         [](const auto& of) {
                             std::string name = of.param;
                             std::erase_if(name,
                                           [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
                             return name;
                         });

class OwnersOfMore : public testing::TestWithParam<std::string> {};

TEST_P(OwnersOfMore, TheStackMappingsAndPoolsAreTheirVariables) {
    const std::string program = test::compiled("stacked.c", GetParam());
    const Trace trace = test::recorded({program}).trace;
    auto sums = accessesByOwner(trace);
    EXPECT_GE(sums["walk::grid"], 7200u);
    EXPECT_GE(sums["scratch::buffer"], 5u * 2125u);
    EXPECT_GE(sums["big"], 4096u);
    EXPECT_GE(sums["text"], 4096u);
    EXPECT_GE(sums["made"], 1500u);
    EXPECT_GE(sums["weights"], 800u);
    EXPECT_GE(sums["marks"], 300u);
    EXPECT_LT(sums["pool"], 2000u);
}

INSTANTIATE_TEST_SUITE_P(Compilers, OwnersOfMore, testing::Values("gcc -O0", "gcc -O1", "gcc -O2"),
                         [](const auto& of) { return of.param.substr(of.param.size() - 2); });

}  // namespace
}  // namespace whorl::sim
