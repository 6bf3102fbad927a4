// The tree of regions: what is in which row, and that the figures of a row are the sums of what is in it.
#include "app/panels/regions/region_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "app/panels/panel_frame.h"
#include "app/panels/panels.h"
#include "app/panels/table_rows.h"
#include "support/sessions.h"
#include "support/shared_trace.h"
#include "support/sharing_trace.h"

namespace whorl::app {
namespace {

/// The names of the rows, each indented by its depth, with its accesses.
std::string written(const RegionTree& tree) {
    std::string out;
    for (std::size_t r = 0; r < tree.rows.size(); ++r) {
        const auto* const accesses = std::get_if<std::uint64_t>(&tree.table.rows[r][2]);
        out += std::string(tree.depths[r], ' ') + std::get<std::string>(tree.table.rows[r][0]);
        out += accesses == nullptr ? "\n" : ' ' + std::to_string(*accesses) + '\n';
    }
    return out;
}

RegionTree treeOf(const Session& session) {
    const auto measures = session.opened.run->measures();
    return regionTree(session.opened.run->trace(), session.opened.run->machine(), measures->ledger.get());
}

TEST(RegionTree, ObjectsAreInTheirClassesAndVariables) {
    const Session session = sessionOn(
        "region heap 0x1000 4096\nregion A 0x8000 64 8 rows=8\n"
        "new \"orders#1\" Order 0x1000 32\nnew \"orders#2\" Order 0x1020 32\nnew old Order 0x1040 32\n"
        "new \"node 1\" Node 0x1100 16\nnew \"node 2\" Node 0x1110 16\nnew buffer char 0x1200 512\n"
        "R 0x1000 4\nR 0x1000 4\nW 0x1020 4\nR 0x1040 4\nR 0x1100 4\nR 0x1110 4\nR 0x1110 4\nR 0x1200 4\nR 0x8000 4\n",
        sim::test::sharedMachine());
    EXPECT_EQ(written(treeOf(session)),
              "heap 8\n"
              " node: Node 3\n  node 1 1\n  node 2 2\n"
              " Order 4\n  old 1\n  orders 3\n   orders#1 2\n   orders#2 1\n"
              " buffer 1\n"
              "A 1\n");
}

/// The rows beside which nothing is indented are those of the table of regions.
TEST(RegionTree, CountsAsTheTableOfRegionsDoes) {
    const Session session = sessionOn(
        "new \"heap 1\" Order 0x1000 32\nnew \"heap 2\" Order 0x1020 32\nnew \"list#1\" Node 0x1040 32\n"
        "R 0x1000 4\nR 0x1020 4\nW 0x1020 4\nR 0x1040 4\ndel 0x1040\nnew \"list#2\" Node 0x1040 16\nnew row Node "
        "0x1050 16\n"
        "R 0x1040 4\nR 0x1050 4\nR 0x1050 4\nR 0x1060 4\n",
        sim::test::sharedMachine());
    const auto measures = session.opened.run->measures();
    const sim::Owners& owners = session.opened.run->trace().owners();
    std::map<std::string, std::uint64_t> counted;
    for (std::size_t o = 0; o < owners.count(); ++o) {
        if (const auto n = measures->ledger->owners.accesses(o); n > 0) counted[owners.name(o)] += n;
    }
    const RegionTree tree = treeOf(session);
    std::map<std::string, std::uint64_t> shown;
    for (std::size_t r = 0; r < tree.rows.size(); ++r) {
        if (tree.depths[r] > 0) continue;
        const std::string name = std::get<std::string>(tree.table.rows[r][0]);
        shown[name.substr(0, name.find(": "))] += std::get<std::uint64_t>(tree.table.rows[r][2]);
    }
    EXPECT_EQ(shown, counted);
    EXPECT_EQ(counted.at("list"), 2u);
}

TEST(RegionTree, SharesAreOfAllMisses) {
    const RegionTree tree = treeOf(sharingSession());
    const std::size_t misses = sim::columnOf(tree.table.columns, "misses");
    const std::size_t share = sim::columnOf(tree.table.columns, "share");
    double all = 0;
    std::uint64_t missed = 0;
    for (std::size_t r = 0; r < tree.rows.size(); ++r) {
        if (tree.depths[r] > 0) continue;
        all += std::get<double>(tree.table.rows[r][share]);
        missed += std::get<std::uint64_t>(tree.table.rows[r][misses]);
    }
    EXPECT_NEAR(all, 100, 1e-9);
    EXPECT_EQ(missed, 7u) << "each access of that trace misses";
}

TEST(RegionTree, WithoutFiguresItHasNamesAndBytes) {
    const Session session = sharedSession();
    const RegionTree tree = regionTree(session.opened.run->trace(), session.opened.run->machine(), nullptr);
    EXPECT_EQ(written(tree), "A\nB\n");
    EXPECT_EQ(tree.table.rows[0][1], sim::Cell(std::uint64_t{64}));
}

/// Rows: heap, with a and its b; stack.
sim::Table nested() {
    sim::Table table{.name = "n", .title = {}, .columns = {{"name", "name"}, {"n", "n"}}, .rows = {}};
    for (const auto& [name, n] :
         {std::pair("heap", 5), std::pair("a", 1), std::pair("b", 1), std::pair("c", 4), std::pair("stack", 9)}) {
        table.rows.push_back({std::string(name), static_cast<std::uint64_t>(n)});
    }
    return table;
}

std::string namesOf(const KeptTable& kept) {
    std::string out;
    for (const std::size_t r : kept.rows()) out += std::get<std::string>(kept.table().rows[r][0]) + ' ';
    return out;
}

KeptTable folding() {
    KeptTable kept;
    kept.keep(TableSource({}, {1}), nested);
    kept.nest({0, 1, 2, 1, 0}, {0}, true);
    return kept;
}

TEST(NestedRows, OpenAndClose) {
    KeptTable kept = folding();
    EXPECT_EQ(namesOf(kept), "heap stack ");
    kept.fold(0);
    EXPECT_EQ(namesOf(kept), "heap a c stack ");
    EXPECT_TRUE(kept.isOpen(0));
    EXPECT_FALSE(kept.isOpen(1));
    kept.fold(1);
    EXPECT_EQ(namesOf(kept), "heap a b c stack ");
    // What is open stays so in another table with the same names.
    kept.keep(TableSource({}, {2}), nested);
    kept.nest({0, 1, 2, 1, 0}, {0}, true);
    EXPECT_EQ(namesOf(kept), "heap a b c stack ");
    kept.fold(0);
    EXPECT_EQ(namesOf(kept), "heap stack ");
}

TEST(NestedRows, AreSortedAmongThemselves) {
    KeptTable kept = folding();
    kept.fold(0);
    kept.setOrder(TableOrder{1, true});
    EXPECT_EQ(namesOf(kept), "stack heap c a ");
}

TEST(NestedRows, AFilterOpensWhatItFinds) {
    KeptTable kept = folding();
    kept.setFilter("b");
    EXPECT_EQ(namesOf(kept), "heap a b ");
    EXPECT_TRUE(kept.isOpen(0));
    kept.setFilter("heap");
    EXPECT_EQ(namesOf(kept), "heap ");
    kept.fold(0);
    EXPECT_EQ(namesOf(kept), "heap a c ") << "all that is in it";
    kept.setFilter("");
    EXPECT_EQ(namesOf(kept), "heap a c stack ");
}

Session heapSession() {
    return sessionOn(
        "region heap 0x1000 4096\nnew \"orders#1\" Order 0x1000 32\nnew \"orders#2\" Order 0x1020 32\n"
        "new old Order 0x1040 32\nnew buffer char 0x1200 512\nR 0x1000 4\nW 0x1020 4\nR 0x1040 4\nR 0x1200 4\n",
        sim::test::sharedMachine());
}

TEST(RegionsPanel, SearchesAndPicksAnAllocation) {
    Session session = heapSession();
    PanelFrame frame(session, drawRegionsPanel, {320, 720});
    frame.next();
    frame.next();
    EXPECT_FALSE(frame.place("region orders#2")) << "it is in a class, which is closed";
    frame.click("field regions");
    ImGui::GetIO().AddInputCharactersUTF8("orders#2");
    frame.next();
    frame.next();
    const auto texts = textsOf(frame.click("region orders#2"));
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_TRUE(texts.front().starts_with("pick-object object ")) << texts.front();
}

TEST(RegionsPanel, AClickOnAnArrowOpensARow) {
    Session session = heapSession();
    PanelFrame frame(session, drawRegionsPanel, {320, 720});
    frame.next();
    frame.next();
    const std::string region = session.opened.run->trace().regions().front().name;
    EXPECT_TRUE(frame.click("fold region " + region).empty());
    frame.next();
    EXPECT_TRUE(frame.place("region Order"));
}

}  // namespace
}  // namespace whorl::app
