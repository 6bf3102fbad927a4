// Tours are read completely or refused with all their errors; the built-in one is valid.
#include "app/session/tour.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "app/tasks/opening.h"
#include "app/tours/tour_catalogue.h"
#include "app/tours/tour_json.h"
#include "sim/base/text.h"
#include "support/folder.h"
#include "support/refusal.h"
#include "support/source_folder.h"

namespace whorl::app {
namespace {

/// A tour of one scene in which a value may be replaced or added.
std::string tourWith(const std::string& key = "", const std::string& value = "") {
    std::vector<std::pair<std::string, std::string>> values = {
        {"id", "\"one\""}, {"title", "\"One\""}, {"words", "\"See.\""}, {"input", "\"matmul:n=4\""}};
    bool known = key.empty();
    for (auto& [name, old] : values) {
        if (name == key) old = value, known = true;
    }
    if (!known) values.emplace_back(key, value);
    std::string scene;
    for (const auto& [name, text] : values) {
        if (!text.empty()) scene += fmt::format("{}\"{}\": {}", scene.empty() ? "" : ", ", name, text);
    }
    return fmt::format(R"({{"scenes": [{{{}}}]}})", scene);
}

std::string refusal(const std::string& json) {
    return sim::test::refusalOf(parseTour(json, "t.json"));
}

TEST(Tour, IsReadWhole) {
    const auto tour = parseTour(R"({"title": "T", "source": "S", "scenes": [
        {"id": "a-1", "title": "A", "words": "See a.", "input": "matmul:n=4", "machine": "paper", "at": 12.5,
         "history": 0, "lapse": 4, "elements": false},
        {"id": "b", "title": "B", "words": "See b.", "input": "some.trace"}], "next": "Try c."})",
                                "t.json");
    ASSERT_TRUE(tour.has_value()) << tour.error().sentence();
    EXPECT_EQ(
        *tour,
        (Tour{
            .title = "T",
            .source = "S",
            .scenes = {{.id = "a-1",
                        .title = "A",
                        .words = "See a.",
                        .input = "matmul:n=4",
                        .machine = "paper",
                        .at = 12.5,
                        .fields = {{"trails", std::uint64_t{0}}, {"lapse", std::uint64_t{4}}, {"grain", WordIndex{0}}}},
                       {.id = "b", .title = "B", .words = "See b.", .input = "some.trace"}},
            .next = "Try c."}));
    EXPECT_EQ(refusal(tourWith()), "accepted");
}

TEST(Tour, HasScenesOfTwoRuns) {
    const auto sceneWith = [](const std::string& more) {
        return parseTour(R"({"scenes": [{"id": "a", "title": "A", "words": "See a.", "input": "matmul:n=4",
                             "machine": "paper", )" +
                             more + "}]}",
                         "t.json");
    };
    const auto pair = sceneWith(R"("with": "matmul:n=5", "with_machine": "direct", "lock": "line")");
    ASSERT_TRUE(pair) << pair.error().sentence();
    const TourScene& scene = pair->scenes.front();
    EXPECT_TRUE(scene.isPair());
    EXPECT_EQ(scene.with, "matmul:n=5");
    EXPECT_EQ(scene.withMachine, "direct");
    EXPECT_EQ(scene.lock, TimeLock::line);
    EXPECT_TRUE(sceneWith(R"("with_machine": "direct")"));
    for (const char* same : {R"("with": "matmul:n=4")", R"("with_machine": "paper")"}) {
        const auto refused = sceneWith(same);
        ASSERT_FALSE(refused) << same;
        EXPECT_NE(refused.error().sentence().find("t.json: scenes[0].with"), std::string::npos);
        EXPECT_NE(refused.error().sentence().find("would be compared with itself"), std::string::npos);
    }
}

