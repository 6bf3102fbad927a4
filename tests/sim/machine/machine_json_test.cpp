// Machines as JSON files: what is read, and how each error is reported.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/machine/machine_config.h"
#include "support/refusal.h"

namespace whorl::sim {
namespace {

std::string jsonRefusal(std::string_view json) {
    return test::refusalOf(parseMachineJson(json, "my.json"));
}

/// A machine of one level with these fields.
std::string level(std::string_view fields) {
    return fmt::format(R"({{"levels": [{{{}}}]}})", fields);
}

constexpr const char* kSizeHint = "; a size is a number of bytes, or one with K, M or G, such as 32K";
constexpr const char* kWays = "; give a whole number such as 8, or \"full\" for a fully associative cache";

TEST(MachineJson, ReadsAMachine) {
    const auto machine = parseMachineJson(R"({
        "name": "mine", "note": "for tests", "source": "nowhere", "cpus": 4,
        "levels": [{"name": "near", "size": "32K", "ways": 8, "block": 64},
                   {"size": 1048576, "ways": 16, "block": "128"}]})",
                                          "my.json");
    ASSERT_TRUE(machine.has_value()) << machine.error().sentence();
    const MachineConfig expected{
        .name = "mine",
        .note = "for tests",
        .source = "nowhere",
        .levels = {{.name = "near", .size = 32768, .ways = 8, .block = 64, .sharedBy = 1, .latency = 4},
                   {.name = "L2", .size = 1048576, .ways = 16, .block = 128, .sharedBy = 0, .latency = 14}},
        .cpus = 4,
        .memoryLatency = 200,
        .upgradeLatency = 30};
    EXPECT_EQ(*machine, expected);
}

TEST(MachineJson, ReadsEveryKey) {
    const auto machine = parseMachineJson(R"({
        "cpus": 8, "protocol": "msi", "memory_latency": 300, "upgrade_latency": 20, "writeback_latency": 5,
        "memory": {"size": "1M", "page": "8K", "fault": 70000},
        "tlb": {"entries": 64, "ways": 4, "page": "8K", "walk": 50},
        "conventions": {"writeback_first": true, "modify_counts_once": true, "straddle_counts_once": true},
        "levels": [
            {"size": "1K", "ways": "full", "block": 32, "shared_by": 2, "policy": "random",
             "seed": 18446744073709551615, "write": "through", "allocate": false, "prefetch": "stride",
             "degree": 4, "latency": 3},
            {"size": "3K", "ways": 3, "block": 32, "policy": "plru", "shared_by": 4, "inclusion": "inclusive"},
            {"size": "8K", "ways": 4, "block": 32, "policy": "srrip", "inclusion": "exclusive", "shared_by": "all"}]})",
                                          "my.json");
    ASSERT_TRUE(machine.has_value()) << machine.error().sentence();
    const MachineConfig expected{
        .name = "",
        .levels = {{.name = "L1",
                    .size = 1024,
                    .ways = 32,
                    .block = 32,
                    .sharedBy = 2,
                    .policy = Policy::random,
                    .seed = ~std::uint64_t{0},
                    .writeThrough = true,
                    .allocate = false,
                    .prefetch = Prefetcher::stride,
                    .degree = 4,
                    .latency = 3},
                   {.name = "L2",
                    .size = 3072,
                    .ways = 3,
                    .block = 32,
                    .sharedBy = 4,
                    .policy = Policy::treePlru,
                    .inclusion = Inclusion::inclusive,
                    .latency = 14},
                   {.name = "L3",
                    .size = 8192,
                    .ways = 4,
                    .block = 32,
                    .sharedBy = 0,
                    .policy = Policy::srrip,
                    .inclusion = Inclusion::exclusive,
                    .latency = 40}},
        .cpus = 8,
        .protocol = Protocol::msi,
        .memoryLatency = 300,
        .upgradeLatency = 20,
        .writebackLatency = 5,
        .memory = {.size = 1048576, .page = 8192, .fault = 70'000},
        .tlb = {.entries = 64, .ways = 4, .page = 8192, .walk = 50},
        .conventions = {.writebackFirst = true, .modifyCountsOnce = true, .straddleCountsOnce = true}};
    EXPECT_EQ(*machine, expected);
}

