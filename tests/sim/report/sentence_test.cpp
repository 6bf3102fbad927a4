// Sentences that describe coherence, inclusion, prefetchers and translations.
#include "sim/report/sentence.h"

#include <gtest/gtest.h>

#include "sim/replay/snapshot.h"
#include "support/runs.h"

namespace whorl::sim {
namespace {

std::vector<std::string> sentences(const std::string& text, const MachineConfig& machine) {
    const auto run = test::built(text, machine);
    const Trace& trace = run->trace();
    SnapshotReader reader(run);
    std::vector<std::string> out;
    for (std::uint64_t n = 1; n <= trace.size(); ++n) {
        out.push_back(sentenceFor(*reader.at(static_cast<double>(n), {.steps = 1}).current(), trace, run->machine()));
    }
    return out;
}

constexpr const char* kRegion = "region A 0x1000 1024 8 rows=128\n";

/// Number and words of the facts of each access.
std::vector<std::string> facts(const std::string& text, const MachineConfig& machine) {
    const auto run = test::built(text, machine);
    const Trace& trace = run->trace();
    SnapshotReader reader(run);
    std::vector<std::string> out;
    for (std::uint64_t n = 1; n <= trace.size(); ++n) {
        std::string told;
        const Step& step = *reader.at(static_cast<double>(n), {.steps = 1}).current();
        const std::string sentence = sentenceFor(step, trace, machine);
        for (const StepFact& fact : factsOf(step, trace, machine)) {
            told += std::to_string(int{fact.number}) + " " + fact.words + "; ";
            if (fact.kind == StepFact::Kind::miss || fact.kind == StepFact::Kind::eviction) {
                // A sentence tells of no level where the block makes room for the access itself.
                std::string words = fact.words;
                if (const auto at = words.find(" from L1"); at != std::string::npos) words.erase(at, 8);
                EXPECT_NE(sentence.find(words), std::string::npos) << sentence << " has not: " << words;
            }
        }
        out.push_back(told);
    }
    return out;
}

TEST(WriteThroughs, AreInTheSentence) {
    MachineConfig m;
    m.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 32},
                {.name = "L2", .size = 256, .ways = 4, .block = 32}};
    m.levels[0].writeThrough = true;
    const std::string text = std::string(kRegion) + "W 0x1008 8\nW 0x1008 8\n";
    EXPECT_EQ(sentences(text, m)[0], "write A[1]: miss in L1 and L2; written to L2, too");
    EXPECT_EQ(sentences(text, m)[1], "write A[1]: hit in L1; written to L2, too");
    EXPECT_EQ(facts(text, m)[1], "1 writes A[1] through to L2; ");
    m.levels[1].writeThrough = true;
    EXPECT_EQ(sentences(text, m)[1], "write A[1]: hit in L1; written to L2 and memory, too");
    m.levels[0].allocate = false;
    EXPECT_EQ(sentences(text, m)[1], "write A[1]: miss in L1; written to L2 and memory") << "L1 has not got it";
}

TEST(SentenceForMany, IsOfTheLineThatMostAreOf) {
    const Trace matmul = test::ran("matmul:n=16");
    const std::string inner = sentenceForMany({Tick{0}, Tick{32}}, matmul);
    EXPECT_EQ(inner.find("line 6: "), 0u) << inner;
    EXPECT_NE(inner.find("A(i, k) * B(k, j)"), std::string::npos) << inner;
    EXPECT_EQ(sentenceForMany({Tick{32}, Tick{33}}, matmul).find("line 8: "), 0u);
    for (std::uint64_t t = 0; t + 33 <= matmul.size(); t += 33) {
        EXPECT_EQ(sentenceForMany({Tick{t}, Tick{t + 33}}, matmul), inner) << t;
    }
}

TEST(SentenceForMany, IsOfWhatIsTouchedWhereNoLineIsKnown) {
    const auto run =
        test::built("region A 0x1000 64 8\nregion B 0x2000 64 8\nR 0x1000 8\nW 0x2000 8\nR 0x1008 8\n", {});
    EXPECT_EQ(sentenceForMany({Tick{0}, Tick{3}}, run->trace()), "accesses to A and B");
    EXPECT_EQ(sentenceForMany({Tick{1}, Tick{2}}, run->trace()), "accesses to B");
}

