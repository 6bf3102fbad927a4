// Sums up the cost of each source line, object and word of a history, access by access, and which of them occurred
// together. For the difference from a ledger see sim/replay/totals/ledger_builder.h.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/analysis/pair_set.h"
#include "sim/base/containers.h"
#include "sim/cache/cost.h"
#include "sim/trace/source_lines.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class CostTable {
  public:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    /// Numbers of an access's source line and object, valid until `finish` assigns their places, and of its word, valid
    /// until the next access.
    struct Whose {
        std::uint32_t source = kNone;
        std::uint32_t object = kNone;
        std::uint32_t word = kNone;
    };

    /// The trace must outlive the table. Beyond `mostWords` words, neighbours are merged.
    CostTable(const Trace& trace, std::size_t mostWords);

    /// Adds the cost of an access.
    Whose add(ByteAddress address, SiteId site, Tick tick, const Cost& cost) {
        Word& word = wordAt(address);
        const std::uint32_t object = objectOf(word, address, tick);
        const std::uint32_t source = lines_.of(site);
        word.cost += cost;
        objects_[object].cost += cost;
        sources_[source].cost += cost;
        sources_[source].isUsed = true;
        if (word.recent[0] != source && word.recent[1] != source) [[unlikely]] {
            relate(word, source, object);
        }
        return {source, object, numberOf(word)};
    }
    /// Counts something that the access added last did in a level.
    void count(const Whose& whose, NodeCount what, std::size_t level) {
        sourceCounts_.add(what, level, whose.source);
        objectCounts_.add(what, level, whose.object);
        wordCounts_.add(what, level, whose.word);
    }
    /// The source line and object of an access whose cost is not added.
    Whose whose(ByteAddress address, SiteId site, Tick tick) {
        const std::uint32_t source = lines_.of(site);
        sources_[source].isUsed = true;
        Word& word = wordAt(address);
        return {source, objectOf(word, address, tick), numberOf(word)};
    }

    /// The final places of the numbers.
    struct Places {
        std::vector<std::uint32_t> sources;
        std::vector<std::uint32_t> objects;
    };
    /// Fills in everything in the history that is about costs.
    Places finish(History& history);

  private:
    struct Source {
        Cost cost;
        bool isUsed = false;
    };
    /// An object, a region, or a word in neither.
    struct Thing {
        CostNode::Kind kind = CostNode::Kind::word;
        std::uint32_t id = 0;      ///< object, region: index in the trace; word: its number
        std::uint32_t in = kNone;  ///< what it was merged into
        Cost cost;
    };
    struct Word {
        Cost cost;
        std::uint32_t object = kNone;              ///< its last owner
        std::uint32_t own = kNone;                 ///< the word as an object of its own
        std::uint32_t recent[2] = {kNone, kNone};  ///< the last sources that touched it, with the current owner
        bool isFixed = false;                      ///< the whole word has the same owner at all times
    };
    struct Bytes {
        std::uint64_t begin;
        std::uint64_t last;
    };

    Word& wordAt(ByteAddress address) {
        const std::uint32_t id = ids_.of(BlockAddress{address.value >> wordShift_});
        if (id == words_.size()) [[unlikely]] {
            return newWord(address);
        }
        return words_[id];
    }
    std::uint32_t objectOf(Word& word, ByteAddress address, Tick tick) {
        return word.isFixed ? word.object : findObject(word, address, tick);
    }
    std::uint32_t numberOf(const Word& word) const { return static_cast<std::uint32_t>(&word - words_.data()); }

    void listObjectRanges();
    Word& newWord(ByteAddress address);
    void findOwner(Word& word);
    void widenWords();
    std::uint32_t findObject(Word& word, ByteAddress address, Tick tick);
    std::uint32_t numbered(CostNode::Kind kind, std::uint32_t id, std::uint32_t& number);
    void belong(Word& word, std::uint32_t object);
    void relate(Word& word, std::uint32_t source, std::uint32_t object);
    std::uint32_t wholeOf(std::uint32_t object) const;
    bool isEverObject(std::uint64_t first, std::uint64_t last) const;

    std::vector<std::uint32_t> finishSources(History& history);
    std::vector<std::uint32_t> finishObjects(History& history) const;
    std::vector<std::uint32_t> finishWords(History& history, const std::vector<std::uint32_t>& objects) const;
    CostNode nodeOf(const Thing& thing) const;
    void addClasses(History& history, const std::vector<std::uint32_t>& objects,
                    const std::vector<std::uint32_t>& words);

    const Trace& trace_;
    std::size_t mostWords_;
    unsigned wordShift_ = 2;
    std::vector<Bytes> objectRanges_;  ///< where there are objects at any time; ascending, disjoint
    SourceLines lines_;
    std::vector<Source> sources_;  ///< by line
    std::vector<Thing> objects_;
    std::vector<std::uint32_t> numberOfObject_;  ///< by index in the trace
    std::vector<std::uint32_t> numberOfRegion_;
    BlockIds ids_;
    std::vector<Word> words_;
    NodeCounts sourceCounts_;
    NodeCounts objectCounts_;
    NodeCounts wordCounts_;
    PairSet sourceWords_;
    PairSet sourceObjects_;
    PairSet objectWords_;  ///< objects and regions only
};

}  // namespace whorl::sim
