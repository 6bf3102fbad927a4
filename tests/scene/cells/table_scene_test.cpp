// The table of a cache: every way has its place and what the cache holds stands in it, at any size.
#include "render/scene/cells/table_scene.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "render/scene/text_width.h"
#include "sim/cache/hierarchy.h"
#include "sim/trace/trace_builder.h"
#include "support/rounds.h"

namespace whorl::scene {
namespace {

using Random = std::mt19937_64;

/// A machine with one random level, and sometimes a TLB and bounded memory; in the middle of random accesses.
class Machine {
  public:
    explicit Machine(std::uint64_t seed) {
        Random random(seed);
        sim::LevelConfig level;
        level.name = "L1";
        level.block = 8u << random() % 4;
        level.ways = 1u << random() % 5;
        level.size = std::uint64_t{level.block} * level.ways << random() % 8;
        level.policy = static_cast<sim::Policy>(random() % (std::size(sim::kPolicyRows) - 1));
        config.levels = {level};
        config.cpus = 1 + random() % 2;
        config.levels.front().sharedBy = config.cpus == 1 ? 0 : 1;
        if (random() % 2 == 0) config.tlb = {.entries = 8, .ways = 2, .page = 256, .walk = 0};
        if (random() % 2 == 0) config.memory = {.size = 16 * 256, .page = 256, .fault = 0};
        build(random);
    }
    explicit Machine(const sim::LevelConfig& level) {
        config.levels = {level};
        config.cpus = 1;
        Random random(1);
        build(random);
    }

    TableSubject subject(const sim::Contents& contents) const {
        TableSubject made{contents, *trace, *looks, "L1", sim::Tick{trace->size()}};
        for (auto a = accesses.rbegin(); a != accesses.rend() && made.happened.size() < 24; ++a) {
            const sim::BlockAddress block = contents.blockOf(a->address);
            const auto way = contents.find(block);
            made.happened.push_back({contents.setOf(block), way.value_or(sim::WayIndex{0})});
        }
        made.access = TableAccess{.access = accesses.back(),
                                  .tick = sim::Tick{accesses.size() - 1},
                                  .block = contents.blockOf(accesses.back().address),
                                  .isAsked = true,
                                  .isHit = true,
                                  .age = 2};
        return made;
    }

    sim::MachineConfig config;
    std::vector<sim::Access> accesses;
    std::optional<sim::Trace> trace;
    std::optional<sim::Hierarchy> hierarchy;
    std::optional<RegionLooks> looks;