TEST(Facts, TellCauseAndEffectInTheWordsOfTheSentence) {
    MachineConfig m;
    m.levels = {{.name = "L1", .size = 32, .ways = 1, .block = 32}, {.name = "L2", .size = 64, .ways = 2, .block = 32}};
    const auto told =
        facts(std::string(kRegion) + "W 0x1000 8\nR 0x1008 8\nR 0x1020 8\nR 0x1040 8\nR 0x1020 8\nR 0x1040 8\n", m);
    EXPECT_EQ(told[0], "1 miss in L1 and L2; 2 A[0] comes in from memory; ");
    EXPECT_EQ(told[1], "") << "a hit leads to nothing";
    EXPECT_EQ(
        told[2],
        "1 miss in L1 and L2; 2 A[4] comes in from memory; 3 evicts A[0] from L1, dirty; 4 writes A[0] back to L2; ");
    EXPECT_EQ(
        told[4],
        "1 miss in L1 and L2; 2 A[4] comes in from memory; 3 evicts A[8] from L1, clean; 3 evicts A[0] from L2, dirty; "
        "4 writes A[0] back to memory; ");
    EXPECT_EQ(told[5], "1 miss in L1; 2 A[8] comes in from L2; 3 evicts A[4] from L1, clean; ");
}

TEST(Facts, NameTheBlockAndWhatWasAskedForOfIt) {
    MachineConfig m;
    m.levels = {{.name = "L1", .size = 32, .ways = 1, .block = 32}};
    EXPECT_EQ(facts(std::string(kRegion) + "R 0x1028 8\n", m)[0],
              "1 miss in L1; 2 A[4], the block of A[5], comes in from memory; ");
}

TEST(Facts, TellWhichCpusLoseTheirCopies) {
    MachineConfig m;
    m.cpus = 3;
    m.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 32, .sharedBy = 1}};
    const auto told =
        facts(std::string(kRegion) +
                  "R 0x1000 8 cpu=0\nR 0x1000 8 cpu=1\nW 0x1000 8 cpu=0\nR 0x1000 8 cpu=2\nW 0x1000 8 cpu=1\n",
              m);
    EXPECT_EQ(told[2], "1 invalidates A[0] in L1 of CPU 1; ") << "a hit, too";
    EXPECT_EQ(told[3], "1 miss in L1; 2 CPU 0 writes A[0] back to memory; 3 A[0] comes in from memory; ");
    EXPECT_EQ(
        told[4],
        "1 miss in L1; 2 invalidates A[0] in L1 of CPU 0; 2 invalidates A[0] in L1 of CPU 2; 3 A[0] comes in from "
        "memory; ");
}

TEST(MoreSentences, DescribeInvalidationsByOtherCpus) {
    MachineConfig m;
    m.cpus = 3;
    m.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 32, .sharedBy = 1},
                {.name = "L2", .size = 1024, .ways = 4, .block = 32}};
    const auto told = sentences(std::string(kRegion) +
                                    "R 0x1000 8 cpu=0\nR 0x1000 8 cpu=1\nR 0x1000 8 cpu=2\nW 0x1000 8 cpu=0\n"
                                    "R 0x1008 8 cpu=1\nW 0x1010 8 cpu=2\n",
                                m);
    EXPECT_EQ(told[0], "read A[0] by CPU 0: miss in L1 and L2");
    EXPECT_EQ(told[1], "read A[0] by CPU 1: miss in L1, hit in L2; CPU 0 now shares A[0]");
    EXPECT_EQ(told[2], "read A[0] by CPU 2: miss in L1, hit in L2");
    EXPECT_EQ(
        told[3],
        "write A[0] by CPU 0: hit in L1; upgrades A[0] for writing; invalidates A[0] in L1 of CPU 1 and L1 of CPU 2");
    EXPECT_EQ(told[4], "read A[1] by CPU 1: miss in L1, hit in L2; CPU 0 now shares A[0]");
    EXPECT_EQ(told[5], "write A[2] by CPU 2: miss in L1, hit in L2; invalidates A[0] in L1 of CPU 0 and L1 of CPU 1");
}

