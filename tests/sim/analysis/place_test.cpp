// Names of places: what they stand for, back to names, and one sentence for what is none.
#include <gtest/gtest.h>

#include <set>

#include "sim/analysis/history_help.h"
#include "sim/analysis/place.h"
#include "sim/trace/memory_names.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

class Places : public testing::Test {
  protected:
    Places() {
        TraceBuilder b("places");
        Region matrix = test::region("B", 0x1000, 4 * 8 * 8);
        matrix.elementSize = 8;
        matrix.rows = 4;
        matrix.columns = 8;
        b.addRegion(matrix);
        Region row = test::region("v", 0x2000, 40);
        row.elementSize = 4;
        row.rows = 10;
        b.addRegion(row);
        Region orders = test::region("orders", 0x3000, 16 * 64);
        orders.elementSize = 64;
        orders.rows = 16;
        orders.type = std::make_shared<const ElementType>(ElementType{"Order", 64, {{"id", 0, 8}, {"note", 8, 56}}});
        b.addRegion(orders);
        b.addRegion(test::region("heap", 0x8000, 256));
        b.newObject(test::object("node 7", 0x8040, 24));
        b.add(test::access(Op::read, 0x1000, 4, 3));
        trace_ = std::make_unique<Trace>(b.finish());
        machine_ = *parseGeometry("1K/2/32, 8K/4/64");
        machine_.cpus = 4;
        machine_.levels[0].sharedBy = 2;
    }
    std::string named(const std::string& words) const {
        const auto place = placeNamed(words, *trace_, machine_);
        if (!place) return place.error().sentence();
        const std::string name = nameOf(*place, *trace_, machine_);
        EXPECT_EQ(*placeNamed(name, *trace_, machine_), *place) << name;
        return name;
    }
    Place place(const std::string& words) const { return *placeNamed(words, *trace_, machine_); }
    static Place memory(std::uint64_t from, std::uint64_t bytes) { return {.from = ByteAddress{from}, .bytes = bytes}; }

    std::unique_ptr<Trace> trace_;
    MachineConfig machine_;
};

TEST_F(Places, InMemory) {
    EXPECT_EQ(place("B"), memory(0x1000, 256));
    EXPECT_EQ(place(" b "), memory(0x1000, 256));
    EXPECT_EQ(place("B[3][4]"), memory(0x1000 + (3 * 8 + 4) * 8, 8));
    EXPECT_EQ(place("v[9]"), memory(0x2024, 4));
    EXPECT_EQ(place("heap+0x40"), memory(0x8040, 1));
    EXPECT_EQ(place("node 7"), memory(0x8040, 24));
    EXPECT_EQ(place("node 7+8"), memory(0x8048, 1));
    EXPECT_EQ(place("0x1040"), memory(0x1040, 1));
    EXPECT_EQ(place("4160"), memory(0x1040, 1));
    EXPECT_EQ(place("0x1000+64"), memory(0x1000, 64));
    EXPECT_EQ(place("0x1000 + 0x40"), memory(0x1000, 64));
    EXPECT_EQ(place("0xffffffffffffffff"), memory(~std::uint64_t{0}, 1));
}

TEST_F(Places, InCaches) {
    const Place first = place("L1:3:1");
    EXPECT_EQ(first.kind, Place::Kind::cache);
    EXPECT_EQ(first.level, 0);
    EXPECT_EQ(first.cache, 0);
    EXPECT_EQ(first.set, SetIndex{3});
    EXPECT_EQ(first.way, WayIndex{1});
    EXPECT_EQ(place("l1@3:0:0").cache, 1);
    EXPECT_EQ(place("L2@3:31:3").level, 1);
    EXPECT_EQ(named("L1@1:0:0"), "L1@0:0:0") << "the first CPU that uses it";
    EXPECT_EQ(named("L1@3:0:1"), "L1@2:0:1");
    EXPECT_EQ(named("L2@3:0:1"), "L2:0:1") << "there is one";
}

TEST_F(Places, HaveTheNameOfWhatTheyAre) {
    for (const char* const name : {"B", "B[3][4]", "v", "v[0]", "heap", "node 7", "0x1041", "0x1000+64", "0x9000+8"}) {
        EXPECT_EQ(named(name), name);
    }
    EXPECT_EQ(named("heap+0x40"), "heap+0x40");
    EXPECT_EQ(named("orders[12]"), "orders[12]") << "not an address, though its first word is orders[12].id";
    EXPECT_EQ(named("orders[12].id"), "orders[12].id");
    EXPECT_EQ(named("4160"), "0x1040");
    EXPECT_EQ(named("0x2000+40"), "v");
    EXPECT_EQ(named("0x2008+4"), "v[2]");
}

