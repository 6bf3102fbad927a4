#include "sim/analysis/cost_table.h"

#include <algorithm>
#include <tuple>

namespace whorl::sim {

namespace {

constexpr unsigned kWidestWord = 30;  ///< the logarithm of bytes

}  // namespace

CostTable::CostTable(const Trace& trace, std::size_t mostWords)
    : trace_(trace),
      mostWords_(mostWords),
      sourceOfSite_(trace.sites().size(), 0),
      numberOfObject_(trace.objects().size(), kNone),
      numberOfRegion_(trace.regions().size(), kNone) {
    listSources();
    listObjectRanges();
}

/// All that there can be: by file and line, then by instruction; instructions of one line are one.
void CostTable::listSources() {
    const std::vector<Site>& sites = trace_.sites();
    std::vector<std::uint32_t> order(sites.size());
    for (std::uint32_t s = 0; s < order.size(); ++s) order[s] = s;
    const auto key = [&](std::uint32_t s) {
        const Site& site = sites[s];
        return site.line != 0 ? std::tuple(0, std::uint64_t{site.file}, std::uint64_t{site.line})
                              : std::tuple(1, site.pc.value, std::uint64_t{0});
    };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Site& site = sites[order[i]];
        if (i == 0 || key(order[i - 1]) != key(order[i])) {
            Source source;
            source.node.kind = site.line != 0 ? CostNode::Kind::line : CostNode::Kind::instruction;
            source.node.id = order[i];
            if (site.line == 0) source.node.address = site.pc;
            sources_.push_back(source);
        }
        sourceOfSite_[order[i]] = static_cast<std::uint32_t>(sources_.size() - 1);
    }
}

void CostTable::listObjectRanges() {
    for (const Object& o : trace_.objects()) {
        if (o.size == 0) continue;
        const std::uint64_t last = o.base.value + (o.size - 1);
        // They come by address.
        if (!objectRanges_.empty() && o.base.value <= objectRanges_.back().last) {
            objectRanges_.back().last = std::max(objectRanges_.back().last, last);
        } else {
            objectRanges_.push_back({o.base.value, last});
        }
    }
}

bool CostTable::isEverObject(std::uint64_t first, std::uint64_t last) const {
    const auto range = std::lower_bound(objectRanges_.begin(), objectRanges_.end(), first,
                                        [](const Range& r, std::uint64_t a) { return r.last < a; });
    return range != objectRanges_.end() && range->begin <= last;
}

CostTable::Word& CostTable::newWord(ByteAddress address) {
    words_.emplace_back();
    settle(words_.back());
    if (words_.size() > mostWords_) {
        while (words_.size() > mostWords_ && wordShift_ < kWidestWord) widenWords();
        return wordAt(address);
    }
    return words_.back();
}

/// Finds out whether it is always known what a word belongs to.
void CostTable::settle(Word& word) {
    const std::uint64_t first = ids_.block(numberOf(word)).value << wordShift_;
    const std::uint64_t last = first + ((std::uint64_t{1} << wordShift_) - 1);
    if (isEverObject(first, last)) return;
    const std::vector<Region>& regions = trace_.regions();
    const std::size_t r = trace_.regionAt(ByteAddress{first});
    if (r == regions.size()) {
        const auto next = std::upper_bound(regions.begin(), regions.end(), first,
                                           [](std::uint64_t a, const Region& region) { return a < region.base.value; });
        if (next != regions.end() && next->base.value <= last) return;
    } else if (!regions[r].contains(ByteAddress{last})) {
        return;
    }
    word.isFixed = true;
    const bool isDeclared = r < regions.size() && regions[r].origin == RegionOrigin::declared;
    belong(word, isDeclared ? numbered(CostNode::Kind::region, static_cast<std::uint32_t>(r), numberOfRegion_[r])
                            : numbered(CostNode::Kind::word, numberOf(word), word.own));
}

/// The number of an object, from now on if it has none.
std::uint32_t CostTable::numbered(CostNode::Kind kind, std::uint32_t id, std::uint32_t& number) {
    if (number == kNone) {
        number = static_cast<std::uint32_t>(objects_.size());
        objects_.push_back({.kind = kind, .id = id});
    }
    return number;
}

void CostTable::belong(Word& word, std::uint32_t object) {
    word.object = object;
    word.recent[0] = word.recent[1] = kNone;
    if (!word.isFixed && objects_[object].kind != CostNode::Kind::word) objectWords_.add(object, numberOf(word));
}

std::uint32_t CostTable::findObject(Word& word, ByteAddress address, Tick tick) {
    if (word.object != kNone && objects_[word.object].kind == CostNode::Kind::object &&
        trace_.objects()[objects_[word.object].id].contains(address, tick)) {
        return word.object;
    }
    std::uint32_t found = kNone;
    const Object* const object = trace_.objectAt(address, tick);
    const std::size_t region = object == nullptr ? trace_.regionAt(address) : trace_.regions().size();
    if (object != nullptr) {
        const auto index = static_cast<std::size_t>(object - trace_.objects().data());
        found = numbered(CostNode::Kind::object, static_cast<std::uint32_t>(index), numberOfObject_[index]);
    } else if (region < trace_.regions().size() && trace_.regions()[region].origin == RegionOrigin::declared) {
        found = numbered(CostNode::Kind::region, static_cast<std::uint32_t>(region), numberOfRegion_[region]);
    } else {
        found = numbered(CostNode::Kind::word, numberOf(word), word.own);
    }
    if (found != word.object) belong(word, found);
    return found;
}

/// A source line touches a word that it may not have touched before.
void CostTable::meet(Word& word, std::uint32_t source, std::uint32_t object) {
    word.recent[1] = word.recent[0];
    word.recent[0] = source;
    sourceWords_.add(source, numberOf(word));
    sourceObjects_.add(source, object);
}

/// Two neighbours become one word.
void CostTable::widenWords() {
    BlockIds oldIds;
    std::vector<Word> old;
    std::swap(oldIds, ids_);
    old.swap(words_);
    ++wordShift_;
    std::vector<std::uint32_t> become(old.size());
    for (std::uint32_t i = 0; i < old.size(); ++i) {
        become[i] = ids_.of(BlockAddress{oldIds.block(i).value >> 1});
        if (become[i] == words_.size()) words_.emplace_back();
        Word& word = words_[become[i]];
        word.cycles += old[i].cycles;
        word.accesses += old[i].accesses;
        if (old[i].object != kNone) word.object = old[i].object;
        if (old[i].own == kNone) continue;
        Thing& own = objects_[old[i].own];
        if (word.own == kNone) {
            word.own = old[i].own;
            own.id = become[i];
        } else {
            objects_[word.own].cycles += own.cycles;
            objects_[word.own].accesses += own.accesses;
            own = {.in = word.own};
        }
    }
    PairSet pairs;
    sourceWords_.forEach([&](std::uint32_t source, std::uint32_t word) { pairs.add(source, become[word]); });
    std::swap(pairs, sourceWords_);
    pairs = {};
    objectWords_.forEach([&](std::uint32_t object, std::uint32_t word) { pairs.add(object, become[word]); });
    std::swap(pairs, objectWords_);
    for (Word& word : words_) settle(word);
    for (std::uint32_t i = 0; i < old.size(); ++i) {
        const bool isNews = old[i].isFixed && !words_[become[i]].isFixed && old[i].object != old[i].own;
        if (isNews) objectWords_.add(old[i].object, become[i]);
    }
}

std::uint32_t CostTable::wholeOf(std::uint32_t object) const {
    while (objects_[object].in != kNone) object = objects_[object].in;
    return object;
}

}  // namespace whorl::sim
