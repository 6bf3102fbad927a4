#include "app/views/space/block_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "app/commands/cell_commands.h"
#include "app/commands/selection_commands.h"
#include "app/session/selection.h"
#include "app/views/space/describe_node.h"
#include "render/scene/palette.h"
#include "render/scene/space/block_pick.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

/// The caches of a level that belong to the CPUs whose planes are shown.
std::uint64_t cachesOf(const sim::HistoryLevel& level, std::uint64_t cpus) {
    std::uint64_t caches = 0;
    for (std::uint32_t c = 0; c < std::min(level.caches, 64u); ++c) {
        for (std::uint32_t i = 0; i < level.cpusPerCache; ++i) {
            const std::uint32_t cpu = c * level.cpusPerCache + i;
            if (cpu < 64 && (cpus >> cpu & 1) != 0) caches |= std::uint64_t{1} << c;
        }
    }
    return caches;
}

}  // namespace

void BlockViews::forget() {
    SpaceViews::forget();
    onPath_.clear();
}

SpaceViews::Key BlockViews::keyOf(const ViewQuery& query) const {
    Key key = SpaceViews::keyOf(query);
    key.seen = query.context.seen;
    key.range = query.context.range;
    return key;
}

const std::vector<std::uint32_t>& BlockViews::onPath(std::uint8_t level) {
    const auto [at, isNew] = onPath_.try_emplace(level);
    if (isNew) at->second = staysOn(history(), level, *shown().path);
    return at->second;
}

const scene::BlockView& BlockViews::blocksOf(const ViewQuery& query) {
    const std::pair key(query.view.level, query.context.viewSettings.blocksOf(query.view).order);
    const auto known = blocks_.find(key);
    if (known != blocks_.end()) return known->second;
    return blocks_.emplace(key, scene::BlockView(history(), key.first, key.second)).first->second;
}

const scene::BlockView& BlockViews::blocksSeen(const ViewQuery& query) {
    const auto& [view, context, size, scale] = query;
    const BlockChoice& choice = context.viewSettings.blocksOf(view);
    if (choice.highlightedOnly) {
        if (const scene::BlockView* highlighted = highlightedBlocks(view, choice.order, picksOf(context)))
            return *highlighted;
    }
    const scene::BlockView& all = blocksOf(query);
    if (all.hasAll() || !context.seen) return all;
    const scene::Interval during = scene::BlockTime::around(time().shown(context.seen));
    const BlocksKey key{choice.order, during};
    std::optional<std::pair<BlocksKey, scene::BlockView>>& kept = blocksDuring_[view.level];
    if (!kept || kept->first != key) {
        kept.emplace(
            key, scene::BlockView(history().levels[view.level], history().begin, history().end, key.order, key.during));
    }
    return kept->second;
}

const scene::BlockView* BlockViews::highlightedBlocks(const ViewId& view, scene::BlockOrder order, const Picks& picks) {
    const HighlightKey key{order, picks};
    std::optional<std::pair<HighlightKey, scene::BlockView>>& kept = highlightedBlocks_[view.level];
    if (!kept || kept->first != key) {
        const sim::HistoryLevel& level = history().levels[view.level];
        const Highlights highlights = stayHighlights(history(), view.level, picks);
        std::vector<std::uint32_t> blocks;
        for (const auto* stays : {&highlights.related, &highlights.ofTheByte}) {
            for (const std::uint32_t s : *stays) blocks.push_back(level.stays[s].block);
        }
        if (highlights.picked) blocks.push_back(level.stays[*highlights.picked].block);
        kept.emplace(key, scene::BlockView(level, history().begin, history().end, order, std::move(blocks)));
    }
    return kept->second.rows() > 0 ? &kept->second : nullptr;
}

const Highlights& BlockViews::highlightsOf(std::uint8_t level, const Picks& picks) {
    const auto [at, isNew] = highlights_.try_emplace(level);
    auto& [of, highlights] = at->second;
    if (!isNew && of == picks) return highlights;
    of = picks;
    highlights = stayHighlights(history(), level, picks);
    return highlights;
}

const std::vector<std::uint32_t>& BlockViews::highlightedStays(std::size_t level, const Picks& picks) {
    const std::pair wanted(level, picks);
    if (timedOf_ == wanted) return timed_;
    timedOf_ = wanted;
    const Highlights highlights = stayHighlights(history(), level, picks);
    timed_ = highlights.related.empty() ? highlights.ofTheByte : highlights.related;
    const auto& stays = history().levels[level].stays;
    std::sort(timed_.begin(), timed_.end(), [&](auto a, auto b) { return stays[a].from < stays[b].from; });
    return timed_;
}

std::vector<scene::BlockLook::ClassKey> BlockViews::classKeys(const Key& key) const {
    const std::vector<scene::Rgba> ofClass = shown().hues(key.viewSettings, key.ground);
    std::vector<scene::BlockLook::ClassKey> keys;
    for (std::size_t i = 0; i < ofClass.size(); ++i) {
        const std::string& name = history().classes[i].name;
        if (key.viewSettings.colours(name)) keys.push_back({name, ofClass[i]});
    }
    return keys;
}