TEST(MoreSentences, DescribeBackInvalidations) {
    MachineConfig m;
    m.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 32},
                {.name = "L2", .size = 32, .ways = 1, .block = 32, .inclusion = Inclusion::inclusive}};
    const auto told = sentences(std::string(kRegion) + "R 0x1000 8\nR 0x1020 8\n", m);
    EXPECT_EQ(told[1], "read A[4]: miss in L1 and L2; evicts A[0] from L2, clean; back-invalidates A[0] in L1");
}

TEST(MoreSentences, DescribePrefetches) {
    MachineConfig m;
    m.levels = {{.name = "L1", .size = 256, .ways = 2, .block = 32, .prefetch = Prefetcher::nextLine},
                {.name = "L2", .size = 1024, .ways = 4, .block = 32}};
    const auto told = sentences(std::string(kRegion) + "R 0x1000 8\nR 0x1020 8\nR 0x1018 16\n", m);
    EXPECT_EQ(told[0], "read A[0]: miss in L1 and L2; prefetches A[4] into L1");
    EXPECT_EQ(told[1], "read A[4]: hit in L1");
    EXPECT_EQ(told[2], "read A[3]: block 1 of 2: hit in L1; block 2 of 2: hit in L1");
}

TEST(MoreSentences, DescribeTlbMisses) {
    MachineConfig m;
    m.levels = {{.name = "L1", .size = 256, .ways = 2, .block = 32}};
    m.tlb = {.entries = 1, .ways = 1, .page = 512, .walk = 20};
    const auto told = sentences(std::string(kRegion) + "R 0x1000 8\nR 0x1008 8\nR 0x1200 8\nR 0x13fc 8\n", m);
    EXPECT_EQ(told[0], "read A[0]: miss in L1; TLB miss on page 0x8");
    EXPECT_EQ(told[1], "read A[1]: hit in L1");
    EXPECT_EQ(told[2], "read A[64]: miss in L1; TLB miss on page 0x9");
    EXPECT_EQ(told[3],
              "read A[127]: block 1 of 2: miss in L1; TLB miss on page 0xa; block 2 of 2: miss in L1; "
              "evicts A[0], clean");
}

TEST(MoreSentences, DescribePageFaults) {
    MachineConfig m;
    m.levels = {{.name = "L1", .size = 256, .ways = 2, .block = 32},
                {.name = "L2", .size = 512, .ways = 4, .block = 32}};
    m.memory = {.size = 1024, .page = 512, .fault = 20};
    const auto told =
        sentences(std::string(kRegion) + "R 0x1000 8\nW 0x1008 8\nR 0x1200 8\nR 0x1420 8\nR 0x15fc 8\n", m);
    EXPECT_EQ(told[0], "read A[0]: miss in L1 and L2; page fault: page 0x8 comes into frame 0");
    EXPECT_EQ(told[1], "write A[1]: hit in L1");
    EXPECT_EQ(told[2], "read A[64]: miss in L1 and L2; page fault: page 0x9 comes into frame 1");
    EXPECT_EQ(told[3],
              "read memory 1+0x0: miss in L1 and L2; page fault: page 0xa takes frame 0 of page 0x8, dirty, "
              "with 2 cached blocks");
    EXPECT_EQ(told[4],
              "read memory 2+0xc: block 1 of 2: miss in L1 and L2; page fault: page 0xb takes frame 1 of page 0x9, "
              "clean, with 2 cached blocks; block 2 of 2: miss in L1 and L2");
}

TEST(MoreSentences, SayOnlyThatAnAccessIsNotRecorded) {
    MachineConfig m;
    m.levels = {{.name = "L1", .size = 256, .ways = 2, .block = 32}};
    ReadOptions options;
    options.only.unwanted = Unwanted::simulate;
    const auto run = test::built(test::parsed("off\nR 0x1000 8\non\nR 0x1000 8\n", options), m);
    SnapshotReader reader(run);
    EXPECT_NE(sentenceFor(*reader.at(1, {.steps = 1}).current(), run->trace(), m).find(": not recorded"),
              std::string::npos);
    EXPECT_NE(sentenceFor(*reader.at(2, {.steps = 1}).current(), run->trace(), m).find(": hit in L1"),
              std::string::npos);
}

}  // namespace
}  // namespace whorl::sim
