#include "app/views/space/highlights.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "app/commands/commands.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

using NodeKind = sim::CostNode::Kind;
using Indices = std::vector<std::uint32_t>;

std::optional<std::uint32_t> indexIf(const std::vector<sim::CostNode>& nodes, auto&& isIt) {
    const auto at = std::find_if(nodes.begin(), nodes.end(), isIt);
    if (at == nodes.end()) return std::nullopt;
    return static_cast<std::uint32_t>(at - nodes.begin());
}

/// The nodes, sorted by address, that overlap [from, to).
Indices overlapping(const std::vector<sim::CostNode>& nodes, std::uint64_t from, std::uint64_t to) {
    Indices out;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const sim::CostNode& n = nodes[i];
        if (n.address.value < to && n.address.value + std::max<std::uint64_t>(n.size, 1) > from) {
            out.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return out;
}

Indices wordsIn(const sim::History& history, std::uint64_t from, std::uint64_t to) {
    const auto before = [](const sim::CostNode& n, std::uint64_t address) { return n.address.value < address; };
    const std::uint64_t first = from / history.wordSize * history.wordSize;
    const auto begin = std::lower_bound(history.words.begin(), history.words.end(), first, before);
    const auto end = std::lower_bound(begin, history.words.end(), to, before);
    Indices out;
    for (auto w = begin; w != end; ++w) out.push_back(static_cast<std::uint32_t>(w - history.words.begin()));
    return out;
}

void sortOnce(Indices& indices) {
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

Indices of(const sim::Relation& relation, std::uint32_t i) {
    if (i >= relation.size()) return {};
    return {relation.begin(i), relation.end(i)};
}

/// The words of an object or region.
Indices wordsOf(const sim::History& history, const ObjectPick& pick) {
    const auto node = findObject(history, pick);
    if (!node) return {};
    const sim::CostNode& n = history.objects[*node];
    return wordsIn(history, n.address.value, n.address.value + n.size);
}

struct Bytes {
    std::uint64_t from;
    std::uint64_t to;
};

Bytes blockAround(sim::ByteAddress byte, std::uint64_t size) {
    const std::uint64_t from = byte.value / size * size;
    return {from, from + size};
}

/// The blocks of a level that contain any of the words.
std::vector<std::uint64_t> blocksOf(const sim::History& history, const Indices& words, std::uint64_t blockSize) {
    std::vector<std::uint64_t> out;
    out.reserve(words.size());
    for (const std::uint32_t w : words) out.push_back(history.words[w].address.value / blockSize);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// All stays of the given blocks, which must be sorted.
Indices staysOfBlocks(const sim::HistoryLevel& level, const std::vector<std::uint64_t>& blocks) {
    Indices out;
    for (std::size_t b = 0; b < level.blocks.size(); ++b) {
        if (!std::binary_search(blocks.begin(), blocks.end(), level.blocks[b].block.value)) continue;
        for (std::size_t s = level.blocks[b].firstStay; s < level.staysEnd(b); ++s) {
            out.push_back(static_cast<std::uint32_t>(s));
        }
    }
    return out;
}

/// The words of a pick that the history has no object for.
Indices wordsOf(const sim::History& history, const Picks& picks) {
    if (!picks.memory) return {};
    return wordsIn(history, picks.memory->from.value, picks.memory->from.value + picks.memory->bytes);
}

/// What goes with any of some things, ascending.
Indices ofAll(const sim::Relation& relation, const Indices& things) {
    Indices out;
    for (const std::uint32_t thing : things) {
        const Indices some = of(relation, thing);
        out.insert(out.end(), some.begin(), some.end());
    }
    sortOnce(out);
    return out;
}

/// The stays that started with an access to an object, or to the bytes of a word.
Indices staysForObject(const sim::History& history, const sim::HistoryLevel& level, const Picks& picks) {
    Indices out;
    const ObjectPick& pick = *picks.object;
    const auto node = pick.kind == NodeKind::word ? std::nullopt : findObject(history, pick);
    Bytes bytes = blockAround(pick.address, history.wordSize);
    if (pick.kind != NodeKind::word && picks.memory) {
        bytes = {picks.memory->from.value, picks.memory->from.value + picks.memory->bytes};
    }
    const bool isByBytes = !node && (pick.kind == NodeKind::word || picks.memory);
    for (std::size_t s = 0; s < level.stays.size(); ++s) {
        const sim::Stay& stay = level.stays[s];
        const bool isThere = stay.address.value >= bytes.from && stay.address.value < bytes.to;
        const bool isIt = isByBytes ? isThere : node && stay.object == *node;
        if (isIt) out.push_back(static_cast<std::uint32_t>(s));
    }
    return out;
}

/// A block's index in its level; nothing if it was never there.
std::optional<std::size_t> findBlock(const sim::History& history, std::size_t level, sim::BlockAddress block) {
    if (level >= history.levels.size()) return std::nullopt;
    const auto& blocks = history.levels[level].blocks;
    const auto at = std::lower_bound(blocks.begin(), blocks.end(), block,
                                     [](const sim::HistoryBlock& b, sim::BlockAddress a) { return b.block < a; });
    if (at == blocks.end() || at->block != block) return std::nullopt;
    return static_cast<std::size_t>(at - blocks.begin());
}

// The critical path.

constexpr sim::Cycles kMinShare = 100;  ///< a part is highlighted if it has at least 1/kMinShare of the path's cycles

using Numbers = std::set<std::size_t>;

Numbers weighty(const std::vector<sim::PathCosts::Part>& parts, sim::Cycles all) {
    Numbers out;
    for (const sim::PathCosts::Part& part : parts) {
        if (part.sum() > 0 && part.sum() >= all / kMinShare) out.insert(part.of);
    }
    return out;
}

template <class IsIt>
std::vector<std::uint32_t> indicesIf(std::size_t count, const IsIt& isIt) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < count; ++i) {
        if (isIt(i)) out.push_back(static_cast<std::uint32_t>(i));
    }
    return out;
}

}  // namespace