scene::BlockLook BlockViews::look(const ViewQuery& query, const Key& key) {
    scene::BlockLook look;
    setCommon(look, query.view, key);
    const BlockChoice& choice = key.viewSettings.blocksOf(query.view);
    const sim::HistoryLevel& level = history().levels[query.view.level];
    look.title = level.name + " BlockView";
    look.draw = choice.draw;
    look.others = choice.others;
    look.colour = choice.colour;
    look.coherence = choice.coherence;
    look.replacement = choice.replacement;
    look.other = choice.other;
    look.caches = cachesOf(level, choice.cpus);
    look.lens = key.viewSettings.lens;
    look.rows = choice.rows;
    look.playhead = history().cyclesAt(query.context.player.position());
    const scene::BlockTime time = this->time();
    look.range = time.shown(key.seen);
    if (key.range) look.chosen = time.cyclesOf(scene::spanOf(*key.range));
    const Highlights& highlights = highlightsOf(query.view.level, key.picks);
    const auto& stays = highlights.related.empty() ? highlights.ofTheByte : highlights.related;
    const bool hasPicks = key.picks.source || key.picks.object || key.picks.byte;
    if (hasPicks) {
        look.highlights = std::make_shared<const std::vector<std::uint32_t>>(stays);
    } else if (shown().path) {
        look.highlights = std::make_shared<const std::vector<std::uint32_t>>(onPath(query.view.level));
    }
    look.picked = highlights.picked;
    if (choice.colour == scene::BlockLook::Colour::objectClass) {
        look.objectColours =
            shown().classColours(history().objects, key.viewSettings, key.ground, scene::paletteFor(key.ground).node);
        look.classes = classKeys(key);
        // What was in a cache before the range has the class of the object that it was filled for.
        look.earlierColour = [this, keys = look.classes, plain = scene::paletteFor(key.ground).node](const auto& stay) {
            const sim::Object* const object = trace().objectAt(stay.address, history().from);
            if (object == nullptr) return plain;
            const auto known =
                std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.name == object->className; });
            return known == keys.end() ? plain : known->colour;
        };
    }
    look.nameOf = [this, &level](std::uint32_t block) {
        const sim::ByteAddress base{level.blocks[block].block.value * level.blockSize};
        return insideOf(trace(), base, level.blockSize, history().from, 1);
    };
    look.textOf = [this, &level](std::uint32_t stay) { return nameOfStay(trace(), level.stays[stay]); };
    if (look.picked) look.flag = nameOfStay(trace(), level.stays[*look.picked]);
    if (hasPicks) look.highlightsInWords = highlightsInWords(key.picks, level) + (stays.empty() ? ": none" : "");
    look.namesWidth = widthOfNames(query, look);
    return look;
}

std::string BlockViews::highlightsInWords(const Picks& picks, const sim::HistoryLevel& level) const {
    if (picks.source && (picks.sourceIsNewer || !picks.object)) {
        return "the blocks that " + siteName(trace(), trace().site(sim::SiteId{picks.source->site})) + " accessed";
    }
    if (picks.object) return "what accesses to " + nameOfPick(*picks.object, picks.memory, trace()) + " brought in";
    const sim::ByteAddress base{picks.byte->value / level.blockSize * level.blockSize};
    return "the selected block, " + insideOf(trace(), base, level.blockSize, history().from, 1);
}

float BlockViews::widthOfNames(const ViewQuery& query, const scene::BlockLook& look) {
    const NamesKey key{query.view.level, query.context.viewSettings.blocksOf(query.view).order, look.textSize,
                       look.size.x};
    const auto known = namesWidths_.find(key);
    if (known != namesWidths_.end()) return known->second;
    return namesWidths_.emplace(key, scene::widthOfNames(blocksOf(query), look)).first->second;
}

scene::SpaceCamera BlockViews::firstCamera(const ViewQuery& query) const {
    return scene::blockCamera(query.context.viewSettings.blocksOf(query.view).depth);
}

scene::SpaceCamera BlockViews::placed(const ViewQuery& query, const Key& key, const scene::SpaceCamera& camera) {
    scene::BlockLook look = this->look(query, key);
    look.camera = camera;
    return homeCamera(blocksOf(query), look, camera);
}

scene::SpaceScene BlockViews::make(const ViewQuery& query, const Key& key, const scene::SpaceCamera& camera) {
    scene::BlockLook look = this->look(query, key);
    look.camera = camera;
    return blockScene(blocksSeen(query), look);
}

void BlockViews::moveTo(scene::SpaceScene& scene, const ViewQuery& query) {
    if (scene.playhead == history().cyclesAt(query.context.player.position())) return;
    movePlayhead(scene, blocksSeen(query), lookSeen(query));
}

