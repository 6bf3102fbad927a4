#include "sim/report/hardware_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/report/machine_words.h"
#include "sim/report/report_rows.h"
#include "sim/report/table.h"

namespace whorl::sim {
namespace {

constexpr double kTolerated = 0.1;

double ratioOf(const CheckedCount& count) {
    return static_cast<double>(count.simulated) / static_cast<double>(*count.counted);
}

bool agrees(const CheckedCount& count) {
    if (!count.counted) return true;
    if (*count.counted == 0) return count.simulated == 0;
    return ratioOf(count) > 1 - kTolerated && ratioOf(count) < 1 + kTolerated;
}

std::string whyAccesses(const CheckedCount& count) {
    if (count.simulated > *count.counted) {
        return "Valgrind splits some instructions, so that one load or store of the processor is several here";
    }
    return "the processor also counts loads after a mispredicted branch, and replayed loads";
}

std::string whyMisses(const CheckedCount& count, const MachineConfig& machine) {
    if (count.simulated > *count.counted) {
        if (prefetches(machine)) return "the processor's prefetchers know more patterns than the simulated ones";
        return "the processor prefetches blocks, and the simulated machine does not (--set L1.prefetch=next-line comes "
               "closer)";
    }
    return "the kernel, other programs and mispredicted branches displace blocks of a real cache, whose replacement "
           "and physical addresses also differ from the simulated ones";
}

std::string checkAsText(const std::vector<CheckedCount>& counts, const std::string& machine) {
    std::string out = fmt::format("{:<16}{:>18}{:>18}{:>12}   of the whole program; simulated on {}\n", "", "simulated",
                                  "counted", "ratio", machineCalled(machine));
    for (const CheckedCount& count : counts) {
        const std::string counted = count.counted ? grouped(*count.counted) : "not counted";
        const bool hasRatio = count.counted && *count.counted > 0;
        out += fmt::format("{:<16}{:>18}{:>18}{:>12}   {}\n", count.what, grouped(count.simulated), counted,
                           hasRatio ? fmt::format("{:.2f}", ratioOf(count)) : "", count.event);
    }
    for (const CheckedCount& count : counts) {
        if (!count.differs.empty()) out += fmt::format("\n{}: {}.\n", count.what, count.differs);
    }
    return out;
}

JsonValue checkAsJson(const std::vector<CheckedCount>& counts, const std::string& machine) {
    const auto rowOf = [](const CheckedCount& count) {
        return JsonObject{{"what", count.what},
                          {"event", count.event},
                          {"simulated", count.simulated},
                          {"counted", count.counted},
                          {"differs", count.differs}};
    };
    return JsonObject{{"machine", machine}, {"counts", jsonArrayOf(counts, rowOf)}};
}

}  // namespace

std::vector<CheckedCount> checkedCounts(const Measures& measures, std::uint64_t instructions,
                                        const std::map<std::string, std::uint64_t>& counted) {
    std::vector<CheckedCount> counts;
    const auto& levels = measures.machine.levels;
    counts.push_back({.what = "instructions", .event = "instructions", .simulated = instructions});
    counts.push_back({.what = "loads", .event = "L1-dcache-loads", .simulated = measures.counters.reads});
    counts.push_back({.what = "stores", .event = "L1-dcache-stores", .simulated = measures.counters.writes});
    if (!levels.empty()) {
        counts.push_back({.what = measures.machine.levelName(0) + " read misses",
                          .event = "L1-dcache-load-misses",
                          .simulated = measures.counters.level(0).readMisses});
    }
    if (levels.size() > 1) {
        const CacheCounters last = measures.counters.level(levels.size() - 1);
        counts.push_back({.what = levels.back().name + " reads", .event = "LLC-loads", .simulated = last.reads});
        counts.push_back(
            {.what = levels.back().name + " read misses", .event = "LLC-load-misses", .simulated = last.readMisses});
    }
    for (CheckedCount& count : counts) {
        const auto known = counted.find(count.event);
        if (known != counted.end()) count.counted = known->second;
        if (agrees(count)) continue;
        if (count.event == "instructions") {
            count.differs = "the program did not do the same work in both runs";
            continue;
        }
        const bool isOfMisses = count.what.ends_with("misses") || count.event == "LLC-loads";
        count.differs = isOfMisses ? whyMisses(count, measures.machine) : whyAccesses(count);
    }
    return counts;
}

Document checkDocument(std::vector<CheckedCount> counts, const std::string& machine) {
    const auto checked = std::make_shared<const std::vector<CheckedCount>>(std::move(counts));
    return {.text = [=](std::size_t) { return checkAsText(*checked, machine); },
            .json = [=] { return checkAsJson(*checked, machine); }};
}

}  // namespace whorl::sim
