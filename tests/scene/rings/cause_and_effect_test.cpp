// What a miss brings in and what it drives out can be told apart in one picture: ties, numbers, trails, pulses.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "render/scene/easing.h"
#include "render/scene/palette.h"
#include "render/scene/rings/event_numbers.h"
#include "render/scene/text_width.h"
#include "scene/rings/stage.h"
#include "sim/report/sentence.h"
#include "support/scene_texts.h"

namespace whorl::scene {
namespace {

/// A time at which the last access missed, and evicted a dirty block from the nearest level.
double timeOfEviction(TestStage& stage, const View& view) {
    for (double t = 1; t < stage.end(); ++t) {
        const sim::Step& step = *stage.snapshot(t, view).current();
        const bool evicts = std::any_of(step.events.begin(), step.events.end(), [](const sim::Event& e) {
            return e.kind == sim::EventKind::eviction && e.level == 0 && e.dirty;
        });
        if (evicts) return t;
    }
    return 0;
}

bool isNumber(const Label& label) {
    return label.text.starts_with("①") || label.text.starts_with("②") || label.text.starts_with("③") ||
           label.text.starts_with("④");
}

std::string numbersIn(const Scene& scene) {
    std::string all;
    for (const Label& label : scene.labels) {
        if (isNumber(label)) all += label.text;
    }
    return all;
}

TEST(CauseAndEffect, AtRestEachFactHasItsNumber) {
    TestStage stage("conflict", "lecture");
    View view;
    view.numbered = true;
    const double t = timeOfEviction(stage, view);
    ASSERT_GT(t, 0);
    const std::string told = numbersIn(stage.at(t, view));
    for (const sim::StepFact& fact :
         sim::factsOf(*stage.snapshot(t, view).current(), stage.subject().trace, stage.machine())) {
        EXPECT_NE(told.find(numberOf(fact)), std::string::npos) << fact.words;
    }
    EXPECT_NE(told.find("④"), std::string::npos) << told;
}

TEST(CauseAndEffect, WordsTellOfTheNumbersInThePictureEachOnce) {
    TestStage stage("matmul:n=16", "paper");
    std::size_t told = 0;
    for (double t = 500; t < 1500; ++t) {
        View view;
        view.numbered = true;
        view.zoom = t < 1000 ? 1.0f : 6.0f;
        const sim::Snapshot& snapshot = stage.snapshot(t, view);
        const Scene& scene = stage.draw(snapshot, view);
        const auto facts = sim::factsOf(*snapshot.current(), stage.subject().trace, stage.machine());
        std::set<std::string> numbers;
        for (const std::string& words : numberedWords(scene, facts)) {
            const std::string number = words.substr(0, 3);
            EXPECT_TRUE(numbers.insert(number).second) << words;
            EXPECT_TRUE(says(scene, number)) << words;
            ++told;
        }
    }
    EXPECT_GT(told, 100u);
}

TEST(CauseAndEffect, NumbersStandOnlyWhereNothingMoves) {
    TestStage stage("conflict", "lecture");
    View view;
    view.numbered = true;
    const double t = timeOfEviction(stage, view);
    EXPECT_EQ(numbersIn(stage.at(t - 0.3, view)), "") << "the blocks are on their way";
    view.lapse = 10;
    EXPECT_EQ(numbersIn(stage.at(t, view)), "") << "there are several accesses to tell of";
    EXPECT_EQ(numbersIn(stage.at(t, View{})), "") << "not asked for";
}

TEST(CauseAndEffect, NumbersCoverNothingThatMoves) {
    for (const char* machine : {"lecture", "paper", "coherence"}) {
        TestStage stage("matmul:n=8", machine);
        View view;
        view.numbered = true;
        for (double t = 200; t < 300; ++t) {
            const Scene& scene = stage.at(t, view);
            for (const Label& label : scene.labels) {
                if (!isNumber(label)) continue;
                for (const Glyph& g : scene.moving) {
                    if (g.fill.a == 0) continue;
                    EXPECT_GT(glm::distance(g.at, label.at), g.radius + 0.4f * label.size) << machine << " at " << t;
                }
            }
        }
    }
}

/// Where time stands, a trail of the access at hand is the brightest: who looks now sees what happens now.
TEST(CauseAndEffect, TrailsOfEarlierAccessesAreFaint) {
    TestStage stage("matmul:n=16", "paper");
    const View view;
    std::size_t compared = 0;
    for (double t = 3900; t < 4000; ++t) {
        const Scene& scene = stage.at(t, view);
        int now = 0;
        int before = 0;
        for (std::size_t i = 0; i < scene.trails.size(); ++i) {
            const bool isNow = scene.trailTargets[i].tick.value + 1 == static_cast<std::uint64_t>(t);
            int& brightest = isNow ? now : before;
            brightest = std::max(brightest, int{scene.trails[i].colourB.a});
        }
        EXPECT_LT(before, 90) << t;
        if (now == 0) continue;
        EXPECT_GT(now, 2 * before) << t;
        ++compared;
    }
    EXPECT_GT(compared, 20u);
}

TEST(CauseAndEffect, OnTheStageEarlierTrailsAreHardlySeen) {
    TestStage stage("matmul:n=16", "paper");
    View view;
    view.stage = true;
    for (double t = 3900; t < 3950; ++t) {
        const Scene& scene = stage.at(t, view);
        for (std::size_t i = 0; i < scene.trails.size(); ++i) {
            const bool isNow = scene.trailTargets[i].tick.value + 1 == static_cast<std::uint64_t>(t);
            EXPECT_TRUE(isNow || scene.trails[i].colourB.a < 40) << t;
        }
    }
}

/// Two strokes that begin at one point: the heads of arrows.
std::size_t headsIn(const Scene& scene, sim::Tick tick) {
    std::size_t heads = 0;
    for (std::size_t i = 0; i + 1 < scene.trails.size(); ++i) {
        heads += scene.trailTargets[i].tick == tick && scene.trails[i].a == scene.trails[i + 1].a ? 1u : 0u;
    }
    return heads;
}

TEST(CauseAndEffect, OnTheStageTrailsPointWhereTheyLead) {
    TestStage stage("conflict", "lecture");
    View view;
    const double t = timeOfEviction(stage, view);
    const sim::Tick tick{static_cast<std::uint64_t>(t) - 1};
    EXPECT_EQ(headsIn(stage.at(t, view), tick), 0u);
    view.stage = true;
    const Scene& scene = stage.at(t, view);
    EXPECT_EQ(headsIn(scene, tick), 2u) << "what comes in, and what leaves";
    EXPECT_EQ(headsIn(scene, sim::Tick{tick.value - 1}), 0u);
}

TEST(CauseAndEffect, ATrailBeginsWhereItsBlockIsNowInTheCacheThatGaveIt) {
    TestStage stage("matmul:n=16", "paper");
    const View view;
    const Rgba red = paletteFor(Ground::dark).flash;
    std::size_t found = 0;
    for (double t = 3000; t < 4000; ++t) {
        const sim::Snapshot& snapshot = stage.snapshot(t, view);
        const sim::Step& step = *snapshot.current();
        if (sim::servedBy(step, stage.machine()) != 1) continue;
        const Scene& scene = stage.draw(snapshot, view);
        const Motions motions(snapshot, stage.subject(), stage.layout(), view);
        const BlockAt block{1, 0, snapshot.cache(1, 0).blockOf(step.access.address)};
        const glm::vec2 place = scene.centre + motions.pointNow(block, step.access.address);
        const auto begins = [&](const Stroke& s) {
            return s.colourA.r == red.r && s.colourA.b == red.b && glm::distance(s.a, place) < 0.5f;
        };
        EXPECT_TRUE(std::any_of(scene.trails.begin(), scene.trails.end(), begins)) << t;
        ++found;
    }
    EXPECT_GT(found, 20u);
}

/// A block that missed is of its region again before its outline has faded: half red, it would be of another one.
TEST(CauseAndEffect, AtRestAMissIsAnOutlineAroundABlockOfItsHue) {
    TestStage stage("conflict", "lecture");
    const View view;
    const Rgba red = paletteFor(Ground::dark).flash;
    for (double t = 20; t < 60; ++t) {
        const Scene& scene = stage.at(t, view);
        const auto outlined = std::find_if(scene.moving.begin(), scene.moving.end(), [&](const Glyph& g) {
            return g.fill.a == 0 && g.rim.a > 100 && g.rim.r == red.r && g.rim.g == red.g && g.rim.b == red.b;
        });
        ASSERT_NE(outlined, scene.moving.end()) << t << ": all miss";
        const auto block = std::find_if(scene.moving.begin(), scene.moving.end(),
                                        [&](const Glyph& g) { return g.at == outlined->at && g.fill.a == 255; });
        ASSERT_NE(block, scene.moving.end()) << t;
        const std::size_t target = static_cast<std::size_t>(block - scene.moving.begin());
        const Subject subject = stage.subject();
        const std::size_t region = subject.regionOf(scene.movingTargets[target].address, 32);
        const Rgba hue = subject.looks.hueOf(region, {}, Ground::dark);
        EXPECT_NEAR(block->fill.g, hue.g, 3) << t;
        EXPECT_NEAR(block->fill.b, hue.b, 3) << t;
    }
}

TEST(CauseAndEffect, NewcomerAndVictimAreTied) {
    TestStage stage("conflict", "lecture");
    const View view;
    const double t = timeOfEviction(stage, view);
    const Rgba mark = paletteFor(Ground::dark).mark;
    for (const double at : {t - 0.7, t - 0.4, t}) {
        const Scene& scene = stage.at(at, view);
        std::vector<glm::vec2> outlined;
        for (const Glyph& g : scene.moving) {
            if (g.fill.a == 0 && g.rim.r == mark.r && g.rim.g == mark.g && g.rim.b == mark.b) outlined.push_back(g.at);
        }
        ASSERT_GE(outlined.size(), 2u) << at;
        // The last access's tie comes last.
        const glm::vec2 came = outlined[outlined.size() - 2];
        const glm::vec2 left = outlined.back();
        if (glm::distance(came, left) < 40) continue;
        ASSERT_FALSE(scene.threads.empty());
        const Stroke& thread = scene.threads.back();
        EXPECT_LT(glm::distance(thread.a, came), 30) << at;
        EXPECT_LT(glm::distance(thread.b, left), 30) << at;
    }
}

/// Without colour, too: the thread of the nearest level is whole, those beyond are in dashes.
TEST(CauseAndEffect, PairsOfDifferentLevelsDiffer) {
    TestStage stage("matmul:n=16", "paper");
    const View view;
    const sim::Snapshot& snapshot = stage.snapshot(3915.6, view);
    const Scene& scene = stage.draw(snapshot, view);
    const Motions motions(snapshot, stage.subject(), stage.layout(), view);
    std::map<std::size_t, std::size_t> pairs;
    for (const Motions::Tie& tie : motions.ties()) pairs[tie.newcomer.level] += tie.isCopy ? 0 : 1;
    ASSERT_EQ(pairs[0], 1u);
    ASSERT_EQ(pairs[1], 1u);
    const auto isLong = [](const Stroke& stroke) { return glm::distance(stroke.a, stroke.b) > 50; };
    EXPECT_EQ(std::count_if(scene.threads.begin(), scene.threads.end(), isLong), 1);
    EXPECT_GT(scene.threads.size(), 10u) << "the dashes";
}

/// The distance from a label in the middle of its words to a place.
float distanceOf(const Label& label, glm::vec2 at) {
    return glm::distance(label.at, at) - widthOf(label.text, label.size) / 2;
}

TEST(CauseAndEffect, OnTheStageNamesGoWithTheirBlocks) {
    TestStage stage("matmul:n=16", "paper");
    View view;
    view.stage = view.numbered = true;
    view.size = {1080, 1080};
    const Subject subject = stage.subject();
    std::map<std::string, glm::vec2> last;
    std::size_t frames = 0;
    std::size_t named = 0;
    std::size_t hops = 0;
    for (double t = 3900; t < 3930; t += 0.02) {
        const sim::Snapshot& snapshot = stage.snapshot(t, view);
        const Scene& scene = stage.draw(snapshot, view);
        const Motions motions(snapshot, subject, stage.layout(), view);
        std::map<std::string, glm::vec2> now;
        for (const Flight& flight : motions.flights()) {
            if (flight.cutShort || flight.age >= 1 || flight.kind == Flight::Kind::vanishing) continue;
            if (!motions.moves(flight.step) || flight.step + 1 < snapshot.recent.size()) continue;
            const bool enters = flight.kind == Flight::Kind::entering;
            const sim::Step& step = snapshot.recent[flight.step];
            const std::string name =
                subject.trace.placeOf(enters ? step.access.address : flight.address, snapshot.begun());
            const glm::vec2 at = scene.centre + motions.point(flight);
            const auto label = std::find_if(scene.labels.begin(), scene.labels.end(),
                                            [&](const Label& l) { return l.text == name && l.size >= 24; });
            ++frames;
            if (label == scene.labels.end()) continue;
            ++named;
            EXPECT_LT(distanceOf(*label, at), 200) << name << " at " << t;
            const glm::vec2 away = label->at - at;
            hops += last.contains(name) && glm::distance(last[name], away) > 20 ? 1 : 0;
            now[name] = away;
        }
        last = std::move(now);
    }
    EXPECT_GT(frames, 500u);
    EXPECT_EQ(named, frames);
    EXPECT_LT(hops, frames / 12) << "two for each way";
}

/// Also while time flows, between one access and the next.
TEST(CauseAndEffect, OnTheStageTheBlocksOfTheLastAccessAreNamed) {
    TestStage stage("matmul:n=16", "paper");
    View view;
    view.stage = true;
    view.size = {1080, 1080};
    view.pace = 1;
    view.moveTicks = moveTicksAt(view.pace);
    for (double t = 3900.95; t < 3930; ++t) {
        const sim::Snapshot& snapshot = stage.snapshot(t, view);
        const Scene& scene = stage.draw(snapshot, view);
        const sim::ByteAddress asked = snapshot.recent.back().access.address;
        EXPECT_TRUE(hasLabel(scene, stage.subject().trace.placeOf(asked, snapshot.begun()))) << t;
    }
}

TEST(CauseAndEffect, TheVictimStaysHalfAsLongAgain) {
    TestStage stage("conflict", "lecture");
    const View view;
    const double begun = timeOfEviction(stage, view) - 1;
    const auto flights = [&](double moves) {
        const sim::Snapshot& snapshot = stage.snapshot(begun + moves * view.moveTicks, view);
        stage.draw(snapshot, view);
        const Motions motions(snapshot, stage.subject(), stage.layout(), view);
        std::vector<Flight::Kind> kinds;
        for (const Flight& f : motions.flights()) {
            if (f.step + 1 == snapshot.recent.size()) kinds.push_back(f.kind);
        }
        return kinds;
    };
    const auto has = [](const std::vector<Flight::Kind>& kinds, Flight::Kind kind) {
        return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    };
    EXPECT_TRUE(has(flights(0.9), Flight::Kind::entering));
    EXPECT_FALSE(has(flights(1.1), Flight::Kind::entering));
    EXPECT_TRUE(has(flights(1.4), Flight::Kind::leaving));
    EXPECT_FALSE(has(flights(1.6), Flight::Kind::leaving)) << "over before the next step";
}

TEST(CauseAndEffect, OnlyTheLevelThatServedPulses) {
    TestStage stage("matmul:n=8", "paper");
    const View view;
    std::size_t seen = 0;
    for (double t = 100; t < 200; ++t) {
        const sim::Snapshot& snapshot = stage.snapshot(t - 0.3, view);
        const sim::Step& step = *snapshot.current();
        const std::size_t served = sim::servedBy(step, stage.machine());
        stage.draw(snapshot, view);
        const Motions motions(snapshot, stage.subject(), stage.layout(), view);
        for (const sim::Event& e : step.events) {
            if (e.kind != sim::EventKind::hit || !e.demand) continue;
            const Motions::Use* use = motions.used({e.level, e.cache, e.block});
            ASSERT_NE(use, nullptr);
            EXPECT_EQ(std::size_t{e.level}, served);
            ++seen;
            if (served == 0) continue;
            const Motions::Use* nearer =
                motions.used({0, 0, stage.snapshot(t - 0.3, view).cache(0, 0).blockOf(step.access.address)});
            EXPECT_TRUE(nearer == nullptr || nearer->age > 0.8 / view.moveTicks) << "only of an earlier access";
        }
    }
    EXPECT_GT(seen, 50u);
}

TEST(CauseAndEffect, TheNewestThirdOfTheTrailsIsAtFullStrength) {
    TestStage stage("arrayinit:n=512", "paper");
    View view;
    view.trails = 24;
    const Scene& scene = stage.at(200, view);
    const Rgba red = paletteFor(Ground::dark).flash;
    std::map<std::uint64_t, int> alpha;  // by tick
    for (std::size_t i = 0; i < scene.trails.size(); ++i) {
        const Stroke& s = scene.trails[i];
        if (s.colourB.r != red.r || s.colourB.g != red.g) continue;
        alpha[scene.trailTargets[i].tick.value] = s.colourB.a;
        EXPECT_EQ(s.width, 2 * stage.layout().detail) << "a miss is two pixels wide";
    }
    ASSERT_GT(alpha.size(), 2u);
    int last = 0;
    const int full = alpha.rbegin()->second;
    for (const auto& [tick, a] : alpha) {
        EXPECT_GE(a, last) << "older is fainter";
        EXPECT_TRUE(tick + 8 <= 200 || a == full) << tick;
        last = a;
    }
    EXPECT_LT(alpha.begin()->second, full);
}

TEST(Flows, ComeInGraduallyAndLieUnderTheGlyphs) {
    TestStage stage("matmul:n=16", "paper");
    View view;
    float last = 0;
    for (const std::uint64_t lapse : {1, 100, 400, 600, 5000}) {
        view.lapse = lapse;
        const sim::Snapshot& snapshot = stage.snapshot(6000, view);
        const float share = flowShare(snapshot, view);
        EXPECT_GE(share, last) << lapse;
        last = share;
        const Scene& scene = stage.draw(snapshot, view);
        EXPECT_EQ(scene.flows.empty(), share == 0) << lapse;
        EXPECT_EQ(scene.flows.size(), scene.flowTargets.size());
        const auto isTrail = [](const Target& target) { return target.kind == Target::Kind::trail; };
        EXPECT_TRUE(share < 1 || std::none_of(scene.trailTargets.begin(), scene.trailTargets.end(), isTrail));
    }
    EXPECT_EQ(last, 1);
}

TEST(Flows, TaperAndDrift) {
    TestStage stage("matmul:n=16", "paper");
    View view;
    view.lapse = 5000;
    const std::vector<Stroke> now = stage.at(6000, view).flows;
    ASSERT_GT(now.size(), 18u);
    EXPECT_GT(now[0].width, 2 * now[17].width) << "of the first stream's eighteen pieces";
    EXPECT_EQ(stage.at(6000, view).flows.size(), now.size());
    const std::vector<Stroke> again = stage.at(6000, view).flows;
    for (std::size_t i = 0; i < now.size(); ++i) EXPECT_EQ(now[i].a, again[i].a);
    const std::vector<Stroke> later = stage.at(6010, view).flows;
    std::size_t moved = 0;
    for (std::size_t i = 0; i < std::min(now.size(), later.size()); ++i) moved += now[i].a != later[i].a;
    EXPECT_GT(moved, 5u) << "what drifts follows the time";
}

}  // namespace
}  // namespace whorl::scene
