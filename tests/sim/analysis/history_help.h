// Shared by the tests of histories: runs of random machines and traces with all features, and their histories.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "sim/analysis/history_of.h"
#include "sim/reference/random_cases.h"
#include "support/runs.h"

namespace whorl::sim::test {

/// The trace of a program: "matmul:n=24".
inline SharedTrace traceOfProgram(const std::string& words) {
    return shared(ran(words));
}

inline std::shared_ptr<const History> historyOfAll(const sim::Run& run, const HistoryBudget& budget = {}) {
    Progress progress;
    return historyOf(run, wholeOf(run.trace()), progress, budget);
}

/// A random case's accesses with regions, objects that come and go, source lines, instructions and, in some, unrecorded
/// accesses and CPUs that wait for each other.
inline SharedTrace decorated(const std::vector<Access>& accesses, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    TraceBuilder builder("random");
    std::vector<SiteId> sites{SiteId{}};
    for (std::uint32_t line = 1; line < 6; ++line) {
        sites.push_back(builder.site("b.c", line));
        sites.push_back(builder.site("a.c", line));
        sites.push_back(builder.siteAt(ByteAddress{0x400000 + line}));
    }
    std::uint64_t last = 0;
    for (const Access& a : accesses) last = std::max(last, a.address.value);
    // The last access may be to the last byte of the address space.
    const auto anywhere = [&] { return ByteAddress{last + 1 == 0 ? random() : random() % (last + 1)}; };
    for (int i = 0; i < 3; ++i) {
        Region r;
        r.name = std::string(1, static_cast<char>('A' + i));
        r.base = anywhere();
        r.size = 1 + random() % 90;
        builder.addRegion(r);
    }
    std::vector<ByteAddress> bases;
    const bool hides = seed % 3 == 0;
    const bool waits = seed % 5 < 2;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        if (random() % 8 == 0) {
            Object o;
            o.name = "object " + std::to_string(i);
            o.className = random() % 3 == 0 ? "Node" : "Leaf";
            o.base = anywhere();
            o.size = 1 + random() % 40;
            if (builder.newObject(o)) bases.push_back(o.base);
        }
        if (!bases.empty() && random() % 12 == 0) builder.deleteObject(bases[random() % bases.size()]);
        if (waits && i > 0 && random() % 10 == 0) builder.delay(random() % 50, Tick{random() % i});
        Access a = accesses[i];
        a.site = sites[random() % sites.size()];
        a.unrecorded = hides && random() % 4 == 0;
        builder.add(a);
    }
    if (seed % 2 == 0) builder.workBeforeEach(random() % 4);
    return shared(builder);
}

struct RandomRun {
    std::shared_ptr<const Run> run;
    Range range;  ///< every other time the whole run

    explicit RandomRun(std::uint64_t seed, std::size_t accesses = 300) {
        const reference::Case c = reference::randomCase(seed, accesses);
        run = built(decorated(c.trace, seed), c.machine);
        const std::uint64_t size = run->trace().size();
        std::mt19937_64 random(seed);
        range = seed % 2 == 0 ? Range{Tick{0}, Tick{size}}
                              : Range{Tick{random() % (size / 2)}, Tick{size / 2 + random() % (size / 2)}};
    }
    std::shared_ptr<const History> history(const HistoryBudget& budget = {}) const {
        Progress progress;
        return historyOf(*run, range, progress, budget);
    }
};

}  // namespace whorl::sim::test