  private:
    void build(Random& random) {
        sim::TraceBuilder builder("random");
        const std::uint64_t bytes = 4 * config.levels.front().size;
        for (int i = 0; i < 400; ++i) {
            sim::Access a;
            a.address = sim::ByteAddress{0x1000 + random() % bytes / 4 * 4};
            a.size = 4;
            a.op = random() % 3 == 0 ? sim::Op::write : sim::Op::read;
            a.cpu = static_cast<std::uint8_t>(random() % config.cpus);
            accesses.push_back(a);
            builder.add(a);
        }
        trace = std::move(builder).finish();
        hierarchy.emplace(config);
        looks.emplace(*trace);
        sim::EventList events;
        for (const sim::Access& a : accesses) hierarchy->access(a, events);
    }
};

TableLook lookOf(Random& random) {
    TableLook look;
    look.size = {300 + static_cast<int>(random() % 1700), 200 + static_cast<int>(random() % 900)};
    look.text = static_cast<float>(12 + random() % 24);
    look.ground = random() % 2 == 0 ? Ground::dark : Ground::light;
    return look;
}

/// Calls f(machine, contents, subject, look, frame) for the stores of random machines in random sizes.
template <class F>
void forEachTable(F&& f) {
    for (std::uint64_t seed = 1; seed <= testRounds(150); ++seed) {
        SCOPED_TRACE(seed);
        const Machine machine(seed);
        Random random(seed);
        for (const sim::Store& store : sim::storesOf(machine.config)) {
            const sim::Contents contents(*machine.hierarchy, store);
            const TableSubject subject = machine.subject(contents);
            const TableLook look = lookOf(random);
            f(contents, subject, look, tableFrame(subject, look));
        }
    }
}

TEST(TableScene, EachWayHasItsPlace) {
    std::size_t ways = 0;
    forEachTable(
        [&](const sim::Contents& contents, const TableSubject&, const TableLook& look, const TableFrame& frame) {
            std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
            std::vector<PixelBox> boxes;
            for (const TableLine& line : frame.lines) {
                EXPECT_LE(line.box.high.x, look.size.x);
                EXPECT_LE(line.box.high.y, frame.body.high.y);
                for (std::uint32_t w = line.firstWay; w < line.firstWay + line.ways; ++w) {
                    const TablePlace place{line.set, sim::WayIndex{w}};
                    EXPECT_LT(w, contents.ways());
                    EXPECT_LT(line.set.value, contents.sets());
                    EXPECT_TRUE(seen.insert({line.set.value, w}).second) << "twice";
                    EXPECT_EQ(frame.lineOf(place), &line);
                    const PixelBox box = frame.boxOf(line, w);
                    EXPECT_EQ(tablePlaceAt(frame, (box.low + box.high) / 2), place);
                    EXPECT_EQ(tablePlaceAt(frame, box.low), place);
                    boxes.push_back(box);
                    ++ways;
                }
            }
            if (frame.hidden == 0 && !frame.lines.empty()) {
                const std::uint64_t all = std::uint64_t{contents.sets()} * contents.ways();
                EXPECT_GE(seen.size() + (contents.store().kind == sim::Store::Kind::pages ? all : 0), all);
            }
        });
    EXPECT_GT(ways, 10 * testRounds(150));
}

/// The texts whose place lies in a box.
std::set<std::string> textsIn(const FlatScene& scene, const PixelBox& box) {
    std::set<std::string> texts;
    for (const Label& label : scene.labels) {
        if (box.contains(glm::ivec2(label.at))) texts.insert(label.text);
    }
    return texts;
}

TEST(TableScene, WhatTheCacheHoldsStandsInItsWays) {
    std::size_t tags = 0;
    forEachTable([&](const sim::Contents& contents, const TableSubject& subject, const TableLook& look,
                     const TableFrame& frame) {
        const FlatScene scene = tableScene(subject, look, frame);
        const bool hasTag = std::any_of(frame.fields.begin(), frame.fields.end(),
                                        [](const FieldPlace& f) { return f.field == TableField::tag; });
        for (const TableLine& line : frame.lines) {
            const std::vector<sim::WayContents> ways = contents.set(line.set);
            for (std::uint32_t w = line.firstWay; w < line.firstWay + line.ways; ++w) {
                const std::set<std::string> texts = textsIn(scene, frame.boxOf(line, w));
                const bool isHeld = w < ways.size() && ways[w].valid;
                if (!hasTag) continue;
                ++tags;
                if (isHeld) {
                    EXPECT_TRUE(texts.contains(fmt::format("{:#x}", contents.tagOf(ways[w].block))));
                } else {
                    EXPECT_TRUE(std::none_of(texts.begin(), texts.end(),
                                             [](const std::string& t) { return t.starts_with("0x"); }));
                }
            }
        }
        for (const Label& label : scene.labels) {
            EXPECT_GE(label.at.x, 0) << label.text;
            if (label.kind != Label::Kind::corner) continue;
            EXPECT_LE(label.at.x + widthOf(label.text, label.size), static_cast<float>(look.size.x) + 1) << label.text;
        }
    });
    EXPECT_GT(tags, testRounds(150));
}

TEST(TableScene, ShowsWhereTheLastAccessWas) {
    std::size_t shown = 0;
    forEachTable([&](const sim::Contents&, const TableSubject& subject, const TableLook&, const TableFrame& frame) {
        if (frame.lines.empty()) return;
        EXPECT_NE(frame.lineOf(subject.happened.front()), nullptr);
        ++shown;
    });
    EXPECT_GT(shown, testRounds(150));
}

/// On the stage, where text is a 32nd of the picture's shorter side.
TEST(TableScene, SixtyFourSetsAreReadAtLectureSize) {
    for (const std::uint32_t ways : {1u, 2u, 4u, 8u}) {
        for (const std::uint32_t sets : {1u, 4u, 16u, 64u}) {
            for (const sim::Policy policy : {sim::Policy::lru, sim::Policy::treePlru, sim::Policy::srrip}) {
                SCOPED_TRACE(fmt::format("{} sets of {} ways", sets, ways));
                sim::LevelConfig level;
                level.name = "L1";
                level.block = 64;
                level.ways = ways;
                level.size = std::uint64_t{64} * ways * sets;
                level.policy = policy;
                const Machine machine(level);
                const sim::Contents contents(*machine.hierarchy, {});
                const TableSubject subject = machine.subject(contents);
                TableLook look;
                look.size = {1920, 1080};
                look.text = 1080.0f / 32;
                const TableFrame frame = tableFrame(subject, look);
                EXPECT_EQ(frame.hidden, 0u);
                EXPECT_GE(frame.text, 20);
                EXPECT_FALSE(frame.address.box.isEmpty());
            }
        }
    }
}

/// The question must not show which set it is.
TEST(TableScene, DoesNotCutTheAddressOfAQuestion) {
    const Machine machine(7);
    const sim::Contents contents(*machine.hierarchy, {});
    TableSubject subject = machine.subject(contents);
    TableLook look;
    look.size = {1280, 720};
    const TableFrame frame = tableFrame(subject, look);
    const auto says = [&](std::string_view words) {
        const FlatScene scene = tableScene(subject, look, frame);
        return std::any_of(scene.labels.begin(), scene.labels.end(),
                           [&](const Label& l) { return l.text.starts_with(words); });
    };
    EXPECT_TRUE(says("tag 0x"));
    EXPECT_TRUE(says("offset "));
    subject.access->isQuestion = true;
    EXPECT_FALSE(says("tag 0x"));
    EXPECT_FALSE(says("index "));
    EXPECT_FALSE(says("offset "));
}

}  // namespace
}  // namespace whorl::scene
