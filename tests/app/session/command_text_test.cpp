// The text of commands: each is read back as it was written, and an invalid one gives a one-sentence error.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <random>
#include <regex>
#include <set>

#include "app/commands/bindings.h"
#include "app/commands/commands.h"
#include "app/session/command.h"
#include "app/window/keys.h"
#include "support/folder.h"
#include "support/random_commands.h"
#include "support/shared_trace.h"
#include "support/source_folder.h"

namespace whorl::app {
namespace {

std::string errorOf(std::string_view text) {
    const auto parsed = parseCommand(text);
    EXPECT_FALSE(parsed) << text;
    return parsed ? "" : parsed.error().sentence();
}

// --- tests

TEST(CommandText, EveryCommandIsReadBackAsItWasWritten) {
    random_commands::Random random(1);
    for (const CommandType& type : commandTypes()) {
        for (int i = 0; i < 50; ++i) {
            const auto [written, read, isSame] = random_commands::roundTrip(random, type.id);
            const std::string text = written.text();
            EXPECT_TRUE(isSame) << text << ", read as " << read.text();
            EXPECT_EQ(text.find('\n'), std::string::npos) << "one line: " << text;
            EXPECT_EQ(text.substr(0, text.find(' ')), written.id());
            EXPECT_EQ(read, written);
            const auto parsed = parseCommand(text);
            ASSERT_TRUE(parsed) << text;
            EXPECT_EQ(*parsed, written);
        }
    }
}

TEST(CommandText, IsOfOneLineWithReadableWords) {
    EXPECT_EQ(Command(command::Seek{1200.5}).text(), "seek 1200.5");
    EXPECT_EQ(Command(command::Play{}).text(), "play");
    EXPECT_EQ(Command(changeOf("panels")).text(), "panels");
    EXPECT_EQ(Command(changeOf("panels", false)).text(), "panels off");
    EXPECT_EQ(Command(command::Search{sim::Direction::backward, SearchKind::regionMiss}).text(),
              "search previous region-miss");
    EXPECT_EQ(Command(command::View{{ViewId::Kind::blocks, 1}}).text(), "view block:1");
    EXPECT_EQ(Command(command::Select{sim::ByteAddress{0x1040}}).text(), "select 0x1040");
    EXPECT_EQ(Command(command::RegionColour{2, scene::hex(0xf69518)}).text(), "region-colour 2 f69518");
    EXPECT_EQ(Command(command::Message{"No \"further\"\nmiss \\."}).text(), R"(message "No \"further\"\nmiss \\.")");
    EXPECT_EQ(Command(command::Open{""}).text(), R"(open "")");
    EXPECT_EQ(Command(changeOf("gauge-kind", sim::MissKind::falseSharing)).text(), R"(gauge-kind "false sharing")");
}

TEST(CommandText, IsReadLoosely) {
    EXPECT_EQ(parseCommand("  seek\t 12  ")->text(), "seek 12");
    EXPECT_EQ(parseCommand("select 4160")->text(), "select 0x1040");
    EXPECT_EQ(parseCommand(R"("seek" "12")")->text(), "seek 12");
    EXPECT_EQ(parseCommand("seek 1e3")->text(), "seek 1000");
}

TEST(CommandText, ErrorsAreOneSentence) {
    EXPECT_EQ(errorOf(""), "no command is given");
    EXPECT_EQ(errorOf("sek 3"), "there is no command \"sek\"; did you mean \"seek\"?");
    EXPECT_EQ(errorOf("seek"), "seek: position is missing; write seek POSITION");
    const std::string how = "; write a number of accesses such as 1200, a share such as 50%, +100, -100, start or end";
    EXPECT_EQ(errorOf("seek soon"), "seek: position \"soon\" is not a position" + how);
    EXPECT_EQ(errorOf("seek inf"), "seek: position \"inf\" is not a position" + how);
    EXPECT_EQ(errorOf("seek 1 2"), "seek: there are too many words; write seek POSITION");
    EXPECT_EQ(errorOf("panels yes"), "panels: on \"yes\" is not off or on; write panels [ON]");
    EXPECT_EQ(errorOf("cpu-plane -1"),
              "cpu-plane: cpu \"-1\" is not a whole number from 0 to 4294967295; write cpu-plane CPU");
    EXPECT_EQ(errorOf("face zz"), "face: plane \"zz\" is not xy, xz or yz; write face PLANE");
    EXPECT_EQ(errorOf("select 0xzz"),
              "select: address \"0xzz\" is not an address such as 0x1040; write select ADDRESS");
    EXPECT_EQ(errorOf("region-colour 1 red"),
              "region-colour: colour \"red\" is not a colour such as f69518; write region-colour REGION COLOUR");
    EXPECT_EQ(
        errorOf("view ring"),
        "view: view \"ring\" is not a view such as rings, source, object, block:0 or collisions; write view VIEW");
    EXPECT_EQ(
        errorOf("message \"no end"),
        R"(a word in quotes has no end, or an escape that is not known; close it with "; within quotes write \" and \\ for " and \)");
    for (const CommandType& type : commandTypes()) {
        std::string text(type.id);
        // A name of several words, or a command, takes them all.
        if (type.id.starts_with("layout") || type.id == "editor") continue;
        for (int i = 0; i < 40; ++i) text += " 1";
        const std::string error = errorOf(text);
        EXPECT_TRUE(error.starts_with(std::string(type.id) + ": ")) << error;
        EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    }
}

TEST(CommandTypes, HaveIdsOfTheirOwnAndWords) {
    std::set<std::string_view> ids;
    for (const CommandType& type : commandTypes()) {
        EXPECT_TRUE(ids.insert(type.id).second) << type.id;
        EXPECT_FALSE(type.words.empty()) << type.id;
        EXPECT_TRUE(type.usage.starts_with(type.id)) << type.usage;
        const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
        EXPECT_TRUE(std::all_of(type.id.begin(), type.id.end(), fits)) << type.id;
    }
}

/// A command that is declared but not listed could be issued by a panel, but not be read.
TEST(CommandTypes, AllThatAreDeclaredAreListed) {
    std::set<std::string> listed;
    for (const CommandType& type : commandTypes()) listed.insert(std::string(type.id));
    std::set<std::string> declared;
    for (const Setting& setting : settings()) {
        if (!setting.id.empty()) declared.insert(std::string(setting.id));
    }
    const std::regex form("[fF]orm\\(\\s*\"([a-z-]+)\"");
    for (const auto& entry : std::filesystem::directory_iterator(sourceFolder() + "/app/commands")) {
        if (!entry.path().filename().string().ends_with("_commands.h")) continue;
        const std::string text = sim::test::bytesOf(entry.path());
        for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at) declared.insert((*at)[1]);
    }
    EXPECT_EQ(declared, listed);
}

/// Commands also come from users: no argument may be trusted.
TEST(Commands, WhatTheRunDoesNotHaveIsNotSelected) {
    Session s = sharedSession();
    const Session before = s;
    using Part = scene::Target::Kind;
    for (const scene::Target& target :
         {scene::Target{.kind = Part::level, .level = 2}, scene::Target{.kind = Part::level, .level = 1, .cache = 1},
          scene::Target{.kind = Part::set, .set = sim::SetIndex{2}}, scene::Target{.kind = Part::line, .rank = 1},
          scene::Target{.kind = Part::region, .region = 2}, scene::Target{.kind = Part::cpu, .cpu = 2},
          scene::Target{}}) {
        apply(s, command::SelectPart{target});
        EXPECT_FALSE(s.selected.has_value()) << wordOf(target.kind);
    }
    apply(s, command::PickRegion{3});
    apply(s, command::View{{ViewId::Kind::blocks, 2}});
    apply(s, command::ViewActive{{ViewId::Kind::sources}});
    EXPECT_EQ(s.region, std::nullopt);
    EXPECT_EQ(s.viewSettings, before.viewSettings);
    s.cpu = 1;
    apply(s, command::SearchFound{sim::Tick{3}, 7});
    EXPECT_EQ(s.cpu, 1u);
    apply(s, command::PanelSize{PanelEdge::left, 1e9f});
    EXPECT_EQ(s.sizes.left, PanelSizes::kMaxColumn);
    apply(s, command::PanelSize{PanelEdge::source, -1});
    EXPECT_EQ(s.sizes.source, PanelSizes::kMinShare);
}

/// Only the last argument may be omitted; otherwise the words after it would be ambiguous.
TEST(CommandTypes, LeaveOutOnlyTheLastArgument) {
    for (const CommandType& type : commandTypes()) {
        const std::size_t bracket = type.usage.find('[');
        if (bracket == std::string::npos) continue;
        EXPECT_EQ(type.usage.find(']'), type.usage.size() - 1) << type.usage;
    }
}

TEST(Bindings, KeysAreBoundOnce) {
    std::set<std::string_view> keys;
    std::set<std::string> commands;
    for (const Binding& binding : bindings()) {
        EXPECT_TRUE(commands.insert(binding.command.text()).second) << binding.command.text();
        EXPECT_FALSE(binding.words.empty());
        EXPECT_FALSE(binding.section.empty());
        EXPECT_FALSE(binding.keys.empty());
        for (const std::string_view key : binding.keys) {
            EXPECT_TRUE(keys.insert(key).second) << key;
            EXPECT_EQ(bindingForKey(key), &binding);
        }
        EXPECT_EQ(bindingOf(binding.command), &binding);
        EXPECT_TRUE(parseCommand(binding.command.text())) << "is in the registry";
    }
}

TEST(Bindings, KeysAreSpelledAsTheWindowSpellsThem) {
    EXPECT_NE(bindingForKey(chord({.name = "Right", .shift = true})), nullptr);
    EXPECT_NE(bindingForKey(chord({.name = "f", .ctrl = true})), nullptr);
    EXPECT_NE(bindingForKey(chord({.name = "q", .ctrl = true})), nullptr);
    EXPECT_NE(bindingForKey(chord({.name = "."})), nullptr);
    EXPECT_NE(bindingForKey(chord({.name = ".", .ctrl = true})), nullptr);
    EXPECT_EQ(bindingForKey("no such key"), nullptr);
    EXPECT_EQ(keysOf(command::Step{1}), "Right, .");
    EXPECT_EQ(keysOf(command::Step{2}), "");
}

}  // namespace
}  // namespace whorl::app