TEST(MachineJson, EveryWordHasItsMeaning) {
    const auto read = [](std::string_view fields) {
        return parseMachineJson(level(fmt::format(R"("size": 64, "ways": 1, "block": 32, {})", fields)), "my.json")
            .value()
            .levels[0];
    };
    const std::pair<const char*, Policy> policies[] = {
        {"lru", Policy::lru},       {"plru", Policy::treePlru}, {"fifo", Policy::fifo}, {"mru", Policy::mru},
        {"random", Policy::random}, {"srrip", Policy::srrip},   {"opt", Policy::opt}};
    for (const auto& [word, policy] : policies) {
        EXPECT_EQ(read(fmt::format(R"("policy": "{}")", word)).policy, policy) << word;
    }
    EXPECT_EQ(read(R"("prefetch": "next-line")").prefetch, Prefetcher::nextLine);
    EXPECT_EQ(read(R"("prefetch": "none")").prefetch, Prefetcher::none);
    EXPECT_EQ(read(R"("inclusion": "none")").inclusion, Inclusion::none);
    EXPECT_FALSE(read(R"("write": "back")").writeThrough);
    EXPECT_TRUE(read(R"("allocate": true)").allocate);
    EXPECT_EQ(parseMachineJson(R"({"protocol": "none", "levels": [{"size": 64, "ways": 1, "block": 32}]})", "my.json")
                  .value()
                  .protocol,
              Protocol::none);
}

TEST(MachineJson, ATlbHasDefaults) {
    const auto tlb = [](std::string_view fields) {
        return parseMachineJson(
                   fmt::format(R"({{"tlb": {{{}}}, "levels": [{{"size": 64, "ways": 1, "block": 32}}]}})", fields),
                   "my.json")
            .value()
            .tlb;
    };
    EXPECT_EQ(tlb(R"("entries": 16)"), (TlbConfig{.entries = 16, .ways = 16, .page = 4096, .walk = 30}));
    EXPECT_EQ(tlb(R"("entries": 72, "ways": "full")"),
              (TlbConfig{.entries = 72, .ways = 72, .page = 4096, .walk = 30}));
    EXPECT_EQ(tlb(R"("entries": 0, "ways": 4)"), TlbConfig{}) << "none at all";
}

TEST(MachineJson, SyntaxErrorsHaveLineAndColumn) {
    EXPECT_EQ(jsonRefusal(""), "my.json:1:1: this is not JSON: the file is empty; it should begin with {");
    EXPECT_EQ(jsonRefusal("{\n  \"levels\": [\n    {\"size\": 32K}\n]}"),
              "my.json:3:14: this is not JSON: \"32K\" is not in quotes; put texts in double quotes");
    EXPECT_EQ(jsonRefusal("{\"levels\": [],}"),
              "my.json:1:14: this is not JSON: a comma stands before }; remove the comma");
    EXPECT_EQ(jsonRefusal("{} {}").substr(0, 31), "my.json:1:4: this is not JSON: ");
    EXPECT_EQ(jsonRefusal("{\"name\": \"\xff\"}").substr(0, 32), "my.json:1:11: this is not JSON: ");
}

TEST(MachineJson, HasAMegabyteAtMost) {
    // A trace file may hold a machine, too.
    EXPECT_EQ(jsonRefusal("[" + std::string(kMaxMachineText, ' ') + "]"),
              "my.json: the text is too long for a machine; 1 MB is the most");
}