scene::BlockLook BlockViews::lookSeen(const ViewQuery& query) {
    scene::BlockLook look = this->look(query, keyOf(query));
    look.camera = cameraOf(query);
    return look;
}

std::optional<Hit> BlockViews::hitAt(const ViewQuery& query, glm::vec2 at) {
    const auto found = pickStay(blocksSeen(query), lookSeen(query), at);
    if (!found) return nameAt(query, at);
    const sim::HistoryLevel& level = history().levels[query.view.level];
    const StayPick stay = pickOf(level, query.view.level, *found);
    const Command pick = command::PickStay{stay, sim::ByteAddress{stay.block.value * level.blockSize}};
    return Hit{.click = {pick},
               .shift = Commands{pick, command::HistoryShow{}},
               .describe = [this, query, at, found = *found] {
                   NodeDescription description = describeStay(history(), trace(), query.view.level, found);
                   const auto cell = scene::cellAround(blocksSeen(query), lookSeen(query), found, at);
                   if (cell) description.lines.push_back(describeCell(*cell));
                   return description.inLines();
               }};
}

std::optional<Hit> BlockViews::nameAt(const ViewQuery& query, glm::vec2 at) {
    const scene::BlockView& blocks = blocksSeen(query);
    const BlockPlot plot = plotOf(query);
    const bool isName = at.x < plot.low.x && at.y >= plot.low.y && at.y < plot.high.y;
    if (!isName || blocks.rows() == 0 || !cameraOf(query).isFacing(scene::Plane::yz)) return std::nullopt;
    const auto fromTop = static_cast<std::uint32_t>(rowShareAt(query, at) * blocks.rows());
    const std::uint32_t row = blocks.rows() - 1 - std::min(fromTop, blocks.rows() - 1);
    const sim::HistoryLevel& level = history().levels[query.view.level];
    const sim::ByteAddress base{level.blocks[blocks.blockOf(row)].block.value * level.blockSize};
    const Command pick = command::PickMemory{base, level.blockSize};
    return Hit{.click = {pick},
               .shift = Commands{pick, command::HistoryShow{}},
               .describe = [this, base, bytes = level.blockSize] {
                   return std::vector{insideOf(trace(), base, bytes, history().from, 1),
                                      fmt::format("{} bytes at {:#x}", bytes, base.value),
                                      std::string("click: pick this block")};
               }};
}

scene::BlockTime BlockViews::time() const {
    std::vector<const sim::CycleScale*> compared;
    compared.reserve(shown().others.size());
    for (const auto& other : shown().others) compared.push_back(other.get());
    return scene::BlockTime(history(), std::move(compared));
}

std::vector<float> BlockViews::rowWeights(const ViewQuery& query, std::size_t parts) {
    const scene::BlockView& blocks = blocksSeen(query);
    std::vector<double> costs(std::min<std::size_t>(parts, blocks.rows()));
    for (std::uint32_t row = 0; row < blocks.rows(); ++row) {
        const std::uint64_t fromTop = blocks.rows() - 1 - row;
        costs[fromTop * costs.size() / blocks.rows()] +=
            static_cast<double>(blocks.level().blocks[blocks.blockOf(row)].cost);
    }
    const double most = costs.empty() ? 0 : *std::max_element(costs.begin(), costs.end());
    std::vector<float> weights;
    weights.reserve(costs.size());
    for (const double cost : costs) weights.push_back(most > 0 ? static_cast<float>(std::sqrt(cost / most)) : 0);
    return weights;
}

BlockPlot BlockViews::plotOf(const ViewQuery& query) {
    scene::BlockLook look = lookSeen(query);
    look.camera = scene::blockCamera();
    const scene::BlockView& blocks = blocksOf(query);
    look.camera = homeCamera(blocks, look, look.camera);
    const scene::Extent box = extentOf(blocks, look);
    const glm::vec2 size(query.size);
    const glm::mat4 toClip = look.camera.toClip(size, box);
    const glm::vec2 a = scene::pixelOf(toClip, box.low, size);
    const glm::vec2 b = scene::pixelOf(toClip, box.high, size);
    return {glm::min(a, b), glm::max(a, b)};
}

double BlockViews::rowShareAt(const ViewQuery& query, glm::vec2 at) {
    return scene::rowShareAt(blocksSeen(query), lookSeen(query), at);
}

double BlockViews::rowsAcross(const ViewQuery& query, float pixels) {
    return scene::rowsAcross(blocksSeen(query), lookSeen(query), pixels);
}

double BlockViews::timeAt(const ViewQuery& query, glm::vec2 at) {
    return scene::timeAt(blocksOf(query), lookSeen(query), at);
}

double BlockViews::cyclesAcross(const ViewQuery& query, float pixels) {
    return scene::cyclesAcross(blocksOf(query), lookSeen(query), pixels);
}

}  // namespace whorl::app
