#include "sim/analysis/cost_table.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

namespace whorl::sim {

namespace {

constexpr unsigned kWidestWord = 30;  ///< the logarithm of bytes

std::string_view classNameOf(const Trace& trace, const CostNode& node) {
    if (node.kind == CostNode::Kind::region) return trace.regions()[node.id].name;
    const Object& object = trace.objects()[node.id];
    return object.className.empty() ? object.name : object.className;
}

}  // namespace

CostTable::CostTable(const Trace& trace, std::size_t mostWords)
    : trace_(trace),
      mostWords_(mostWords),
      lines_(trace),
      sources_(lines_.size()),
      numberOfObject_(trace.objects().size(), kNone),
      numberOfRegion_(trace.regions().size(), kNone) {
    listObjectRanges();
}

void CostTable::listObjectRanges() {
    for (const Object& o : trace_.objects()) {
        if (o.size == 0) continue;
        const std::uint64_t last = o.base.value + (o.size - 1);
        // Objects are ordered by address.
        if (!objectRanges_.empty() && o.base.value <= objectRanges_.back().last) {
            objectRanges_.back().last = std::max(objectRanges_.back().last, last);
        } else {
            objectRanges_.push_back({o.base.value, last});
        }
    }
}

bool CostTable::isEverObject(std::uint64_t first, std::uint64_t last) const {
    const auto range = std::lower_bound(objectRanges_.begin(), objectRanges_.end(), first,
                                        [](const Bytes& r, std::uint64_t a) { return r.last < a; });
    return range != objectRanges_.end() && range->begin <= last;
}

CostTable::Word& CostTable::newWord(ByteAddress address) {
    words_.emplace_back();
    findOwner(words_.back());
    if (words_.size() > mostWords_) {
        while (words_.size() > mostWords_ && wordShift_ < kWidestWord) widenWords();
        return wordAt(address);
    }
    return words_.back();
}

/// Determines whether the owner of a word is always known.
void CostTable::findOwner(Word& word) {
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

/// The number of an object; assigns one if it has none.
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

/// Records that a source line touches a word that it may not have touched before.
void CostTable::relate(Word& word, std::uint32_t source, std::uint32_t object) {
    word.recent[1] = word.recent[0];
    word.recent[0] = source;
    sourceWords_.add(source, numberOf(word));
    sourceObjects_.add(source, object);
}

/// Merges neighbouring words in pairs.
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
        word.cost += old[i].cost;
        if (old[i].object != kNone) word.object = old[i].object;
        if (old[i].own == kNone) continue;
        Thing& own = objects_[old[i].own];
        if (word.own == kNone) {
            word.own = old[i].own;
            own.id = become[i];
        } else {
            objects_[word.own].cost += own.cost;
            own = {.in = word.own};
        }
    }
    wordCounts_ = wordCounts_.moved(become);
    PairSet pairs;
    sourceWords_.forEach([&](std::uint32_t source, std::uint32_t word) { pairs.add(source, become[word]); });
    std::swap(pairs, sourceWords_);
    pairs = {};
    objectWords_.forEach([&](std::uint32_t object, std::uint32_t word) { pairs.add(object, become[word]); });
    std::swap(pairs, objectWords_);
    for (Word& word : words_) findOwner(word);
    for (std::uint32_t i = 0; i < old.size(); ++i) {
        const bool isNews = old[i].isFixed && !words_[become[i]].isFixed && old[i].object != old[i].own;
        if (isNews) objectWords_.add(old[i].object, become[i]);
    }
}

std::uint32_t CostTable::wholeOf(std::uint32_t object) const {
    while (objects_[object].in != kNone) object = objects_[object].in;
    return object;
}

// --- converting the sums to the nodes and relations of a history ---

CostTable::Places CostTable::finish(History& history) {
    Places places;
    history.wordSize = std::uint32_t{1} << wordShift_;
    places.sources = finishSources(history);
    places.objects = finishObjects(history);
    const std::vector<std::uint32_t> words = finishWords(history, places.objects);
    history.sourceCounts = sourceCounts_.moved(places.sources);
    history.objectCounts = objectCounts_.moved(places.objects);
    history.wordCounts = wordCounts_.moved(words);
    history.sourceObjects =
        relationOf(sourceObjects_, places.sources, places.objects, history.sources.size(), history.objects.size());
    history.objectSources = turnedRound(history.sourceObjects, history.objects.size());
    history.sourceWords = relationOf(sourceWords_, places.sources, words, history.sources.size(), history.words.size());
    history.wordSources = turnedRound(history.sourceWords, history.words.size());
    addClasses(history, places.objects, words);
    return places;
}