SourcePick pickOf(const sim::CostNode& source) {
    return {source.id};
}

ObjectPick objectPickOf(const sim::CostNode& object) {
    return {object.kind, object.kind == NodeKind::word ? 0 : object.id, object.address};
}

StayPick pickOf(const sim::HistoryLevel& level, std::size_t levelIndex, std::size_t stay) {
    const sim::Stay& s = level.stays[stay];
    return {static_cast<std::uint8_t>(levelIndex), s.cache, level.blocks[s.block].block, s.from};
}

std::optional<std::uint32_t> find(const sim::History& history, const SourcePick& pick) {
    return indexIf(history.sources, [&](const sim::CostNode& n) { return n.id == pick.site; });
}

std::optional<std::uint32_t> findObject(const sim::History& history, const ObjectPick& pick) {
    if (pick.kind != NodeKind::word) {
        return indexIf(history.objects, [&](const sim::CostNode& n) { return n.kind == pick.kind && n.id == pick.id; });
    }
    return indexIf(history.objects, [&](const sim::CostNode& n) {
        return pick.address.value - n.address.value < std::max<std::uint64_t>(n.size, 1);
    });
}

std::optional<std::uint32_t> findWord(const sim::History& history, const ObjectPick& pick) {
    if (pick.kind != NodeKind::word) return std::nullopt;
    const Indices words = wordsIn(history, pick.address.value, pick.address.value + 1);
    return words.empty() ? std::nullopt : std::optional(words.front());
}

std::optional<StayPick> firstStay(const sim::History& history, std::size_t level, sim::BlockAddress block) {
    const auto b = findBlock(history, level, block);
    if (!b) return std::nullopt;
    const sim::HistoryLevel& of = history.levels[level];
    const std::size_t begin = of.blocks[*b].firstStay;
    const std::size_t end = of.staysEnd(*b);
    if (begin == end) return std::nullopt;
    std::size_t first = begin;
    for (std::size_t s = begin; s < end; ++s) {
        if (of.stays[s].from < of.stays[first].from) first = s;
    }
    return pickOf(of, level, first);
}

std::optional<std::uint32_t> find(const sim::History& history, const StayPick& pick) {
    const auto b = findBlock(history, pick.level, pick.block);
    if (!b) return std::nullopt;
    const sim::HistoryLevel& level = history.levels[pick.level];
    for (std::size_t s = level.blocks[*b].firstStay; s < level.staysEnd(*b); ++s) {
        const sim::Stay& stay = level.stays[s];
        if (stay.cache == pick.cache && stay.from == pick.from) return static_cast<std::uint32_t>(s);
    }
    return std::nullopt;
}

Highlights sourceHighlights(const sim::History& history, const Picks& picks, std::uint64_t blockSize) {
    Highlights highlights;
    if (picks.source) highlights.picked = find(history, *picks.source);
    if (picks.object) {
        if (const auto word = findWord(history, *picks.object)) {
            highlights.related = of(history.wordSources, *word);
        } else if (const auto object = findObject(history, *picks.object)) {
            highlights.related = of(history.objectSources, *object);
        } else {
            highlights.related = ofAll(history.wordSources, wordsOf(history, picks));
        }
    }
    if (picks.byte) {
        const Bytes block = blockAround(*picks.byte, blockSize);
        highlights.ofTheByte = ofAll(history.wordSources, wordsIn(history, block.from, block.to));
    }
    return highlights;
}

