// The menus: laws over all items, and what the menu of a thing offers.
#include "app/commands/menus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "app/commands/commands.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

Session sessionOf(const std::string& input, const std::string& machine = "") {
    Session session;
    OpenRequest request;
    request.input = input;
    request.machine = machine;
    enterRun(session, openedFor(request));
    return session;
}

/// Calls `f` for each item that can be chosen, and those in the menus that it opens.
void forEach(const std::vector<MenuItem>& items, const std::function<void(const MenuItem&)>& f) {
    for (const MenuItem& item : items) {
        if (item.isOff) continue;
        if (item.commands.empty()) {
            forEach(item.items, f);
        } else {
            f(item);
        }
    }
}

void forEachOfBar(const Session& session, const std::function<void(const MenuItem&)>& f) {
    for (const Menu& menu : menuBar()) forEach(menu.items(session), f);
    forEach(menuButtons(session), f);
}

std::vector<std::string> wordsOf(const std::vector<MenuItem>& items) {
    std::vector<std::string> words;
    for (const MenuItem& item : items) words.push_back(item.words);
    return words;
}

const MenuItem* itemOf(const std::vector<MenuItem>& items, const std::string& words) {
    const auto found = std::find_if(items.begin(), items.end(), [&](const MenuItem& i) { return i.words == words; });
    return found == items.end() ? nullptr : &*found;
}

TEST(MenuBar, HasTheseMenusWithDistinctWords) {
    const Session session = sessionOf("matmul:n=8");
    std::vector<std::string_view> titles;
    for (const Menu& menu : menuBar()) {
        titles.emplace_back(menu.title);
        const std::vector<MenuItem> items = menu.items(session);
        const std::vector<std::string> words = wordsOf(items);
        EXPECT_EQ(std::set(words.begin(), words.end()).size(), words.size()) << menu.title;
        EXPECT_FALSE(items.empty()) << menu.title;
        EXPECT_FALSE(items.front().begins) << menu.title;
    }
    EXPECT_EQ(titles, (std::vector<std::string_view>{"File", "Run", "View", "Find", "Tools", "Tour", "Help"}));
}

/// What a menu offers can be done: no command is refused, in several states of the session.
TEST(MenuBar, OffersOnlyWhatCanBeDone) {
    Session cpus = sessionOf("nbody:bodies=16", "coherence");
    send(cpus, "seek 50%");
    send(cpus, "range 10 90");
    Session picked = sessionOf("matmul:n=8");
    send(picked, "look-up B[3]");
    send(picked, "view memory");
    for (const Session& session : {Session(), sessionOf("matmul:n=8"), cpus, picked}) {
        forEachOfBar(session, [&](const MenuItem& item) {
            Session after = session;
            applyAll(after, item.commands);
            EXPECT_EQ(after.refused, "") << item.words;
        });
    }
}

TEST(MenuBar, TicksWhatIsOnAndSwitchesIt) {
    Session session = sessionOf("matmul:n=8");
    std::size_t switches = 0;
    forEachOfBar(session, [&](const MenuItem& item) {
        if (!item.on || item.words == "Edit the tour" || item.words == "The active view alone") return;
        // Of a menu of words one is ticked, and choosing it again changes nothing.
        Session after = session;
        applyAll(after, item.commands);
        bool isThere = false;
        forEachOfBar(after, [&](const MenuItem& now) {
            if (now.words != item.words || now.commands != item.commands) return;
            isThere = isThere || now.on == true || *item.on;
        });
        EXPECT_TRUE(isThere || item.commands.front().id() == "view" || item.commands.front().id() == "present")
            << item.words << " " << item.commands.front().text();
        ++switches;
    });
    EXPECT_GT(switches, 60u);
}

TEST(MenuBar, ShowsTheKeysOfCommands) {
    forEachOfBar(sessionOf("matmul:n=8"), [&](const MenuItem& item) {
        if (item.keys.empty()) return;
        const Binding* const binding = bindingForKey(std::string_view(item.keys).substr(0, item.keys.find(", ")));
        ASSERT_NE(binding, nullptr) << item.keys;
    });
}

/// Whatever is picked, its menu offers something about it, and only what can be done.
TEST(ContextMenus, AreAboutWhatIsPicked) {
    struct Row {
        std::string pick;
        std::string offers;
    };
    const Row rows[] = {
        {"select 0x10000", "Next miss of it"},
        {"pick-memory 0x10000 64", "History"},
        {"pick-way 0 0 0 0", "Tables"},
        {"pick-source 1", "Next miss by it"},
        {"pick-object region 0 0x10000", "Life"},
        {"select-part level 0 0 0 0 0 0 0 0 0", "L1 Cache"},
        {"select-part set 0 0 0 0 1 0 0 0 0", "L1 Cache"},
        {"select-part region 0 0 0 0 0 0 1 0 0", "Next miss in it"},
        {"select-part cpu 0 0 0 0 0 0 0 0 0", "Its caches alone"},
    };
    const Session fresh = sessionOf("matmul:n=8");
    for (const Row& row : rows) {
        SCOPED_TRACE(row.pick);
        Session session = fresh;
        const auto pick = parseCommand(row.pick);
        ASSERT_TRUE(pick) << pick.error().sentence();
        applyAll(session, {*pick});
        const std::vector<MenuItem> menu =
            contextMenu(session, {.name = "it", .pick = *pick, .view = ViewId{}, .time = 20, .ofRange = true});
        const bool isThere =
            row.offers == "Tables" ? itemOf(menu, "L1 Table") != nullptr : itemOf(menu, row.offers) != nullptr;
        EXPECT_TRUE(isThere) << testing::PrintToString(wordsOf(menu));
        EXPECT_NE(itemOf(menu, "Save picture"), nullptr);
        forEach(menu, [&](const MenuItem& item) {
            Session after = session;
            applyAll(after, item.commands);
            EXPECT_EQ(after.refused, "") << item.words;
        });
    }
}

TEST(ContextMenus, SetTheRangeAtAMoment) {
    Session session = sessionOf("matmul:n=8");
    const auto choose = [&](const char* words, double time) {
        const std::vector<MenuItem> menu = contextMenu(session, {.time = time, .ofRange = true});
        const MenuItem* const item = itemOf(menu, words);
        ASSERT_NE(item, nullptr) << words;
        applyAll(session, item->commands);
    };
    choose("Start the range here", 100);
    choose("End the range here", 300);
    ASSERT_TRUE(session.range);
    EXPECT_EQ(session.range->from.value, 100u);
    EXPECT_EQ(session.range->to.value, 300u);
    // Beyond the other end, the range reaches to the start or the end of the trace.
    choose("Start the range here", 400);
    EXPECT_EQ(session.range->from.value, 400u);
    EXPECT_EQ(session.range->to.value, session.opened.run->trace().size());
    choose("Bookmark here", 77);
    ASSERT_EQ(session.bookmarks.size(), 1u);
    EXPECT_EQ(session.bookmarks.front().at, 77);
    choose("Clear the range", 0);
    EXPECT_FALSE(session.range);
}

}  // namespace
}  // namespace whorl::app
