// Quantities by name: they equal what the reports write, and the sums of the ledger.
#include "sim/report/quantities.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "sim/programs/program.h"
#include "sim/replay/measuring.h"
#include "sim/report/report.h"

namespace whorl::sim {
namespace {

struct MeasuredSpec {
    std::shared_ptr<const Trace> trace;
    Measures measures;
};

MeasuredSpec measuredSpec(const std::string& spec, const std::string& machine) {
    Progress progress;
    auto trace = std::make_shared<const Trace>(runProgram(parseProgramSpec(spec).value(), progress).value());
    const Range half{Tick{trace->size() / 4}, Tick{trace->size() / 2}};
    auto measures = measure(trace, loadMachine(machine).value(), half, true, progress).value();
    return {trace, std::move(measures)};
}

double valueNamed(const Quantities& quantities, const std::string& name) {
    const auto value = quantities.named(name);
    EXPECT_TRUE(value) << value.error().sentence();
    return value ? value->value : -1;
}

/// Each counter of the table that `whorl stats --csv` writes has a quantity, the sum over the caches of a level.
TEST(Quantities, AreTheCountsThatStatsWrites) {
    for (const auto& [spec, machine] : std::map<std::string, std::string>{
             {"matmul:n=12", "paper"}, {"vecadd:n=64", "128/8/16, 1K/8/16"}, {"matmul:n=20", "paged"}}) {
        const MeasuredSpec of = measuredSpec(spec, machine);
        const Quantities quantities(of.measures, of.trace);
        std::map<std::string, double> sums;
        const Table counts = countsTable({.measures = of.measures, .kinds = true, .use = true, .tables = {}});
        for (const auto& row : counts.rows) {
            std::string level = std::get<std::string>(row[1]);
            const std::string counter = std::get<std::string>(row[3]);
            if (level == "CPU" || counter == "utilization") continue;
            if (level == "TLB") level = "tlb";
            const auto* const count = std::get_if<std::uint64_t>(&row[4]);
            sums[level.empty() ? counter : level + "." + counter] +=
                count != nullptr ? static_cast<double>(*count) : std::get<double>(row[4]);
        }
        EXPECT_GT(sums.size(), 30u);
        for (const auto& [name, sum] : sums) EXPECT_EQ(valueNamed(quantities, name), sum) << spec << ": " << name;
        double cycles = 0;
        for (const Cycles ofCpu : of.measures.cycles) cycles += static_cast<double>(ofCpu);
        EXPECT_EQ(valueNamed(quantities, "cycles"), cycles);
        EXPECT_EQ(quantities.named("L1.hit_rate")->value, of.measures.counters.level(0).hitRate());
        EXPECT_TRUE(quantities.named("L1.hit_rate")->isShare);
        EXPECT_FALSE(quantities.named("L1.hits")->isShare);
    }
}

TEST(Quantities, HaveTheKeysOfTheMachine) {
    const MeasuredSpec of = measuredSpec("matmul:n=20", "paged");
    const Quantities quantities(of.measures, of.trace);
    const MachineConfig& machine = of.measures.machine;
    EXPECT_EQ(valueNamed(quantities, "cpus"), machine.cpus);
    EXPECT_EQ(valueNamed(quantities, "memory_latency"), machine.memoryLatency);
    EXPECT_EQ(valueNamed(quantities, "tlb.page"), machine.tlb.page);
    EXPECT_EQ(valueNamed(quantities, "memory.fault"), machine.memory.fault);
    for (const LevelConfig& level : machine.levels) {
        EXPECT_EQ(valueNamed(quantities, level.name + ".size"), level.size);
        EXPECT_EQ(valueNamed(quantities, level.name + ".ways"), level.ways);
        EXPECT_EQ(valueNamed(quantities, level.name + ".block"), level.block);
        EXPECT_EQ(valueNamed(quantities, level.name + ".sets"), level.sets());
    }
}

TEST(Quantities, OfRegionsAddUpToThoseOfAll) {
    const MeasuredSpec of = measuredSpec("matmul:n=12", "paper");
    const Quantities quantities(of.measures, of.trace);
    for (const char* key : {"accesses", "cycles", "L1.misses", "L1.conflict", "L2.misses"}) {
        double sum = 0;
        for (const char* region : {"A", "B", "C"}) sum += valueNamed(quantities, std::string(region) + "." + key);
        EXPECT_EQ(sum, valueNamed(quantities, key)) << key;
        EXPECT_GT(sum, 0) << key;
    }
}

TEST(Quantities, OfClassesAreThoseOfTheirObjects) {
    const MeasuredSpec of = measuredSpec("vecadd", "128/8/16, 1K/8/16");
    const Quantities quantities(of.measures, of.trace);
    double sum = 0;
    for (std::size_t i = 0; i < of.trace->objects().size(); ++i) {
        if (of.trace->objects()[i].className != "Monitor") continue;
        sum += static_cast<double>(of.measures.ledger->objects.cycles(i));
    }
    EXPECT_GT(sum, 0);
    EXPECT_EQ(valueNamed(quantities, "Monitor.cycles"), sum);
}

TEST(Quantities, OfNothingAreRefusedWithWhatIsNear) {
    const MeasuredSpec of = measuredSpec("matmul:n=4", "uncached");
    const Quantities none(of.measures, of.trace);
    EXPECT_EQ(none.named("L1.misses").error().sentence(),
              "there is no quantity \"L1.misses\"; quantities are such as accesses, cycles, L1.misses, L1.ways, and "
              "A.L1.misses of a region");
    const MeasuredSpec cached = measuredSpec("matmul:n=4", "paper");
    const Quantities quantities(cached.measures, cached.trace);
    EXPECT_EQ(quantities.named("L1.mises").error().sentence(),
              "there is no quantity \"L1.mises\"; did you mean \"L1.misses\"?");
    EXPECT_FALSE(quantities.named("L1.policy"));
    EXPECT_FALSE(quantities.named("A.misses"));
    EXPECT_FALSE(quantities.named(""));
}

TEST(Quantities, OfALevelThatIsNotAskedHaveNoRate) {
    Progress progress;
    auto trace = std::make_shared<const Trace>(runProgram(parseProgramSpec("arrayinit:n=8").value(), progress).value());
    const Measures nothing = measure(trace, loadMachine("paper").value(), {Tick{3}, Tick{3}}, true, progress).value();
    const Quantities quantities(nothing, trace);
    EXPECT_TRUE(std::isnan(quantities.named("L1.hit_rate")->value));
    EXPECT_EQ(quantities.named("L1.misses")->value, 0);
}

TEST(Quantities, AreShownAsElsewhere) {
    const auto words = [](double value) { return quantityInWords({value}); };
    EXPECT_EQ(words(0), "0");
    EXPECT_EQ(words(8448), "8 448");
    EXPECT_EQ(words(-740), "−740");
    EXPECT_EQ(words(2.5), "2.5");
    EXPECT_EQ(words(1.0 / 3), "0.333");
    EXPECT_EQ(words(66.6666), "66.7");
    EXPECT_EQ(words(1234.56), "1 235");
    EXPECT_EQ(words(3 * 0.1 / 0.3), "1") << "rounding of the computer is none of the result";
    const auto share = [](double value) { return quantityInWords({value, true}); };
    EXPECT_EQ(share(0.25), "25 %");
    EXPECT_EQ(share(0.97512), "97.5 %");
    EXPECT_EQ(share(0.14203), "14.2 %");
    EXPECT_EQ(share(1), "100 %");
    EXPECT_EQ(share(0.9999), "99.9 %") << "not all";
    EXPECT_EQ(share(0), "0 %");
    EXPECT_EQ(share(-0.5), "−50 %");
    EXPECT_EQ(share(12.5), "1 250 %");
}

}  // namespace
}  // namespace whorl::sim