TEST(Tour, ValuesThatCannotBe) {
    const auto wrong = [](const std::string& key, const std::string& value) {
        const std::string said = refusal(tourWith(key, value));
        const std::string opening = "t.json: scenes[0]." + key + ": ";
        return said.starts_with(opening) ? said.substr(opening.size()) : said;
    };
    EXPECT_EQ(wrong("id", ""), "is missing; a scene has an id, a title, words and an input");
    EXPECT_EQ(wrong("id", "\"Fig 1\""), "\"Fig 1\" is not an id; use small letters, digits and hyphens, as in fig1a");
    EXPECT_EQ(wrong("id", "\"-a\""), "\"-a\" is not an id; use small letters, digits and hyphens, as in fig1a");
    EXPECT_EQ(wrong("title", "3"), "3 is not a text; put it in quotes");
    EXPECT_EQ(wrong("words", "\" \""), "is empty; write something");
    EXPECT_EQ(wrong("machine", "\"\""), "is empty; write something, or leave it out");
    EXPECT_EQ(wrong("input", "\"mtamul\"").substr(0, 53), "there is no program \"mtamul\"; did you mean \"matmul\"? ");
    EXPECT_EQ(wrong("input", "\"matmul:n=0\"").substr(0, 30), "matmul: \"n=0\" is out of range;");
    EXPECT_EQ(wrong("machine", "\"papper\"").substr(0, 53),
              "there is no machine \"papper\"; did you mean \"paper\"? a");
    EXPECT_EQ(wrong("with", "\"mtamul\"").substr(0, 53), "there is no program \"mtamul\"; did you mean \"matmul\"? ");
    EXPECT_EQ(wrong("with", "7"), "7 is not a text; put it in quotes");
    EXPECT_EQ(wrong("with_machine", "\"papper\"").substr(0, 53),
              "there is no machine \"papper\"; did you mean \"paper\"? a");
    EXPECT_EQ(wrong("lock", "\"share\""), "there is nothing to lock it with; add with, with_machine or with_settings");
    EXPECT_EQ(wrong("lock", "\"time\""), "\"time\" is not a lock; use access, share or line");
    EXPECT_EQ(wrong("interleaving", "\"real\""), "\"real\" is not an order; use auto, recorded or virtual");
    const std::string snapshot =
        " is not a number of accesses; give the number of accesses before it; it may have a fraction";
    EXPECT_EQ(wrong("at", "-1"), "-1" + snapshot);
    EXPECT_EQ(wrong("at", "\"end\""), "\"end\"" + snapshot);
    EXPECT_EQ(wrong("history", "-1"), "-1 is not a number of accesses; give a whole number from 0 to 100000000");
    EXPECT_EQ(wrong("history", "1.5"), "1.5 is not a number of accesses; give a whole number from 0 to 100000000");
    EXPECT_EQ(wrong("lapse", "0"), "0 is not a number of accesses; give a whole number from 1 to 100000000");
    EXPECT_EQ(wrong("elements", "1"), "1 is neither true nor false; give one of them");
}

TEST(Tour, ShapesThatCannotBe) {
    EXPECT_EQ(refusal("[]"), "t.json: a tour is an object, not a list; it opens with {\"scenes\": [");
    EXPECT_EQ(refusal("{}"), "t.json: scenes: is missing; give the scenes as a list of objects");
    EXPECT_EQ(refusal(R"({"scenes": 3})"), "t.json: scenes: 3 is not a list; give the scenes as a list of objects");
    EXPECT_EQ(refusal(R"({"scenes": []})"), "t.json: scenes: there is no scene; a tour has one scene at least");
    EXPECT_EQ(refusal(R"({"scenes": [3]})").substr(0, 41), "t.json: scenes[0]: 3 is not a scene; a sc");
    EXPECT_EQ(refusal("{\n \"scenes\": [}"),
              "t.json:2:13: this is not JSON: a value should be here, not }; a value is a text in double quotes, a "
              "number, true, false, null, a list or an object");
    EXPECT_EQ(refusal(tourWith("tilte", "\"x\"")),
              "t.json: scenes[0]: the key \"tilte\" is not known; did you mean \"title\"? the keys here are id, title, "
              "words, claim, input, machine, settings, interleaving, with, with_machine, with_settings, lock, at, to, "
              "seconds, pace, ramp, camera, "
              "transition, wait, history, lapse, elements, commands, question, notes and plan");
}

