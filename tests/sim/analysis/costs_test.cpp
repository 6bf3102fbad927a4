// The costs of a history against the ledger of the run, and against naively computed sums.
#include <map>
#include <set>

#include "sim/analysis/history_help.h"
#include "sim/programs/programs_support.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::RandomRun;

using Sum = std::pair<Cycles, std::uint64_t>;

void add(Sum& sum, Cycles cycles, std::uint64_t accesses) {
    sum.first += cycles;
    sum.second += accesses;
}

/// A unique name of a thing: its kind, its address and when it was born.
using Name = std::tuple<CostNode::Kind, std::uint64_t, std::uint64_t>;

Name nameOf(const Trace& trace, const CostNode& node) {
    if (node.kind == CostNode::Kind::line) {
        const Site& site = trace.site(SiteId{node.id});
        return {node.kind, site.file, site.line};
    }
    const bool isObject = node.kind == CostNode::Kind::object;
    return {node.kind, node.address.value, isObject ? trace.objects()[node.id].born.value : 0};
}

Name sourceOf(const Trace& trace, SiteId id) {
    const Site& site = trace.site(id);
    if (site.line != 0) return {CostNode::Kind::line, site.file, site.line};
    return {CostNode::Kind::instruction, site.pc.value, 0};
}

Name objectOf(const Trace& trace, ByteAddress address, Tick t, std::uint32_t wordSize) {
    const Object* const object = trace.objectAt(address, t);
    if (object != nullptr) return {CostNode::Kind::object, object->base.value, object->born.value};
    const std::size_t r = trace.regionAt(address);
    const bool isDeclared = r < trace.regions().size() && trace.regions()[r].origin == RegionOrigin::declared;
    if (isDeclared) return {CostNode::Kind::region, trace.regions()[r].base.value, 0};
    return {CostNode::Kind::word, address.value / wordSize * wordSize, 0};
}

struct Plain {
    std::map<Name, Sum> sources;
    std::map<Name, Sum> objects;
    std::map<std::uint64_t, Sum> words;
    std::set<std::pair<Name, Name>> sourceObjects;
    std::set<std::pair<Name, std::uint64_t>> sourceWords;
    std::map<std::string, std::set<std::uint64_t>> wordsOfClass;
};

Plain plainly(const RandomRun& random, std::uint32_t wordSize) {
    Plain out;
    const Trace& trace = random.run->trace();
    Simulator state = random.run->stateAt(random.range.from);
    trace.forEach(random.range.from, random.range.to, [&](Tick t, const Access& a) {
        const Cycles before = state.clock(a.cpu);
        state.step(a);
        if (a.unrecorded) return;
        const Cycles cost = state.clock(a.cpu) - before;
        const std::uint64_t counts = a.modify && state.machine().conventions.modifyCountsOnce ? 0 : 1;
        const Name source = sourceOf(trace, a.site);
        const Name object = objectOf(trace, a.address, t, wordSize);
        const std::uint64_t word = a.address.value / wordSize * wordSize;
        add(out.sources[source], cost, counts);
        add(out.objects[object], cost, counts);
        add(out.words[word], cost, counts);
        out.sourceObjects.emplace(source, object);
        out.sourceWords.emplace(source, word);
        const Object* const o = trace.objectAt(a.address, t);
        if (o != nullptr) {
            out.wordsOfClass[o->className].insert(word);
        } else if (std::get<0>(object) == CostNode::Kind::region) {
            out.wordsOfClass[trace.regions()[trace.regionAt(a.address)].name].insert(word);
        }
    });
    return out;
}

/// All nodes that an access was attributed to; nodes reached only by unrecorded accesses cost nothing.
std::map<Name, Sum> sumsOf(const Trace& trace, const std::vector<CostNode>& nodes) {
    std::map<Name, Sum> out;
    for (const CostNode& n : nodes) {
        if (n.accesses == 0 && n.cycles == 0) continue;
        const bool isNew = out.emplace(nameOf(trace, n), Sum{n.cycles, n.accesses}).second;
        EXPECT_TRUE(isNew) << "the same thing twice";
    }
    return out;
}

/// Without the empty entries that an uncounted write half may leave.
std::map<Name, Sum> somethings(std::map<Name, Sum> sums) {
    std::erase_if(sums, [](const auto& of) { return of.second == Sum{}; });
    return sums;
}