TEST(MachineJson, TheShapeOfTheWhole) {
    EXPECT_EQ(jsonRefusal("[]"), "my.json: a machine is an object, not a list; it opens with {\"levels\": [");
    EXPECT_EQ(jsonRefusal("3"), "my.json: a machine is an object, not 3; it opens with {\"levels\": [");
    EXPECT_EQ(
        jsonRefusal("{}"),
        "my.json: levels: is missing; give the levels from the CPU outward, as a list of objects; an empty list is "
        "a machine without caches");
    EXPECT_EQ(jsonRefusal(R"({"levels": "L1"})"),
              "my.json: levels: \"L1\" is not a list; give the levels from the CPU outward");
    EXPECT_EQ(jsonRefusal(R"({"levels": []})"), "accepted");
    EXPECT_EQ(
        jsonRefusal(R"({"levels": [8]})"),
        "my.json: levels[0]: 8 is not a level; a level is an object such as {\"name\": \"L1\", \"size\": \"32K\", "
        "\"ways\": 8, \"block\": 64}");
}

TEST(MachineJson, UnknownKeys) {
    EXPECT_EQ(
        jsonRefusal(R"({"nmae": "x", "tlb": {"entries": 4, "pages": 3}, "conventions": {"wb": true},
                    "levels": [{"size": 64, "ways": 1, "block": 64, "polcy": 3}]})"),
        "my.json: the key \"nmae\" is not known; did you mean \"name\"? the keys here are name, note, source, cpus, "
        "protocol, memory_latency, upgrade_latency, writeback_latency, memory, tlb, conventions and levels\n"
        "my.json: tlb: the key \"pages\" is not known; did you mean \"page\"? the keys here are entries, ways, page "
        "and "
        "walk\n"
        "my.json: conventions: the key \"wb\" is not known; the keys here are writeback_first, modify_counts_once, "
        "straddle_counts_once and full_write_fetches\n"
        "my.json: levels[0]: the key \"polcy\" is not known; did you mean \"policy\"? the keys here are name, size, "
        "ways, "
        "block, shared_by, policy, seed, write, allocate, inclusion, prefetch, degree and latency");
}

TEST(MachineJson, KeysThatStandTwiceNameTheirPlace) {
    const std::string hint = " appears twice in one object; remove one of them";
    EXPECT_EQ(jsonRefusal(level(R"("size": 64, "size": 128, "ways": 1, "block": 64)")),
              "my.json: levels[0]: the key \"size\"" + hint);
    EXPECT_EQ(jsonRefusal(R"({"cpus": 1, "cpus": 1, "tlb": {"entries": 4, "entries": 4},
                          "levels": [{"size": 64, "ways": 1, "block": 32}, {"size": 64, "ways": 1, "block": 32,
                          "ways": 1, "ways": 1}]})"),
              "my.json: the key \"cpus\"" + hint + "\nmy.json: tlb: the key \"entries\"" + hint +
                  "\nmy.json: levels[1]: the key \"ways\"" + hint);
}

TEST(MachineJson, UnknownWords) {
    EXPECT_EQ(
        jsonRefusal(R"({"protocol": "moesi", "levels": [{"size": 64, "ways": 1, "block": 64, "policy": "lur",
                          "write": "trough", "inclusion": true, "prefetch": "nextline"}]})"),
        "my.json: protocol: \"moesi\" is not a protocol; did you mean \"mesi\"? it must be none, msi or mesi\n"
        "my.json: levels[0].policy: \"lur\" is not a policy; did you mean \"lru\"? it must be lru, plru, fifo, "
        "mru, random, srrip or opt\n"
        "my.json: levels[0].write: \"trough\" is not a write policy; did you mean \"through\"? it must be back "
        "or through\n"
        "my.json: levels[0].inclusion: true is not a kind of inclusion; it must be none, inclusive or "
        "exclusive\n"
        "my.json: levels[0].prefetch: \"nextline\" is not a prefetcher; did you mean \"next-line\"? it must be none, "
        "next-line or stride");
}