TEST(Tour, AllFaultsAreReportedAtOnce) {
    EXPECT_EQ(refusal(R"({"scenes": [
        {"id": "a", "title": "A", "words": "See.", "input": "matmul", "at": true},
        {"id": "a", "title": "A", "words": "See.", "input": "matmul", "title": "B", "lapse": []}], "more": 1})"),
              "t.json: scenes[1]: the key \"title\" appears twice in one object; remove one of them\n"
              "t.json: the key \"more\" is not known; the keys here are title, author, source, scenes and next\n"
              "t.json: scenes[0].at: true is not a number of accesses; give the number of accesses before it; "
              "it may have "
              "a fraction\n"
              "t.json: scenes[1].id: \"a\" is the id of scenes[0] too; choose another one\n"
              "t.json: scenes[1].lapse: a list is not a number of accesses; give a whole number from 1 to 100000000");
}

/// As many scenes as nobody writes, each with an id made by `id`, and with more values.
template <class Id>
std::string tourOf(std::size_t scenes, Id&& id, const std::string& more) {
    std::string text = R"({"scenes": [)";
    for (std::size_t i = 0; i < scenes; ++i) {
        text +=
            fmt::format("{}{{\"id\": \"{}\", \"title\": \"A title\", \"words\": \"See.\", \"input\": \"matmul\"{}}}",
                        i > 0 ? ",\n" : "", id(i), more);
    }
    return text + "]}";
}