void expectRelations(const History& h, const Trace& trace, const Plain& plain) {
    std::set<std::pair<Name, Name>> sourceObjects;
    std::set<std::pair<Name, std::uint64_t>> sourceWords;
    ASSERT_EQ(h.sourceObjects.size(), h.sources.size());
    ASSERT_EQ(h.sourceWords.size(), h.sources.size());
    for (std::size_t s = 0; s < h.sources.size(); ++s) {
        const Name source = nameOf(trace, h.sources[s]);
        EXPECT_TRUE(std::is_sorted(h.sourceObjects.begin(s), h.sourceObjects.end(s)));
        EXPECT_TRUE(std::is_sorted(h.sourceWords.begin(s), h.sourceWords.end(s)));
        for (const auto* o = h.sourceObjects.begin(s); o != h.sourceObjects.end(s); ++o) {
            sourceObjects.emplace(source, nameOf(trace, h.objects[*o]));
        }
        for (const auto* w = h.sourceWords.begin(s); w != h.sourceWords.end(s); ++w) {
            sourceWords.emplace(source, h.words[*w].address.value);
        }
    }
    EXPECT_EQ(sourceObjects, plain.sourceObjects);
    EXPECT_EQ(sourceWords, plain.sourceWords);
    EXPECT_EQ(h.sourceObjects.to.size(), sourceObjects.size());
    EXPECT_EQ(h.sourceWords.to.size(), sourceWords.size());
    const auto expectInverse = [](const Relation& there, const Relation& back) {
        std::set<std::pair<std::size_t, std::size_t>> a;
        std::set<std::pair<std::size_t, std::size_t>> b;
        for (std::size_t i = 0; i < there.size(); ++i) {
            for (const auto* to = there.begin(i); to != there.end(i); ++to) a.emplace(i, *to);
        }
        for (std::size_t i = 0; i < back.size(); ++i) {
            EXPECT_TRUE(std::is_sorted(back.begin(i), back.end(i)));
            for (const auto* to = back.begin(i); to != back.end(i); ++to) b.emplace(*to, i);
        }
        EXPECT_EQ(a, b);
    };
    ASSERT_EQ(h.objectSources.size(), h.objects.size());
    ASSERT_EQ(h.wordSources.size(), h.words.size());
    expectInverse(h.sourceObjects, h.objectSources);
    expectInverse(h.sourceWords, h.wordSources);
}

void expectPlain(const RandomRun& random, const History& h) {
    const Trace& trace = random.run->trace();
    const Plain plain = plainly(random, h.wordSize);
    EXPECT_EQ(sumsOf(trace, h.sources), somethings(plain.sources));
    EXPECT_EQ(sumsOf(trace, h.objects), somethings(plain.objects));
    std::map<std::uint64_t, Sum> words;
    for (const CostNode& n : h.words) {
        EXPECT_EQ(n.size, h.wordSize);
        words[n.address.value] = {n.cycles, n.accesses};
    }
    for (const auto& [word, sum] : plain.words) EXPECT_EQ(words[word], sum);
    expectRelations(h, trace, plain);
    for (const CostClass& c : h.classes) {
        const auto of = plain.wordsOfClass.find(c.name);
        if (random.run->trace().parts().accessesOff == 0 && c.accesses > 0 && of != plain.wordsOfClass.end()) {
            EXPECT_GE(c.words, of->second.size());
        }
        Cycles cycles = 0;
        std::uint64_t instances = 0;
        for (const CostNode& n : h.objects) {
            const bool isOfIt = n.classId != CostNode::kNoClass && &h.classes[n.classId] == &c;
            cycles += isOfIt ? n.cycles : 0;
            instances += isOfIt ? 1 : 0;
        }
        EXPECT_EQ(c.cycles, cycles);
        EXPECT_EQ(c.instances, instances);
    }
}