std::vector<std::uint32_t> CostTable::finishSources(History& history) {
    std::vector<std::uint32_t> places(sources_.size(), kNone);
    for (std::size_t s = 0; s < sources_.size(); ++s) {
        if (!sources_[s].isUsed) continue;
        places[s] = static_cast<std::uint32_t>(history.sources.size());
        const SiteId first = lines_.siteOf(static_cast<std::uint32_t>(s));
        const Site& site = trace_.site(first);
        CostNode node{.cycles = sources_[s].cost.cycles, .accesses = sources_[s].cost.accesses, .id = first.value};
        node.kind = site.line != 0 ? CostNode::Kind::line : CostNode::Kind::instruction;
        if (site.line == 0) node.address = site.pc;
        history.sources.push_back(node);
    }
    return places;
}

CostNode CostTable::nodeOf(const Thing& thing) const {
    CostNode node{.cycles = thing.cost.cycles, .accesses = thing.cost.accesses, .kind = thing.kind};
    if (thing.kind == CostNode::Kind::word) {
        node.address.value = ids_.block(thing.id).value << wordShift_;
        node.size = std::uint64_t{1} << wordShift_;
        return node;
    }
    node.id = thing.id;
    const bool isObject = thing.kind == CostNode::Kind::object;
    node.address = isObject ? trace_.objects()[thing.id].base : trace_.regions()[thing.id].base;
    node.size = isObject ? trace_.objects()[thing.id].size : trace_.regions()[thing.id].size;
    return node;
}

std::vector<std::uint32_t> CostTable::finishObjects(History& history) const {
    std::vector<std::uint32_t> order;
    order.reserve(objects_.size());
    for (std::uint32_t i = 0; i < objects_.size(); ++i) {
        if (objects_[i].in == kNone) order.push_back(i);
    }
    std::vector<CostNode> nodes(objects_.size());
    for (const std::uint32_t i : order) nodes[i] = nodeOf(objects_[i]);
    const auto key = [&](std::uint32_t i) {
        const bool isObject = nodes[i].kind == CostNode::Kind::object;
        return std::tuple(nodes[i].address, isObject ? trace_.objects()[nodes[i].id].born.value + 1 : 0, nodes[i].kind);
    };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    std::vector<std::uint32_t> places(objects_.size());
    for (const std::uint32_t i : order) {
        places[i] = static_cast<std::uint32_t>(history.objects.size());
        history.objects.push_back(nodes[i]);
    }
    for (std::uint32_t i = 0; i < objects_.size(); ++i) places[i] = places[wholeOf(i)];
    return places;
}

std::vector<std::uint32_t> CostTable::finishWords(History& history, const std::vector<std::uint32_t>& objects) const {
    std::vector<std::uint32_t> order(words_.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return ids_.block(a) < ids_.block(b); });
    std::vector<std::uint32_t> places(words_.size());
    history.words.reserve(words_.size());
    for (const std::uint32_t i : order) {
        places[i] = static_cast<std::uint32_t>(history.words.size());
        CostNode node{.cycles = words_[i].cost.cycles, .accesses = words_[i].cost.accesses};
        node.address.value = ids_.block(i).value << wordShift_;
        node.size = std::uint64_t{1} << wordShift_;
        node.id = objects[words_[i].object];
        history.words.push_back(node);
    }
    return places;
}

void CostTable::addClasses(History& history, const std::vector<std::uint32_t>& objects,
                           const std::vector<std::uint32_t>& words) {
    std::map<std::string_view, std::uint32_t> named;
    for (CostNode& node : history.objects) {
        if (node.kind == CostNode::Kind::word) continue;
        const auto [at, isNew] = named.try_emplace(classNameOf(trace_, node), history.classes.size());
        if (isNew) history.classes.push_back({.name = std::string(at->first)});
        CostClass& c = history.classes[at->second];
        node.classId = at->second;
        ++c.instances;
        c.cycles += node.cycles;
        c.accesses += node.accesses;
    }
    // Most words have one owner; for the others, each class counts once.
    PairSet pairs;
    objectWords_.forEach(
        [&](std::uint32_t object, std::uint32_t word) { pairs.add(history.objects[objects[object]].classId, word); });
    pairs.forEach([&](std::uint32_t c, std::uint32_t) { ++history.classes[c].words; });
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
        const std::uint32_t c = history.objects[objects[words_[i].object]].classId;
        history.words[words[i]].classId = c;
        if (words_[i].isFixed && c != CostNode::kNoClass) ++history.classes[c].words;
    }

    std::vector<std::uint32_t> order(history.classes.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    const auto& all = history.classes;
    std::sort(order.begin(), order.end(), [&](auto a, auto b) {
        return all[a].cycles != all[b].cycles ? all[a].cycles > all[b].cycles : all[a].name < all[b].name;
    });
    std::vector<CostClass> ranked;
    ranked.reserve(order.size());
    std::vector<std::uint32_t> places(order.size());
    for (const std::uint32_t c : order) {
        places[c] = static_cast<std::uint32_t>(ranked.size());
        ranked.push_back(std::move(history.classes[c]));
    }
    history.classes = std::move(ranked);
    for (auto* nodes : {&history.objects, &history.words}) {
        for (CostNode& node : *nodes) {
            if (node.classId != CostNode::kNoClass) node.classId = places[node.classId];
        }
    }
}

}  // namespace whorl::sim