TEST(MachineJson, TlbAndConventionsAreObjects) {
    EXPECT_EQ(
        jsonRefusal(
            R"({"tlb": 64, "conventions": ["writeback_first"], "levels": [{"size": 64, "ways": 1, "block": 64}]})"),
        "my.json: tlb: 64 is not an object; write it as in {\"entries\": 64, \"ways\": 4}\n"
        "my.json: conventions: a list is not an object; write it as in {\"writeback_first\": true}");
    EXPECT_EQ(jsonRefusal(R"({"tlb": {}, "levels": [{"size": 64, "ways": 1, "block": 64}]})"),
              "my.json: tlb.entries: is missing; a TLB has a number of entries");
    EXPECT_EQ(jsonRefusal(R"({"tlb": {"entries": "64"}, "conventions": {"writeback_first": 1},
                          "levels": [{"size": 64, "ways": 1, "block": 64}]})"),
              "my.json: tlb.entries: \"64\" is not a valid whole number; use a whole number such as 8\n"
              "my.json: conventions.writeback_first: 1 is neither true nor false; write true or false");
}

TEST(MachineJson, MemoryIsAnObject) {
    const auto refused = [](const std::string& memory) {
        return jsonRefusal(R"({"memory": )" + memory + R"(, "levels": [{"size": 64, "ways": 1, "block": 64}]})");
    };
    EXPECT_EQ(refused("4096"),
              "my.json: memory: 4096 is not an object; write it as in {\"size\": \"4M\", \"page\": \"4K\"}");
    EXPECT_EQ(refused("{}"), "my.json: memory.size: is missing; a memory of bounded size has a size");
    EXPECT_EQ(refused(R"({"sise": "4M"})"),
              "my.json: memory: the key \"sise\" is not known; did you mean \"size\"? the keys here are size, page and "
              "fault\n"
              "my.json: memory.size: is missing; a memory of bounded size has a size");
    EXPECT_EQ(refused(R"({"size": "4Q", "page": 3, "fault": -1})"),
              std::string("my.json: memory.size: \"4Q\" is not a size") + kSizeHint +
                  "\n"
                  "my.json: memory.fault: -1 is not a valid whole number; use a whole number such as 8\n"
                  "my.json: memory.page: a page of 3 bytes; a page is a power of two such as 4K");
    EXPECT_EQ(refused(R"({"size": "5000", "fault": 1000000001})"),
              "my.json: memory.size: 5000 is not a whole number of pages of 4K; give a multiple of 4K\n"
              "my.json: memory.fault: a page fault of 1000000001 cycles; give 1000000000 at most");
}