TEST(Costs, AreThePlainSums) {
    for (std::uint64_t seed = 0; seed < testRounds(80); ++seed) {
        const RandomRun random(seed);
        expectPlain(random, *random.history());
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(Costs, StayTheSameWhenWordsBecomeWider) {
    for (std::uint64_t seed = 0; seed < testRounds(80); ++seed) {
        const RandomRun random(seed);
        const std::size_t most = std::max<std::size_t>(1, random.history()->words.size() / 3);
        const auto history = random.history({.words = most});
        EXPECT_LE(history->words.size(), most);
        EXPECT_GT(history->wordSize, 4u);
        expectPlain(random, *history);
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

/// All of the ledger's values, to the last cycle.
void expectLedger(const History& h, const Measures& measures, const Trace& trace) {
    const Ledger& ledger = *measures.ledger;
    std::map<Name, Sum> sources;
    for (std::uint32_t s = 0; s < trace.sites().size(); ++s) {
        add(sources[sourceOf(trace, SiteId{s})], ledger.sites.cycles(s), ledger.sites.accesses(s));
    }
    EXPECT_EQ(sumsOf(trace, h.sources), somethings(sources));
    for (std::size_t l = 0; l < h.levels.size(); ++l) {
        std::map<Name, std::uint64_t> missed;
        for (std::uint32_t s = 0; s < trace.sites().size(); ++s) {
            missed[sourceOf(trace, SiteId{s})] += ledger.sites.misses(s, l);
        }
        for (std::size_t i = 0; i < h.sources.size(); ++i) {
            EXPECT_EQ(h.sourceCounts.of(NodeCount::misses, l, i), missed[nameOf(trace, h.sources[i])]);
        }
        const auto sum = [&](const NodeCounts& counts, std::size_t nodes) {
            std::uint64_t all = 0;
            for (std::size_t i = 0; i < nodes; ++i) all += counts.of(NodeCount::misses, l, i);
            return all;
        };
        EXPECT_EQ(sum(h.objectCounts, h.objects.size()), sum(h.sourceCounts, h.sources.size()));
        EXPECT_EQ(sum(h.wordCounts, h.words.size()), sum(h.sourceCounts, h.sources.size()));
    }
    std::map<std::uint32_t, Sum> objects;
    Cycles all = 0;
    for (const CostNode& n : h.objects) {
        all += n.cycles;
        const bool isObject = n.kind == CostNode::Kind::object;
        add(objects[isObject ? n.id : static_cast<std::uint32_t>(trace.objects().size())], n.cycles, n.accesses);
    }
    for (std::uint32_t o = 0; o <= trace.objects().size(); ++o) {
        EXPECT_EQ(objects[o], Sum(ledger.objects.cycles(o), ledger.objects.accesses(o)));
    }
    Cycles total = 0;
    for (const Cycles c : measures.cycles) total += c;
    EXPECT_EQ(h.cycles(), total);
    EXPECT_EQ(all, total);
    for (const HistoryLevel& level : h.levels) {
        Cycles sum = 0;
        for (const HistoryBlock& b : level.blocks) sum += b.cost;
        EXPECT_EQ(sum, total);
    }
}

TEST(Costs, AreThoseOfTheLedger) {
    for (std::uint64_t seed = 0; seed < testRounds(80); ++seed) {
        const RandomRun random(seed);
        Progress progress;
        const auto measures = random.run->between(random.range, progress);
        expectLedger(*random.history(), *measures, random.run->trace());
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(Costs, OfEveryProgramAreThoseOfTheLedger) {
    for (const char* spec : {"matmul:n=8", "bubblesort:n=40", "mergesort:n=64", "arrayinit:n=500", "conflict:n=100",
                             "mpm:particles=40,grid=8,steps=1"}) {
        const auto run = test::built(ran(spec), parseGeometry("512/2/32, 4K/4/64").value());
        expectLedger(*test::historyOfAll(*run), *run->measures(), run->trace());
        ASSERT_FALSE(testing::Test::HasFailure()) << spec;
    }
}

TEST(Costs, ClassesHaveTheirInstancesAndWords) {
    TraceBuilder b("classes");
    Region r = test::region("A", 0x1000, 64);
    b.addRegion(r);
    b.newObject(test::object("n1", 0x2000, 16));
    Object leaf = test::object("l1", 0x2010, 16);
    leaf.className = "Leaf";
    b.newObject(leaf);
    b.newObject(test::object("n2", 0x3000, 16));
    for (const std::uint64_t a : {0x1000, 0x1004, 0x1005, 0x2000, 0x2004, 0x2010, 0x3000, 0x3000, 0x5000}) {
        b.add(test::access(Op::read, a, 4));
    }
    const auto run = test::built(b, parseGeometry("1K/2/32").value());
    const auto h = test::historyOfAll(*run);
    std::map<std::string, std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> classes;
    for (const CostClass& c : h->classes) classes[c.name] = {c.instances, c.words, c.accesses};
    using Row = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
    EXPECT_EQ(classes, (std::map<std::string, Row>{{"A", {1, 2, 3}}, {"Node", {2, 3, 4}}, {"Leaf", {1, 1, 1}}}));
    ASSERT_EQ(h->objects.size(), 5u);
    EXPECT_EQ(h->objects.back().kind, CostNode::Kind::word);
    EXPECT_EQ(h->objects.back().classId, CostNode::kNoClass);
}

}  // namespace
}  // namespace whorl::sim