// Comparing all ids, or loading a machine for each scene, would take minutes here.
TEST(Tour, ManyScenesTakeLittleTime) {
    constexpr std::size_t kScenes = 100'000;
    const auto tour = parseTour(tourOf(
                                    kScenes, [](std::size_t i) { return i; }, R"(, "machine": "desktop")"),
                                "t.json");
    ASSERT_TRUE(tour.has_value()) << tour.error().sentence();
    EXPECT_EQ(tour->scenes.size(), kScenes);
    EXPECT_EQ(sceneNamed(*tour, "99999")->id, "99999");
    EXPECT_LT(sceneNamed(*tour, "none").error().sentence().size(), 400u);
    const std::string said = refusal(tourOf(
        kScenes, [](std::size_t i) { return i / 2; }, R"(, "machine": "a/b", "at": "x", "tilte": 1)"));
    EXPECT_LT(said.size(), 10'000u) << "all faults are not listed";
    EXPECT_NE(said.find("\nand many more errors"), std::string::npos) << said.substr(said.size() - 100);
}

TEST(Tour, IsNamedOrAFile) {
    const std::vector<std::string> names = tourNames();
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    for (const char* name : {"cache-basics", "five-minutes", "memory", "rings"}) {
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
    }
    const std::string all = sim::joinNames(names, "or");
    EXPECT_TRUE(tourFrom("rings").has_value());
    EXPECT_EQ(
        tourFrom("rigns").error().sentence(),
        "there is no tour \"rigns\"; did you mean \"rings\"? a tour is a built-in one (" + all + ") or a JSON file");
    EXPECT_EQ(tourFrom("no/such.json").error().sentence(),
              "no/such.json: there is no such file; a tour is a built-in one (" + all + ") or a JSON file");
    EXPECT_EQ(tourFrom("/").error().sentence(), "/: this is a folder; give the path of a file with a tour");
    const sim::test::Folder folder;
    const auto tour = tourFrom(folder.put("whorl-tour.json", tourWith()));
    ASSERT_TRUE(tour.has_value()) << tour.error().sentence();
    EXPECT_EQ(tour->scenes.front().id, "one");
}

TEST(Tour, TheExampleOfItsPageIsRead) {
    constexpr std::string_view kOpening = "```json\n";
    const std::string text = sim::test::bytesOf(sourceFolder() + "/docs/tours.md");
    const std::size_t begin = text.find(kOpening) + kOpening.size();
    const auto tour = parseTour(text.substr(begin, text.find("```", begin) - begin), "docs/tours.md");
    ASSERT_TRUE(tour.has_value()) << tour.error().sentence();
    EXPECT_EQ(tour->scenes.size(), 2u);
    for (const char* key :
         {"id",       "title", "words", "claim",   "input", "machine",  "settings", "with",        "with_machine",
          "lock",     "at",    "to",    "seconds", "pace",  "ramp",     "camera",   "transition",  "wait",
          "question", "notes", "plan",  "history", "lapse", "elements", "commands", "interleaving"}) {
        EXPECT_NE(text.find(fmt::format("\n| `{}` | ", key)), std::string::npos) << key;
    }
}

/// What else a scene needs for a key to make sense.
std::string tourToTry(const std::string& key, const nlohmann::json& example) {
    nlohmann::json scene = {
        {"id", "a"}, {"title", "A"}, {"words", "See."}, {"input", "matmul:n=4"}, {"machine", "paper"}};
    for (const char* needsStretch : {"seconds", "pace", "ramp", "wait"}) {
        if (key == needsStretch) scene["to"] = 30;
    }
    if (key == "lock") scene["with"] = "matmul:n=5";
    scene[key] = example;
    return nlohmann::json{{"scenes", {scene}}}.dump();
}

TEST(Tour, TheSchemaHasAllItsKeysAndItsExamplesAreRead) {
    std::ifstream file(sourceFolder() + "/docs/tour.schema.json");
    const auto schema = nlohmann::json::parse(file);
    const auto& properties = schema["properties"]["scenes"]["items"]["properties"];
    std::set<std::string> keys;
    for (const auto& [key, property] : properties.items()) {
        keys.insert(key);
        EXPECT_FALSE(property["description"].get<std::string>().empty()) << key;
        ASSERT_FALSE(property["examples"].empty()) << key;
        for (const auto& example : property["examples"]) {
            const auto tour = parseTour(tourToTry(key, example), "t.json");
            EXPECT_TRUE(tour) << key << ": " << tour.error().sentence();
        }
    }
    // Those that the reader knows, as its own words list them.
    const std::string said = refusal(tourWith("no such key", "1"));
    for (const std::string& key : keys) EXPECT_NE(said.find(" " + key), std::string::npos) << key;
    const std::size_t listed = static_cast<std::size_t>(std::count(said.begin(), said.end(), ',')) + 2;
    EXPECT_EQ(keys.size(), listed) << said;
}

TEST(Tour, GivesItsScenesByName) {
    const Tour rings = tourFrom("rings").value();
    EXPECT_EQ(sceneNamed(rings, "fig1a")->input, "matmul:n=16");
    const std::string words = sceneNamed(rings, "fig1x").error().sentence();
    EXPECT_EQ(words.find("there is no scene \"fig1x\"; did you mean \"fig1a\"? the scenes are fig1a, fig1b"), 0u)
        << words;
}

TEST(Rings, HaveAllFiguresThatShowAProgram) {
    const Tour rings = tourFrom("rings").value();
    std::set<std::string> figures;
    for (const TourScene& scene : rings.scenes) {
        figures.insert(scene.id.substr(0, 4));
        EXPECT_TRUE(scene.words.ends_with(".")) << scene.id;
        EXPECT_LE(scene.words.size(), 330u) << scene.id << ": a sentence or two";
        EXPECT_LE(scene.title.size(), 70u) << scene.id;
    }
    EXPECT_EQ(figures, (std::set<std::string>{"fig1", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8"}));
}

}  // namespace
}  // namespace whorl::app