TEST(MachineJson, MemoryHasDefaults) {
    const auto memoryOf = [](const std::string& memory) {
        const std::string rest = R"(, "levels": [{"size": 64, "ways": 1, "block": 64}]})";
        return parseMachineJson(R"({"memory": )" + memory + rest, "my.json").value().memory;
    };
    EXPECT_EQ(memoryOf(R"({"size": "4M"})"), (MemoryConfig{.size = 4194304, .page = 4096, .fault = 100'000}));
    EXPECT_EQ(memoryOf(R"({"size": 0, "page": "8K"})"), MemoryConfig{}) << "not bounded";
    EXPECT_EQ(memoryOf(R"({"size": "1M", "page": "8K", "fault": 0})"),
              (MemoryConfig{.size = 1048576, .page = 8192, .fault = 0}));
}

TEST(MachineJson, MemoryAndTlbHaveTheSamePages) {
    const auto pagesOf = [](const std::string& memory, const std::string& tlb) {
        const std::string text = R"({"memory": {"size": "64K")" + memory + R"(}, "tlb": {"entries": 4)" + tlb +
                                 R"(}, "levels": [{"size": 64, "ways": 1, "block": 64}]})";
        const auto machine = parseMachineJson(text, "my.json");
        if (!machine) return machine.error().sentence();
        return fmt::format("{} {}", machine->memory.page, machine->tlb.page);
    };
    EXPECT_EQ(pagesOf("", ""), "4096 4096");
    EXPECT_EQ(pagesOf(R"(, "page": 512)", ""), "512 512");
    EXPECT_EQ(pagesOf("", R"(, "page": "1K")"), "1024 1024");
    EXPECT_EQ(pagesOf(R"(, "page": 512)", R"(, "page": 512)"), "512 512");
    EXPECT_EQ(pagesOf(R"(, "page": 512)", R"(, "page": "1K")"),
              "my.json: memory.page: a page of 512 bytes, but those of the TLB have 1024; give both the same, or leave "
              "one of them out");
    EXPECT_EQ(pagesOf("", R"(, "page": "x")"), std::string("my.json: tlb.page: \"x\" is not a size") + kSizeHint);
}

TEST(MachineJson, FieldsOfTheWrongKind) {
    EXPECT_EQ(jsonRefusal(level(R"("size": "32Q", "ways": 1, "block": 64)")),
              std::string("my.json: levels[0].size: \"32Q\" is not a size") + kSizeHint);
    EXPECT_EQ(jsonRefusal(level(R"("size": 32.5, "ways": 1, "block": 64)")),
              std::string("my.json: levels[0].size: 32.5 is not a size") + kSizeHint);
    EXPECT_EQ(jsonRefusal(level(R"("size": -1, "ways": 1, "block": 64)")),
              std::string("my.json: levels[0].size: -1 is not a size") + kSizeHint);
    EXPECT_EQ(jsonRefusal(level(R"("size": {}, "ways": 1, "block": null)")),
              std::string("my.json: levels[0].size: an object is not a size") + kSizeHint +
                  "\nmy.json: levels[0].block: null is not a size" + kSizeHint);
    EXPECT_EQ(jsonRefusal(level(R"("size": 64, "ways": "1", "block": 64)")),
              std::string("my.json: levels[0].ways: \"1\" is not a number of ways") + kWays);
    EXPECT_EQ(jsonRefusal(level(R"("size": 64, "ways": 99999999999, "block": 64)")),
              std::string("my.json: levels[0].ways: 99999999999 is not a number of ways") + kWays);
    EXPECT_EQ(jsonRefusal(level(R"("size": 64, "ways": 1, "block": "8G")")),
              "my.json: levels[0].block: \"8G\" is too large; give a power of two such as 64");
    EXPECT_EQ(jsonRefusal(level(R"("name": 1, "size": 64, "ways": 1, "block": 64)")),
              "my.json: levels[0].name: 1 is not a text; put it in quotes");
    EXPECT_EQ(jsonRefusal(R"({"name": [], "levels": [{"size": 64, "ways": 1, "block": 64}]})"),
              "my.json: name: a list is not a text; put it in quotes");
}

TEST(MachineJson, MissingFields) {
    const std::string hint = "; a level has a size, ways and a block";
    EXPECT_EQ(jsonRefusal(level("")), "my.json: levels[0].size: is missing" + hint +
                                          "\nmy.json: levels[0].ways: is missing" + hint +
                                          "\nmy.json: levels[0].block: is missing" + hint);
}

TEST(MachineJson, UnsoundMachinesNameTheirPlace) {
    EXPECT_EQ(
        jsonRefusal(R"({"cpus": 99, "levels": [{"size": "48K", "ways": 7, "block": 64},
                                                 {"size": "1M", "ways": 0, "block": 32, "name": "L1"}]})"),
        "my.json: cpus: there are 99 CPUs; a machine has 1 to 64\n"
        "my.json: levels[0].size: 48K is not a whole number of sets of 7 ways of 64 bytes; with 7 ways of 64 bytes "
        "the nearest valid size is 48832 (109 sets) or 49280 (110 sets); 48K with 6 ways is valid too\n"
        "my.json: levels[1].name: level 1 is called \"L1\" too; levels need different names\n"
        "my.json: levels[1].ways: 0 ways; a set has 1 to 32767 ways\n"
        "my.json: levels[1].block: blocks of 32 bytes are smaller than those of the level before (64 bytes); "
        "blocks stay the same or grow from the CPU outward");
}

TEST(MachineJson, FaultsOfOneLevelDoNotHideThoseOfAnother) {
    EXPECT_EQ(
        jsonRefusal(R"({"levels": [{"size": "x", "ways": 8, "block": 64}, {"size": "48K", "ways": 12, "block": 32},
                                     {"size": 0, "ways": 8, "block": 64}]})"),
        fmt::format("my.json: levels[0].size: \"x\" is not a size{0}\n"
                    "my.json: levels[1].block: blocks of 32 bytes are smaller than those of the level before (64 "
                    "bytes); blocks stay the same or grow from the CPU outward\n"
                    "my.json: levels[2].size: the size is 0{0}",
                    kSizeHint));
}

