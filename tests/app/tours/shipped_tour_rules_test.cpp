// What all tours that ship keep to: they can be opened and shown, say no number that was typed, and claim what holds.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include "app/commands/commands.h"
#include "app/session/command.h"
#include "app/session/tour.h"
#include "app/tours/presenting.h"
#include "app/tours/scene_in_run.h"
#include "app/tours/tour_catalogue.h"
#include "app/tours/tour_check.h"
#include "app/tours/tour_session.h"
#include "support/said_scenes.h"

namespace whorl::app {
namespace {

TEST(ShippedTours, KeepTheirLimits) {
    for (const std::string& name : tourNames()) {
        const auto tour = tourFrom(name);
        ASSERT_TRUE(tour.has_value()) << tour.error().sentence();
        EXPECT_FALSE(tour->title.empty()) << name;
        for (std::size_t i = 0; i < tour->scenes.size(); ++i) {
            const TourScene scene = withNumbers(resolvedScene(*tour, i));
            const std::string where = name + ": " + scene.id;
            EXPECT_LE(scene.title.size(), 70u) << where;
            EXPECT_LE(scene.words.size(), 330u) << where;
            EXPECT_TRUE(scene.words.ends_with(".")) << where;
            for (const std::string& text : scene.commands) {
                const auto command = parseCommand(text);
                ASSERT_TRUE(command.has_value()) << where << ": " << command.error().sentence();
                EXPECT_TRUE(command->flags().ofScenes) << where << ": " << text;
            }
        }
    }
}

/// Those for lectures, besides the figures of papers.
TEST(ShippedTours, ThoseForLecturesAskAndArePlanned) {
    for (const std::string& name : tourNames()) {
        // The figures of papers, and a film.
        if (name == "rings" || name == "memory" || name == "blocking") continue;
        const Tour tour = tourFrom(name).value();
        EXPECT_GE(tour.scenes.size(), 4u) << name;
        EXPECT_LE(tour.scenes.size(), 9u) << name;
        std::size_t questions = 0;
        for (const TourScene& scene : tour.scenes) {
            EXPECT_GT(scene.planned, 0) << name << ": " << scene.id;
            if (!scene.question) continue;
            ++questions;
            if (scene.question->predicts) continue;  // its choices and its reason are those of the run
            EXPECT_GE(scene.question->choices.size(), 2u) << name << ": " << scene.id;
            EXPECT_FALSE(scene.question->why.empty()) << name << ": " << scene.id;
        }
        EXPECT_GE(questions, 1u) << name;
        EXPECT_LE(questions, 2u) << name;
    }
}

/// Digits are parts of names, such as L1, F2, a[0] and CPU 1; all others come from the run.
TEST(ShippedTours, SayNoNumberThatWasTyped) {
    const std::regex braces(R"(\{[^{}]*\})");
    const std::regex names(R"(CPU [0-9]|[A-Za-z_][A-Za-z0-9_]*(\[[0-9]+\])*)");
    std::size_t numbers = 0;
    for (const std::string& name : tourNames()) {
        const Tour tour = tourFrom(name).value();
        for (TourScene scene : tour.scenes) {
            eachText(scene, [&](const std::string& key, std::string& text) {
                numbers += std::regex_search(text, braces) ? 1 : 0;
                const std::string rest = std::regex_replace(std::regex_replace(text, braces, ""), names, "");
                EXPECT_EQ(rest.find_first_of("0123456789"), std::string::npos)
                    << name << ", " << scene.id << ", " << key << ": " << text;
            });
        }
    }
    EXPECT_GT(numbers, 80u);
}

TEST(ShippedTours, ClaimWhatHolds) {
    std::size_t claims = 0;
    for (const std::string& name : tourNames()) {
        const Tour tour = tourFrom(name).value();
        for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
            const TourScene scene = resolvedScene(tour, i);
            claims += scene.claims.size();
            sim::Progress progress;
            const auto untrue = untrueIn(scene, runsOfScene(scene), progress).value();
            for (const Finding& found : untrue) {
                ADD_FAILURE() << name << ", " << scene.id << ", " << found.path << ": " << found.what;
            }
        }
    }
    EXPECT_GT(claims, 100u);
}

/// Who begins with the first and does what the last step of each says comes through all of them.
TEST(ShippedTours, LeadFromOneToTheNext) {
    const std::vector<std::string> all = tourNames();
    const std::regex named("the tour ([a-z-]+)");
    std::string name = kFirstTour;
    std::set<std::string> seen;
    for (std::smatch found; !name.empty() && seen.insert(name).second;) {
        const std::string next = tourFrom(name).value().next;
        EXPECT_TRUE(next.ends_with(".")) << name;
        EXPECT_LE(next.size(), 200u) << name;
        name = std::regex_search(next, found, named) ? found.str(1) : "";
    }
    EXPECT_EQ(seen, std::set<std::string>(all.begin(), all.end()));
}

/// The settings in it are those of the run that is open then, and its other digits are parts of names, such as F12.
TEST(ShippedTours, ProposeWhatCanBeTried) {
    const std::regex setting(R"(([A-Za-z0-9.]+)=([a-z0-9-]+[A-Z]?))");
    const std::regex names(R"([A-Za-z_][A-Za-z0-9_]*)");
    std::size_t tried = 0;
    for (const std::string& name : tourNames()) {
        const Tour tour = tourFrom(name).value();
        Session s;
        begin(s, tour, tour.scenes.size() - 1);
        const std::string rest = std::regex_replace(std::regex_replace(tour.next, setting, ""), names, "");
        EXPECT_EQ(rest.find_first_of("0123456789"), std::string::npos) << name << ": " << tour.next;
        for (std::sregex_iterator at(tour.next.begin(), tour.next.end(), setting), end; at != end; ++at, ++tried) {
            if (at->str(1).find('.') == std::string::npos) {
                apply(s, command::Option{at->str(1), at->str(2)});
            } else {
                apply(s, command::Set{at->str()});
            }
            openAll(s);
            EXPECT_EQ(s.error, "") << name << ": " << at->str();
        }
    }
    EXPECT_GT(tried, 15u);
}

TEST(ShippedTours, OpenAndHoldTheirPositionsAndPlaces) {
    for (const std::string& name : tourNames()) {
        const Tour tour = tourFrom(name).value();
        for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
            const TourScene scene = withNumbers(resolvedScene(tour, i));
            const std::string where = name + ": " + scene.id;
            const SceneRuns runs = runsOf(scene, {});
            const auto& run = runOfScene(runs.first);
            ASSERT_TRUE(run.has_value()) << where << ": " << run.error().sentence();
            const auto size = static_cast<double>((*run)->trace().size());
            EXPECT_LE(scene.position(), size) << where;
            EXPECT_LE(scene.end(), size) << where;
            EXPECT_LE(static_cast<double>(rangeOf(scene).second), size) << where;
            if (runs.second) {
                const auto& second = runOfScene(*runs.second);
                ASSERT_TRUE(second.has_value()) << where << ": " << second.error().sentence();
            }
            if (scene.question) {
                Opened shown;
                shown.run = *run;
                const auto question = questionOf(scene, shown);
                ASSERT_TRUE(question.has_value()) << where << ": " << question.error().sentence();
                EXPECT_EQ(std::count(question->choices.begin(), question->choices.end(), question->answer), 1) << where;
            }
            if (!scene.camera || scene.camera->region.empty()) continue;
            const auto& regions = (*run)->trace().regions();
            EXPECT_TRUE(std::any_of(regions.begin(), regions.end(),
                                    [&](const sim::Region& r) { return r.name == scene.camera->region; }))
                << where << ": " << scene.camera->region;
        }
    }
}

/// Who sees a cache for the first time has not heard of sets and tags, nor of hexadecimal numbers.
TEST(FirstTours, AskNothingThatTheyHaveNotIntroduced) {
    for (const char* name : {"cache-basics", "five-minutes"}) {
        const Tour tour = tourFrom(name).value();
        for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
            const TourScene scene = withNumbers(resolvedScene(tour, i));
            std::string all = scene.title + " " + scene.words;
            if (scene.question) {
                Opened run;
                run.request = runsOf(scene, {}).first;
                run.run = runOfScene(run.request).value();
                const Question asked = questionOf(scene, run).value();
                all += fmt::format(" {} {} {} {}", asked.text, fmt::join(asked.choices, " "), asked.why, asked.bits);
            }
            for (const char* word : {"0x", "tag", " set ", "bits"}) {
                EXPECT_EQ(all.find(word), std::string::npos) << name << ", " << scene.id << ": " << all;
            }
        }
    }
}

}  // namespace
}  // namespace whorl::app