TEST_F(Places, HoldWhatLiesOrMayComeThere) {
    const auto holdsBytes = [&](const std::string& words, std::uint64_t from, std::uint64_t bytes) {
        return holds(place(words), ByteAddress{from}, bytes, machine_);
    };
    EXPECT_TRUE(holdsBytes("0x1000+64", 0x103f, 1));
    EXPECT_FALSE(holdsBytes("0x1000+64", 0x1040, 8));
    // Of every block, in each of the sets in turn.
    const LevelConfig& level = machine_.levels[0];
    const std::uint64_t all = level.block * level.sets();
    for (std::uint64_t from = 0; from < 3 * all; from += 7) {
        for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{level.block}, all - 3, 2 * all}) {
            bool isThere = false;
            for (std::uint64_t b = from; b < from + bytes; ++b) isThere |= b / level.block % level.sets() == 3;
            ASSERT_EQ(holdsBytes("L1:3:1", from, bytes), isThere) << from << " + " << bytes;
        }
    }
}

TEST(ShortPlace, LeavesOutWhatItIsAPartOf) {
    EXPECT_EQ(shortPlace("Global.ArrayC[4]"), "ArrayC[4]");
    EXPECT_EQ(shortPlace("orders[12].note"), "orders[12].note") << "each of them has a note";
    EXPECT_EQ(shortPlace("shop.orders[12].note"), "orders[12].note");
    EXPECT_EQ(shortPlace("std::vector of a.b"), "std::vector of a.b");
}

TEST_F(Places, ThatAreNone) {
    const auto expect = [&](const std::string& words, const std::string& part) {
        EXPECT_NE(named(words).find(part), std::string::npos) << words << ": " << named(words);
    };
    expect("", "a place is needed");
    expect("nothing", "\"nothing\" is no place of this trace or machine; write a variable as B");
    expect("B[4][0]", "that lies outside B, which has 4 × 8 elements");
    expect("B[1]", "B has two indices");
    expect("heap[1]", "heap is not an array of known shape");
    expect("heap+256", "that lies outside heap, which has 256 bytes");
    expect("node 7+24", "that lies outside node 7, which has 24 bytes");
    expect("0x10+0", "\"0x10+0\" has no bytes");
    expect("0xffffffffffffffff+2", "reaches beyond the end of the address space");
    expect("0xzz", "is no place");
    expect("0x123456789012345678", "is no place");
    expect("L1:16:0", "L1 has no set 16; it has 16, from 0");
    expect("L1:0:2", "a set of L1 has no way 2; it has 2, from 0");
    expect("L1@4:0:0", "the machine has no CPU 4; it has 4, from 0");
    expect("L1:0", "\"L1:0\" is no cell of a cache; write L1:set:way or L1@cpu:set:way");
    expect("L1@x:0:0", "is no cell of a cache");
    expect("L1:x:0", "is no cell of a cache");
    expect("L3:0:0", "is no place");
    expect("L1", "is no place");
}

/// At a time, an object comes before a region of the same name only while it lives.
TEST(MemoryNames, DependOnTheTime) {
    TraceBuilder b("time");
    b.addRegion(test::region("x", 0x1000, 64));
    b.add(test::access(Op::read, 0x1000, 4));
    b.newObject(test::object("x", 0x1010, 8));
    b.add(test::access(Op::read, 0x1010, 4));
    b.deleteObject(ByteAddress{0x1010});
    b.add(test::access(Op::read, 0x1000, 4));
    const Trace trace = b.finish();
    const auto from = [&](std::optional<Tick> now) { return (*memoryNamed("x", trace, now))->from.value; };
    EXPECT_EQ(from(Tick{0}), 0x1000u);
    EXPECT_EQ(from(Tick{1}), 0x1010u);
    EXPECT_EQ(from(Tick{2}), 0x1000u);
    EXPECT_EQ(from({}), 0x1000u);
    EXPECT_FALSE(memoryNamed("y", trace).has_value());
}