TEST(MachineJson, FaultsOfOneFieldDoNotHideThoseOfAnother) {
    EXPECT_EQ(
        jsonRefusal(level(R"("size": "x", "ways": 0, "block": 3, "latency": 2000000, "degree": 17, "policy": 7)")),
        fmt::format("my.json: levels[0].size: \"x\" is not a size{0}\n"
                    "my.json: levels[0].policy: 7 is not a policy; it must be lru, plru, fifo, mru, random, srrip "
                    "or opt\n"
                    "my.json: levels[0].ways: 0 ways; a set has 1 to 32767 ways\n"
                    "my.json: levels[0].block: a block of 3 bytes; a block is a power of two from 1 to 4096 bytes\n"
                    "my.json: levels[0].degree: 17 blocks a prefetch; give 1 to 16\n"
                    "my.json: levels[0].latency: a latency of 2000000 cycles; give 1000000 at most",
                    kSizeHint));
    EXPECT_EQ(jsonRefusal(R"({"cpus": 0, "tlb": {"entries": "x", "page": 3}})"),
              "my.json: tlb.entries: \"x\" is not a valid whole number; use a whole number such as 8\n"
              "my.json: levels: is missing; give the levels from the CPU outward, as a list of objects; an empty list "
              "is a machine without caches\n"
              "my.json: cpus: there are 0 CPUs; a machine has 1 to 64\n"
              "my.json: tlb.page: a page of 3 bytes; a page is a power of two such as 4K");
}

TEST(MachineJson, WhatIsNotKnownIsNotJudged) {
    EXPECT_EQ(
        jsonRefusal(R"({"cpus": "four", "levels": [{"size": "x", "ways": "full", "block": 64, "shared_by": 3}]})"),
        std::string("my.json: cpus: \"four\" is not a valid whole number; use a whole number such as 8\n"
                    "my.json: levels[0].size: \"x\" is not a size") +
            kSizeHint);
    EXPECT_EQ(
        jsonRefusal(R"({"cpus": 4, "levels": [{"size": 64, "ways": 1, "block": 64, "shared_by": "x"},
                                                {"size": 64, "ways": 1, "block": 64, "shared_by": 3}]})"),
        "my.json: levels[0].shared_by: \"x\" is not a number of CPUs that share a cache; give one from 1 to 64, or "
        "\"all\"\n"
        "my.json: levels[1].shared_by: each cache serves 3 CPUs, but the machine has 4; give a divisor of cpus, change "
        "cpus, or "
        "write \"all\"");
    EXPECT_EQ(
        jsonRefusal(R"({"levels": [7, {"size": 64, "ways": 1, "block": 32, "inclusion": "exclusive"}]})"),
        "my.json: levels[0]: 7 is not a level; a level is an object such as {\"name\": \"L1\", \"size\": \"32K\", "
        "\"ways\": 8, \"block\": 64}");
}

TEST(MachineJson, VeryManyFaultsAreCut) {
    std::string json = R"({"levels": [)";
    for (int i = 0; i < 50; ++i) json += i == 0 ? "1" : ",1";
    const std::string words = jsonRefusal(json + "]}");
    EXPECT_TRUE(words.ends_with("\nand 31 more errors")) << words;
}

TEST(MachineJson, DeepNestingIsNoDanger) {
    const std::string open(100'000, '[');
    EXPECT_NE(jsonRefusal(open), "accepted");
    EXPECT_NE(jsonRefusal(open + std::string(100'000, ']')), "accepted");
}

}  // namespace
}  // namespace whorl::sim
