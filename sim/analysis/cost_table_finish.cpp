// How the books of costs become the nodes and relations of a history.
#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

#include "sim/analysis/cost_table.h"

namespace whorl::sim {

namespace {

std::string_view classNameOf(const Trace& trace, const CostNode& node) {
    if (node.kind == CostNode::Kind::region) return trace.regions()[node.id].name;
    const Object& object = trace.objects()[node.id];
    return object.className.empty() ? object.name : object.className;
}

}  // namespace

CostTable::Places CostTable::finish(History& history) {
    Places places;
    history.wordSize = std::uint32_t{1} << wordShift_;
    places.sources = finishSources(history);
    places.objects = finishObjects(history);
    const std::vector<std::uint32_t> words = finishWords(history, places.objects);
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
        CostNode node = sources_[s].node;
        node.cycles = sources_[s].cycles;
        node.accesses = sources_[s].accesses;
        history.sources.push_back(node);
    }
    return places;
}

CostNode CostTable::nodeOf(const Thing& thing) const {
    CostNode node{.cycles = thing.cycles, .accesses = thing.accesses, .kind = thing.kind};
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
        CostNode node{.cycles = words_[i].cycles, .accesses = words_[i].accesses};
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
    // Of most words there is one owner; of the others, each class counts once.
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
