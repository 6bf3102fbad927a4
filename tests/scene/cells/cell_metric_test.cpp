// The words of what cells can show.
#include "render/scene/cells/cell_metric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace whorl::scene {
namespace {

constexpr std::array kDisplays{CellDisplay::memory, CellDisplay::memoryLive, CellDisplay::cache,
                               CellDisplay::cacheLive};

std::vector<sim::MachineConfig> machines() {
    std::vector<sim::MachineConfig> out{*sim::parseGeometry("512/2/16"),
                                        *sim::parseGeometry("1K/2/16, 4K/4/32, 16K/8/64")};
    out.push_back(out.back());
    out.back().tlb.entries = 8;
    out.back().memory.size = 16 * 4096;
    return out;
}

TEST(CellMetrics, AreInTheOrderOfTheirNumbersWithWordsOfTheirOwn) {
    for (std::size_t i = 0; i < kCellMetrics.size(); ++i) {
        EXPECT_EQ(static_cast<std::size_t>(kCellMetrics[i].metric), i);
        EXPECT_EQ(kindOf(kCellMetrics[i].metric).word, kCellMetrics[i].word);
        const auto& of = kCellMetrics[i].of;
        EXPECT_TRUE(std::any_of(of.begin(), of.end(), [](bool shows) { return shows; }));
    }
    const sim::MachineConfig cached = machines().front();
    for (const CellDisplay display : kDisplays) {
        std::set<std::string_view> words;
        for (const CellMetricKind& kind : kCellMetrics) {
            if (canShow(display, kind.metric)) {
                EXPECT_TRUE(words.insert(kind.word).second) << kind.word;
            }
        }
        EXPECT_TRUE(canShow(display, usualQuantity(display, cached).metric));
    }
}

TEST(CellMetrics, AreFoundByTheirWords) {
    for (const sim::MachineConfig& machine : machines()) {
        for (const CellDisplay display : kDisplays) {
            const auto quantities = quantitiesOf(display, machine);
            const auto words = quantityWords(display, machine);
            ASSERT_EQ(quantities.size(), words.size());
            EXPECT_EQ(std::set(words.begin(), words.end()).size(), words.size());
            for (std::size_t i = 0; i < words.size(); ++i) {
                EXPECT_EQ(quantityNamed(words[i], display, machine), quantities[i]) << words[i];
                std::string loud = words[i];
                for (char& c : loud) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
                EXPECT_EQ(quantityNamed(loud, display, machine), quantities[i]) << loud;
                EXPECT_NE(inWords(quantities[i], machine), "");
                if (isOfMemory(display)) {
                    EXPECT_EQ(quantityNamed(wordOf(quantities[i], machine), display, machine), quantities[i]);
                }
            }
        }
    }
}

TEST(CellMetrics, OfALevelAreThoseOfTheNearestWithoutOne) {
    const sim::MachineConfig machine = machines()[1];
    EXPECT_EQ(quantityNamed("misses", CellDisplay::memory, machine), (CellQuantity{CellMetric::misses, 0}));
    EXPECT_EQ(quantityNamed("misses:l3", CellDisplay::memory, machine), (CellQuantity{CellMetric::misses, 2}));
}

TEST(CellMetrics, OfOtherWordsAreNone) {
    const sim::MachineConfig machine = machines()[1];
    for (const char* const word : {"", ":", "misses:", "misses:L4", "misses:L1:", "miss", "accesses:L1", "glow"}) {
        EXPECT_EQ(quantityNamed(word, CellDisplay::memory, machine), std::nullopt) << word;
    }
    EXPECT_EQ(quantityNamed("misses:L1", CellDisplay::cache, machine), std::nullopt) << "a cache has its level";
    EXPECT_EQ(quantityNamed("misses", CellDisplay::memoryLive, machine), std::nullopt);
}

/// What a machine cannot have is not offered.
TEST(CellMetrics, OfPagesAreThoseOfMachinesWithPages) {
    const auto offers = [](const sim::MachineConfig& machine, CellMetric metric) {
        const auto all = quantitiesOf(CellDisplay::memory, machine);
        return std::any_of(all.begin(), all.end(), [&](const CellQuantity& q) { return q.metric == metric; });
    };
    EXPECT_FALSE(offers(machines()[1], CellMetric::tlbMisses));
    EXPECT_FALSE(offers(machines()[1], CellMetric::pageFaults));
    EXPECT_TRUE(offers(machines()[2], CellMetric::tlbMisses));
    EXPECT_TRUE(offers(machines()[2], CellMetric::pageFaults));
}

}  // namespace
}  // namespace whorl::scene
