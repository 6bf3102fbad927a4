// What is found by typing: the ranking by its laws, what is offered, and what entering it does.
#include "app/commands/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/commands/bindings.h"
#include "app/commands/commands.h"
#include "app/session/command.h"
#include "app/session/fuzzy.h"
#include "app/session/transitions.h"
#include "app/tours/tour_catalogue.h"
#include "support/folder.h"
#include "support/random_commands.h"
#include "support/sessions.h"
#include "support/shared_trace.h"

namespace whorl::app {
namespace {

/// What does not fit at all is behind whatever fits.
int score(std::string_view typed, std::string_view text) {
    return fuzzyScore(typed, text).value_or(-1000);
}

TEST(Fuzzy, FitsWhatHasTheLettersInTheirOrder) {
    EXPECT_TRUE(fuzzyScore("", "anything"));
    EXPECT_TRUE(fuzzyScore("nxm", "the next miss"));
    EXPECT_TRUE(fuzzyScore("MISS next", "the next miss")) << "words in any order, case ignored";
    EXPECT_FALSE(fuzzyScore("xn", "next"));
    EXPECT_FALSE(fuzzyScore("nextt", "next"));
    EXPECT_FALSE(fuzzyScore("next zoom", "the next miss")) << "each word must fit";
    EXPECT_FALSE(fuzzyScore("a", ""));
}

TEST(Fuzzy, ScatteredLettersMeanNothing) {
    using Pairs = std::vector<std::pair<std::string_view, std::string_view>>;
    for (const auto& [typed, text] : Pairs{{"why", "what is shown there by the disks"},
                                           {"nm", "anemone"},
                                           {"cache", "colours for all branches here"},
                                           {"undo", "the answer stands below too"}}) {
        EXPECT_FALSE(fuzzyScore(typed, text)) << typed << " in " << text;
    }
    for (const auto& [typed, text] : Pairs{{"bkmrk", "bookmark"},
                                           {"mtrx", "matrix"},
                                           {"zin", "zoom in"},
                                           {"B", "B"},
                                           {"rget", "target"},
                                           {"bw", "black and white"}}) {
        EXPECT_TRUE(fuzzyScore(typed, text)) << typed << " in " << text;
    }
}

TEST(Fuzzy, PrefersLettersSideBySideAndStartsOfWords) {
    EXPECT_GT(score("miss", "the next miss"), score("miss", "move in steps, slowly"));
    EXPECT_GT(score("nm", "next miss"), score("nm", "anemone"));
    EXPECT_GT(score("zo", "zoom out"), score("zo", "dazzle of")) << "a start before the middle";
    EXPECT_GT(score("zi", "zoom in"), score("zi", "zoom within"));
    EXPECT_GT(score("view", "BlockView"), score("view", "vast idle new")) << "a hump starts a word";
    EXPECT_GT(score("play", "play"), score("play", "playful")) << "a whole word";
    EXPECT_GT(score("go", "go to"), score("go", "go to an access by its number")) << "the shorter text";
}

/// A text that has what is typed in one piece at a word's start is never behind one in which letters are left out.
TEST(Fuzzy, AWholePieceIsNeverBehindAScatteredOne) {
    for (const std::string typed : {"ab", "abc", "abcd"}) {
        std::string scattered;
        for (const char c : typed) scattered += std::string("x") + c;
        EXPECT_GT(score(typed, "xx " + typed + "x"), score(typed, scattered + "x")) << typed;
    }
}

std::vector<Choice> named(const std::vector<std::string>& words) {
    std::vector<Choice> choices;
    for (const std::string& w : words) choices.push_back({.words = w, .command = w});
    return choices;
}

TEST(Ranked, RecentOnesFirstWhereTheyFitAsWell) {
    const auto choices = named({"zoom in", "zoom up", "pan left"});
    EXPECT_EQ(ranked("zoom", choices, {}), (std::vector<std::size_t>{0, 1}));
    const std::vector<std::string> recent{"zoom up"};
    EXPECT_EQ(ranked("zoom", choices, recent), (std::vector<std::size_t>{1, 0}));
    EXPECT_EQ(ranked("", choices, recent), (std::vector<std::size_t>{1, 0, 2})) << "nothing typed: recent, then all";
    EXPECT_TRUE(ranked("zebra", choices, recent).empty());
}

TEST(Ranked, ARecentOneDoesNotPushAwayABetterFit) {
    const auto choices = named({"a long odd option", "loop"});
    const std::vector<std::string> recent{"a long odd option"};
    EXPECT_EQ(ranked("loop", choices, recent), (std::vector<std::size_t>{1, 0}));
}

/// What opens something else is not chosen by accident: only by its name.
TEST(Ranked, CommandsThenSettingsThenPlacesThenScenes) {
    std::vector<Choice> choices;
    for (const ChoiceKind kind : {ChoiceKind::scene, ChoiceKind::line, ChoiceKind::setting, ChoiceKind::region,
                                  ChoiceKind::view, ChoiceKind::command}) {
        choices.push_back({.kind = kind, .words = kind == ChoiceKind::scene ? "loop" : "all the loops around it"});
    }
    EXPECT_EQ(ranked("loops", choices, {}), (std::vector<std::size_t>{4, 5, 2, 1, 3}));
    EXPECT_EQ(ranked("LOO", choices, {}).back(), 0U) << "although it fits best";
    EXPECT_EQ(ranked("loop", choices, {}).front(), 0U) << "that is its name";
    EXPECT_EQ(ranked("scene loop", choices, {}).front(), 0U);
}

const Choice* find(const std::vector<Choice>& choices, const std::string& command) {
    const auto found =
        std::find_if(choices.begin(), choices.end(), [&](const Choice& c) { return c.command == command; });
    return found == choices.end() ? nullptr : &*found;
}

/// So that nothing but typing needs a keyboard: a button opens the list.
TEST(Palette, OffersEveryKeyOnceAndInWordsThatStandAlone) {
    const Session s = sharedSession();
    const std::vector<Choice> choices = paletteChoices(s, {});
    std::set<std::string> words;
    for (const Binding& binding : bindings()) {
        if (binding.command.id() == "exchange") continue;  // only while the key is held
        const Choice* const choice = find(choices, binding.command.text());
        ASSERT_NE(choice, nullptr) << binding.command.text();
        EXPECT_EQ(choice->key, keysOf(binding.command));
        EXPECT_FALSE(choice->words.starts_with("…")) << choice->words;
        EXPECT_TRUE(words.insert(choice->words).second) << "twice: " << choice->words;
    }
}

TEST(Palette, EveryChoiceIsACommandOrTheBeginningOfOne) {
    Session s = sharedSession();
    const std::vector<NamedTour> tours{{"rings", *tourFrom("rings")}};
    const std::vector<Choice> choices = paletteChoices(s, tours);
    std::set<std::string> commands;
    for (const Choice& choice : choices) {
        EXPECT_TRUE(commands.insert(choice.command).second) << "twice: " << choice.command;
        EXPECT_EQ(parseCommand(choice.command).has_value(), !choice.needsMore) << choice.command;
        EXPECT_EQ(choice.needsMore, choice.command.ends_with(' ')) << choice.command;
    }
    EXPECT_NE(find(choices, "ground light"), nullptr) << "a setting for each value";
    EXPECT_NE(find(choices, "seek "), nullptr);
    for (const TourScene& scene : tours.front().tour.scenes) {
        EXPECT_NE(find(choices, "open-scene rings " + scene.id), nullptr) << scene.id;
    }
}

TEST(Palette, FindsWhatIsMeant) {
    const Session s = sharedSession();
    const std::vector<Choice> choices = paletteChoices(s, {});
    const auto first = [&](const char* typed) { return choices[ranked(typed, choices, {}).front()].command; };
    EXPECT_EQ(first("next miss"), "search next miss");
    EXPECT_EQ(first("zoom in"), "zoom-in");
    EXPECT_EQ(first("ground: light"), "ground light");
    EXPECT_EQ(first("undo"), "undo");
    EXPECT_EQ(first("B"), textOf(command::SelectPart{regionAt(1).target}));
    EXPECT_EQ(first("region B"), textOf(command::SelectPart{regionAt(1).target}));
}

TEST(Palette, OffersNoSceneBeforeWhatStays) {
    const Session s = sharedSession();
    std::vector<NamedTour> tours;
    for (const std::string& name : tourNames()) tours.push_back({name, *tourFrom(name)});
    const std::vector<Choice> choices = paletteChoices(s, tours);
    for (const std::string typed : {"why", "cache", "miss", "sharing", "rings", "a"}) {
        const auto order = ranked(typed, choices, {});
        const auto scene = [&](std::size_t i) { return choices[i].kind == ChoiceKind::scene; };
        EXPECT_TRUE(std::is_partitioned(order.rbegin(), order.rend(), scene)) << typed;
        ASSERT_FALSE(order.empty()) << typed;
        EXPECT_FALSE(scene(order.front())) << typed;
    }
}

TEST(Prompt, ATypedCommandIsDoneAndTheFieldCloses) {
    Session s = sharedSession();
    press(s, "Ctrl+Shift+P");
    EXPECT_EQ(s.prompt.asks, Asks::command);
    EXPECT_EQ(s.focus, Field::prompt);
    send(s, R"(do "seek 5")");
    EXPECT_EQ(s.player.position(), 5);
    EXPECT_FALSE(s.prompt.isOpen());
    EXPECT_EQ(s.recentCommands, std::vector<std::string>{"seek 5"});
}

TEST(Prompt, AnErrorIsToldAndNothingIsLost) {
    Session s = sharedSession();
    press(s, "Ctrl+Shift+P");
    const std::uint64_t serial = s.prompt.serial;
    send(s, R"(do "seek soon")");
    EXPECT_EQ(
        s.prompt.error,
        "seek: position \"soon\" is not a position; write a number of accesses such as 1200, a share such as 50%, "
        "+100, -100, start or end.");
    EXPECT_TRUE(s.prompt.isOpen());
    EXPECT_EQ(s.prompt.serial, serial) << "what is typed stays";
    EXPECT_EQ(s.focus, Field::prompt);
    EXPECT_TRUE(s.recentCommands.empty());
    EXPECT_EQ(s.player.position(), 0);
    send(s, R"(do "machine nonsense")");
    EXPECT_FALSE(s.prompt.error.empty());
    EXPECT_FALSE(s.requests.has<request::Open>()) << "it is checked before the field is closed";
    send(s, R"(do "look-up nowhere")");
    EXPECT_NE(s.prompt.error.find("nowhere"), std::string::npos) << s.prompt.error;
    EXPECT_FALSE(s.lookUp.open);
    send(s, R"(do "do play")");
    EXPECT_FALSE(s.player.playing());
    send(s, R"(do "machine paper")");
    EXPECT_EQ(s.requests.next<request::Open>()->machine, "paper");
    EXPECT_FALSE(s.prompt.isOpen());
}

TEST(Prompt, MayAskForSomethingElse) {
    Session s = sharedSession();
    press(s, "Ctrl+Shift+P");
    send(s, R"(do "ask position")");
    EXPECT_EQ(s.prompt.asks, Asks::position);
    send(s, R"(do "seek 150%")");
    EXPECT_NE(s.prompt.error.find("beyond the end"), std::string::npos) << s.prompt.error;
    send(s, R"(do "seek 50%")");
    EXPECT_EQ(s.player.position(), 4);
    EXPECT_FALSE(s.prompt.isOpen());
    EXPECT_EQ(s.recentCommands, std::vector<std::string>{"ask position"});
}

TEST(Prompt, EscapeClosesItFirst) {
    Session s = sharedSession();
    s.help = true;
    press(s, "Ctrl+G");
    press(s, "Escape");
    EXPECT_FALSE(s.prompt.isOpen());
    EXPECT_TRUE(s.help);
    EXPECT_EQ(s.focus, Field::none) << "a field that is not there never takes the keyboard";
}

TEST(Prompt, WhatIsTypedComesFirstWhereItIsACommand) {
    Session s = sharedSession();
    press(s, "Ctrl+Shift+P");
    const auto typed = typedChoice(s, "seek 1200");
    ASSERT_TRUE(typed);
    EXPECT_TRUE(typed->isFirst);
    EXPECT_EQ(typed->choice.command, "seek 1200");
    EXPECT_EQ(typed->choice.detail, "seek POSITION: move the playhead");
    EXPECT_FALSE(typedChoice(s, "seek")->isFirst) << "its argument is missing";
    EXPECT_EQ(typedChoice(s, "B[3]")->choice.command, "look-up B[3]");
    EXPECT_FALSE(typedChoice(s, "  "));
}

/// What the mouse does can be typed, too.
TEST(Prompt, NothingNeedsAMouse) {
    Session s = sharedSession();
    press(s, "Ctrl+Shift+P");
    random_commands::Random random(1);
    for (const CommandType& type : commandTypes()) {
        for (int round = 0; round < 5; ++round) {
            const std::string text = random_commands::randomCommand(random, type.id).text();
            const auto typed = typedChoice(s, text);
            ASSERT_TRUE(typed) << text;
            EXPECT_TRUE(typed->isFirst) << text;
            EXPECT_EQ(typed->choice.command, text);
        }
    }
}

class Files : public testing::Test {
  protected:
    Files() {
        std::filesystem::create_directories(folder_.at("deeper"));
        folder_.put("a.txt", kSharedTrace);
    }
    const sim::test::Folder folder_;
};

TEST_F(Files, FoldersAreWalkedAndFilesOpened) {
    Session s = sharedSession();
    s.opened.request.input = folder_.at("a.txt");
    press(s, "Ctrl+O");
    EXPECT_EQ(s.prompt.folder, folder_.path().string()) << "where the open file is";
    send(s, R"(do "open deeper")");
    EXPECT_EQ(s.prompt.folder, folder_.at("deeper")) << "a folder is looked into";
    EXPECT_TRUE(s.prompt.isOpen());
    send(s, R"(do "open nothing.txt")");
    EXPECT_NE(s.prompt.error.find("there is no such file"), std::string::npos) << s.prompt.error;
    send(s, R"(do "open ../a.txt")");
    EXPECT_EQ(s.requests.next<request::Open>()->input, folder_.at("a.txt")) << "relative to the folder that is seen";
    EXPECT_FALSE(s.prompt.isOpen());
}

TEST_F(Files, RecentProgramsToursAndTheFolderAreOffered) {
    Session s = sharedSession();
    s.recentInputs = {"/nowhere/x.whorl", "matmul:n=8"};
    press(s, "Ctrl+O");
    FolderListing listing{.folder = folder_.path().string(),
                          .entries = {{"deeper", true, 0}, {"a.txt", false, 12}},
                          .missing = {"/nowhere/x.whorl"}};
    const std::vector<Choice> choices = fileChoices(s, {{"rings", *tourFrom("rings")}}, &listing);
    EXPECT_TRUE(choices[0].isOff) << "it is not there any more";
    EXPECT_FALSE(choices[1].isOff);
    EXPECT_EQ(choices[1].command, "open matmul:n=8");
    EXPECT_EQ(choices[2].command, textOf(command::Folder{folder_.at("deeper")}));
    EXPECT_EQ(choices[3].command, textOf(command::Open{folder_.at("a.txt")}));
    EXPECT_NE(find(choices, "open bubblesort"), nullptr);
    EXPECT_EQ(choices.back().kind, ChoiceKind::tour);
}

TEST(Prompt, AnUnknownSceneIsAnErrorAndAKnownOneIsOpened) {
    Session s = sharedSession();
    press(s, "Ctrl+Shift+P");
    send(s, R"(do "open-scene rings nosuch")");
    EXPECT_FALSE(s.prompt.error.empty());
    EXPECT_FALSE(s.requests.has<request::ReadTour>());
    const TourScene scene = tourFrom("rings")->scenes.back();
    send(s, "do \"open-scene rings " + scene.id + "\"");
    EXPECT_EQ(s.requests.next<request::ReadTour>()->tour, "rings");
    EXPECT_EQ(s.requests.next<request::ReadTour>()->scene, scene.id);
    EXPECT_FALSE(s.prompt.isOpen());
}

TEST(Keys, NoneMeansTwoThings) {
    std::set<std::string_view> keys;
    for (const Binding& binding : bindings()) {
        for (const std::string_view key : binding.keys) EXPECT_TRUE(keys.insert(key).second) << key;
    }
    std::set<std::pair<std::string_view, std::string_view>> fixed;
    for (const FixedKey& key : fixedKeys()) {
        EXPECT_TRUE(fixed.insert({key.key, key.where}).second) << key.key << " " << key.where;
    }
}

TEST(Keys, OfATalkMeanOneThingEach) {
    for (const bool hasTour : {false, true}) {
        std::set<std::string_view> keys;
        for (const Binding& binding : stageBindings(hasTour)) {
            for (const std::string_view key : binding.keys) EXPECT_TRUE(keys.insert(key).second) << key;
        }
    }
}

/// A line of the list of keys that is for several tells what all of them do, not the first alone.
TEST(Keys, ALineForSeveralIsNotThatOfItsFirst) {
    const std::span<const Binding> all = bindings();
    for (std::size_t i = 1; i < all.size(); ++i) {
        if (!all[i].words.starts_with("…")) continue;
        EXPECT_FALSE(all[i].alone.empty()) << all[i].words;
        if (all[i - 1].words.starts_with("…")) continue;
        EXPECT_FALSE(all[i - 1].alone.empty()) << all[i - 1].words;
    }
}

TEST(Keys, TheirTableNamesAllOfThem) {
    const std::string table = tableOfKeys();
    const std::string ofTalk = table.substr(table.find("## On stage"));
    for (const auto& [list, part] : {std::pair{bindings(), table}, std::pair{stageBindings(true), ofTalk}}) {
        for (const Binding& binding : list) {
            for (const std::string_view key : binding.keys) {
                EXPECT_NE(part.find("`" + std::string(key) + "`"), std::string::npos) << key;
            }
        }
    }
    for (const FixedKey& key : fixedKeys()) EXPECT_NE(table.find(key.words), std::string::npos) << key.words;
    EXPECT_EQ(table.find("| …"), std::string::npos) << "words that do not stand alone";
}

}  // namespace
}  // namespace whorl::app