Highlights objectHighlights(const sim::History& history, const Picks& picks, bool words, std::uint64_t blockSize) {
    Highlights highlights;
    if (picks.object) {
        highlights.picked = words ? findWord(history, *picks.object) : findObject(history, *picks.object);
        if (words && !highlights.picked) highlights.ofTheByte = wordsOf(history, *picks.object);
        if (words && !highlights.picked && highlights.ofTheByte.empty()) highlights.ofTheByte = wordsOf(history, picks);
    }
    if (picks.source) {
        const auto node = find(history, *picks.source);
        if (node) highlights.related = of(words ? history.sourceWords : history.sourceObjects, *node);
    }
    if (picks.byte) {
        const Bytes block = blockAround(*picks.byte, blockSize);
        const Indices more =
            words ? wordsIn(history, block.from, block.to) : overlapping(history.objects, block.from, block.to);
        highlights.ofTheByte.insert(highlights.ofTheByte.end(), more.begin(), more.end());
        sortOnce(highlights.ofTheByte);
    }
    return highlights;
}

Highlights stayHighlights(const sim::History& history, std::size_t levelIndex, const Picks& picks) {
    Highlights highlights;
    const sim::HistoryLevel& level = history.levels[levelIndex];
    if (picks.stay && picks.stay->level == levelIndex) highlights.picked = find(history, *picks.stay);
    if (picks.source && (picks.sourceIsNewer || !picks.object)) {
        if (const auto node = find(history, *picks.source)) {
            highlights.related =
                staysOfBlocks(level, blocksOf(history, of(history.sourceWords, *node), level.blockSize));
        }
    } else if (picks.object) {
        highlights.related = staysForObject(history, level, picks);
    }
    if (picks.byte) highlights.ofTheByte = staysOfBlocks(level, {picks.byte->value / level.blockSize});
    return highlights;
}

Commands picksOf(const sim::SharingReport& report, const sim::SharingRow& row, const sim::History* history,
                 const ViewSettings& settings) {
    const sim::SharedBlock& block = report.blocks[row.block];
    Commands out;
    if (!settings.showsKind(ViewId::Kind::blocks)) {
        out.push_back(command::View{{ViewId::Kind::blocks, static_cast<std::uint8_t>(block.level)}});
    }
    const auto word = [&](sim::ByteAddress address) {
        out.push_back(command::PickObject{{.kind = sim::CostNode::Kind::word, .id = 0, .address = address}});
    };
    if (row.field) {
        word(block.fields[*row.field].address);
        return out;
    }
    if (const auto stay = history == nullptr ? std::nullopt : firstStay(*history, block.level, block.block)) {
        // Earlier picks must not light anything else.
        out.push_back(command::SelectNone{});
        out.push_back(command::PickStay{*stay, sim::ByteAddress{block.block.value * report.blockSizes[block.level]}});
        return out;
    }
    const auto costliest =
        std::max_element(block.fields.begin(), block.fields.end(),
                         [](const sim::SharedField& a, const sim::SharedField& b) { return a.lost < b.lost; });
    if (costliest != block.fields.end()) word(costliest->address);
    return out;
}

std::shared_ptr<const HighlightedPath> highlightedPathOf(const sim::Run& run,
                                                         std::shared_ptr<const sim::RunCosts> costs,
                                                         sim::Progress& progress) {
    auto parts = costsOf(run, costs->path, progress);
    if (!parts) return nullptr;
    return std::make_shared<const HighlightedPath>(HighlightedPath{std::move(costs), *std::move(parts)});
}

std::vector<std::uint32_t> linesOn(const sim::History& history, const sim::Trace& trace, const HighlightedPath& path) {
    const Numbers lines = weighty(path.parts.lines, path.costs->path.length());
    const sim::SourceLines numbers(trace);
    return indicesIf(history.sources.size(),
                     [&](std::size_t i) { return lines.contains(numbers.of(sim::SiteId{history.sources[i].id})); });
}

std::vector<std::uint32_t> objectsOn(const sim::History& history, const sim::Trace& trace, const HighlightedPath& path,
                                     bool words) {
    const Numbers objects = weighty(path.parts.objects, path.costs->path.length());
    const auto isOn = [&](const sim::CostNode& node) {
        const std::size_t regions = trace.objects().size();
        switch (node.kind) {
            case sim::CostNode::Kind::object:
                return objects.contains(node.id);
            case sim::CostNode::Kind::region:
                return objects.contains(regions + node.id);
            default:
                return objects.contains(regions + trace.regionAt(node.address));
        }
    };
    if (!words) return indicesIf(history.objects.size(), [&](std::size_t i) { return isOn(history.objects[i]); });
    return indicesIf(history.words.size(), [&](std::size_t i) { return isOn(history.objects[history.words[i].id]); });
}

std::vector<std::uint32_t> staysOn(const sim::History& history, std::size_t level, const HighlightedPath& path) {
    const auto& stays = history.levels[level].stays;
    return indicesIf(stays.size(), [&](std::size_t i) {
        const sim::Stay& stay = stays[i];
        return stay.in != sim::Stay::kNever && stay.from > 0 && path.costs->path.contains(stay.cpu, stay.from - 1);
    });
}

}  // namespace whorl::app