/// A trace with all kinds of places: arrays of one and two dimensions, of structures, objects that are one structure,
/// several, an array that is declared, and just bytes.
Trace manyPlaces() {
    const auto node = std::make_shared<const ElementType>(
        ElementType{.name = "Node", .size = 16, .fields = {{"key", 0, 4}, {"next", 8, 8}}});
    TraceBuilder b("places");
    Region grid = test::region("grid", 0x1000, 4 * 6 * 8);
    grid.rows = 4;
    grid.columns = 6;
    grid.elementSize = 8;
    b.addRegion(grid);
    Region nodes = test::region("Global.nodes", 0x2000, 5 * 16);
    nodes.rows = 5;
    nodes.elementSize = 16;
    nodes.type = node;
    b.addRegion(nodes);
    Region root = test::region("root", 0x3000, 16);
    root.type = node;
    b.addRegion(root);
    Region array = test::region("Global.Array", 0x4000, 32);
    array.rows = 8;
    array.elementSize = 4;
    b.addRegion(array);
    b.addRegion(test::region("heap", 0x5000, 256));
    Object whole = test::object("Global.Array", 0x4000, 32);
    b.newObject(whole);
    Object one = test::object("leaf [1]", 0x5000, 16);
    one.type = node;
    b.newObject(one);
    Object some = test::object("pool", 0x5020, 48);
    some.type = node;
    b.newObject(some);
    b.newObject(test::object("bytes", 0x5080, 24));
    b.add(test::access(Op::read, 0x1000, 4));
    return b.finish();
}

/// What the program calls a place on screen, it understands when it is typed.
TEST(MemoryNames, AreAllThatLabelsShow) {
    const Trace trace = manyPlaces();
    std::set<std::string> names;
    for (const auto& [base, size] :
         {std::pair(0x1000u, 192u), {0x2000u, 80u}, {0x3000u, 16u}, {0x4000u, 32u}, {0x5000u, 256u}}) {
        for (std::uint64_t a = base; a < base + size; ++a) {
            const std::string name = trace.placeOf(ByteAddress{a}, Tick{0});
            names.insert(name);
            const auto found = memoryNamed(name, trace, Tick{0});
            ASSERT_TRUE(found) << name;
            ASSERT_TRUE(*found) << name << ": " << (*found).error().sentence();
            EXPECT_GE(a, (*found)->from.value) << name;
            EXPECT_LT(a, (*found)->from.value + (*found)->bytes) << name;
        }
    }
    for (const char* name : {"grid[3][5]", "Global.nodes[4].next", "root.key", "Global.Array[5]", "leaf [1].key",
                             "pool[2].next", "bytes+0x17", "heap+0xff"}) {
        EXPECT_TRUE(names.contains(name)) << name;
    }
}

TEST(MemoryNames, MayBeShortAndSayWhatIsWrong) {
    const Trace trace = manyPlaces();
    const auto from = [&](const char* words) { return (*memoryNamed(words, trace))->from.value; };
    EXPECT_EQ(from("Array[5]"), 0x4014u);
    EXPECT_EQ(from("nodes[2]"), 0x2020u);
    EXPECT_EQ(from("nodes[2].next"), 0x2028u);
    const auto bytes = [&](const char* words) { return (*memoryNamed(words, trace))->bytes; };
    EXPECT_EQ(from("Array[2…5]"), 0x4008u);
    EXPECT_EQ(bytes("Array[2…5]"), 16u);
    EXPECT_EQ(bytes("grid[1][2..5]"), 32u);
    EXPECT_EQ(bytes("pool[0…2]"), 48u);
    EXPECT_EQ(from("heap+0x10…0x1f"), 0x5010u);
    EXPECT_EQ(bytes("heap+0x10…0x1f"), 16u);
    EXPECT_EQ(bytes("bytes+0…7"), 8u);
    const auto refused = [&](const char* words) { return memoryNamed(words, trace)->error().sentence(); };
    EXPECT_EQ(refused("nodes[2].left"), "Global.nodes has no field left; its fields are key and next");
    EXPECT_EQ(refused("grid[1][1].key"), "grid has no fields; write grid alone");
    EXPECT_EQ(refused("pool[3]"), "that lies outside pool, which has 3 elements; count from 0");
    EXPECT_EQ(refused("bytes[1]"), "bytes is an object of 24 bytes; write bytes or bytes+0x0");
    EXPECT_EQ(refused("Array[2…8]"), "that lies outside Global.Array, which has 8 elements; count from 0");
    EXPECT_FALSE(memoryNamed("odes[2]", trace)) << "only whole words";
}

}  // namespace
}  // namespace whorl::sim
