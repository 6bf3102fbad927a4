// What each source line, object and word cost, as it is written down access by access.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/analysis/pair_set.h"
#include "sim/base/block_ids.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class CostTable {
  public:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    /// Numbers of the source line and the object of an access, as they are until `finish` gives them their places.
    struct Whose {
        std::uint32_t source = kNone;
        std::uint32_t object = kNone;
    };

    /// The trace must outlive it. Of more than `mostWords` words, neighbours become one.
    CostTable(const Trace& trace, std::size_t mostWords);

    /// Puts an access down. `counts`: how many it counts for, 0 or 1.
    Whose charge(ByteAddress address, SiteId site, Tick tick, Cycles cost, std::uint64_t counts) {
        Word& word = wordAt(address);
        const std::uint32_t object = objectOf(word, address, tick);
        const std::uint32_t source = sourceOfSite_[site.value];
        word.cycles += cost;
        word.accesses += counts;
        objects_[object].cycles += cost;
        objects_[object].accesses += counts;
        sources_[source].cycles += cost;
        sources_[source].accesses += counts;
        sources_[source].isUsed = true;
        if (word.recent[0] != source && word.recent[1] != source) [[unlikely]] {
            meet(word, source, object);
        }
        return {source, object};
    }
    /// Whose an access is that is not put down.
    Whose whose(ByteAddress address, SiteId site, Tick tick) {
        sources_[sourceOfSite_[site.value]].isUsed = true;
        return {sourceOfSite_[site.value], objectOf(wordAt(address), address, tick)};
    }

    /// What the numbers become.
    struct Places {
        std::vector<std::uint32_t> sources;
        std::vector<std::uint32_t> objects;
    };
    /// Fills in all of the history that is about costs.
    Places finish(History& history);

  private:
    struct Source {
        CostNode node;
        Cycles cycles = 0;
        std::uint64_t accesses = 0;
        bool isUsed = false;
    };
    /// An object, a region, or a word that lies in neither.
    struct Thing {
        CostNode::Kind kind = CostNode::Kind::word;
        std::uint32_t id = 0;      ///< object, region: index in the trace; word: its number
        std::uint32_t in = kNone;  ///< what it has become a part of
        Cycles cycles = 0;
        std::uint64_t accesses = 0;
    };
    struct Word {
        Cycles cycles = 0;
        std::uint64_t accesses = 0;
        std::uint32_t object = kNone;              ///< what it belonged to last
        std::uint32_t own = kNone;                 ///< it as an object of its own
        std::uint32_t recent[2] = {kNone, kNone};  ///< sources that touched it, as what it is now
        bool isFixed = false;                      ///< all of it belongs to the same object at all times
    };
    struct Range {
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

    void listSources();
    void listObjectRanges();
    Word& newWord(ByteAddress address);
    void settle(Word& word);
    void widenWords();
    std::uint32_t findObject(Word& word, ByteAddress address, Tick tick);
    std::uint32_t numbered(CostNode::Kind kind, std::uint32_t id, std::uint32_t& number);
    void belong(Word& word, std::uint32_t object);
    void meet(Word& word, std::uint32_t source, std::uint32_t object);
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
    std::vector<Range> objectRanges_;  ///< where there ever are objects; ascending, apart
    std::vector<Source> sources_;      ///< in their order
    std::vector<std::uint32_t> sourceOfSite_;
    std::vector<Thing> objects_;
    std::vector<std::uint32_t> numberOfObject_;  ///< by index in the trace
    std::vector<std::uint32_t> numberOfRegion_;
    BlockIds ids_;
    std::vector<Word> words_;
    PairSet sourceWords_;
    PairSet sourceObjects_;
    PairSet objectWords_;  ///< objects and regions only
};

}  // namespace whorl::sim
