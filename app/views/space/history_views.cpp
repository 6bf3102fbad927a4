#include "app/views/space/history_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <utility>

#include "app/session/range.h"
#include "app/views/space/describe_node.h"
#include "app/views/tile_look.h"
#include "render/scene/cells/cycle_colours.h"
#include "render/scene/space/block_pick.h"
#include "render/scene/space/space_palette.h"
#include "render/scene/space/surface_pick.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

/// With fewer objects than this, words are shown, because they are more informative.
constexpr std::size_t kFewObjects = 12;

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

const std::vector<sim::CostNode>& nodesOf(const sim::History& history, bool sources, bool words) {
    return sources ? history.sources : words ? history.words : history.objects;
}

sim::Cycles peakOf(const std::vector<sim::CostNode>& nodes, sim::Cycles lookUp) {
    sim::Cycles peak = 0;
    for (const sim::CostNode& n : nodes) peak = std::max(peak, n.waited(lookUp));
    return peak;
}

}  // namespace

Picks picksOf(const RunContext& context) {
    const ViewSettings& viewSettings = context.viewSettings;
    Picks picks{.source = viewSettings.source,
                .object = viewSettings.object,
                .memory = {},
                .stay = viewSettings.stay,
                .byte = {},
                .sourceIsNewer = viewSettings.sourceIsNewer};
    if (picks.object && context.opened.run) picks.memory = memoryOf(*picks.object, context.opened.run->trace());
    if (!viewSettings.object && !viewSettings.stay) picks.byte = context.marked();
    return picks;
}

HistoryViews::HistoryViews(std::shared_ptr<const sim::Trace> trace, std::shared_ptr<const sim::History> history)
    : trace_(std::move(trace)), history_(std::move(history)) {
    for (const sim::Object& o : trace_->objects()) placeOfClass_[o.className] = 0;
    for (const sim::CostClass& k : history_->classes) placeOfClass_[k.name] = 0;
    std::uint32_t place = 0;
    for (auto& [name, at] : placeOfClass_) at = place++;
}

void HistoryViews::compareWith(std::vector<std::shared_ptr<const sim::History>> others) {
    if (others == others_) return;
    others_ = std::move(others);
    kept_.clear();
}

void HistoryViews::light(std::shared_ptr<const LitPath> path) {
    if (path == path_) return;
    path_ = std::move(path);
    kept_.clear();
    onPath_.clear();
}

const std::vector<std::uint32_t>& HistoryViews::onPath(const ViewId& view, bool words) {
    const auto [at, isNew] = onPath_.try_emplace({view.withoutRun(), words});
    if (isNew) at->second = pathHighlights(*history_, *trace_, *path_, view, words);
    return at->second;
}

bool HistoryViews::wordsFit() const {
    return history_->objects.size() < kFewObjects && !history_->words.empty();
}

HistoryViews::Key HistoryViews::keyOf(const ViewId& view, const RunContext& context, glm::vec2 size,
                                      float scale) const {
    Key key{.viewSettings = context.viewSettings,
            .picks = picksOf(context),
            .size = size,
            .scale = scale,
            .ground = context.ground,
            .playhead = {},
            .seen = {},
            .range = {}};
    // Reset what does not affect pictures in space.
    key.viewSettings.shown.clear();
    key.viewSettings.aside.clear();
    key.viewSettings.active = {};
    key.viewSettings.lensWanted = false;
    key.viewSettings.wordsFit = false;
    key.viewSettings.cells.clear();
    key.viewSettings.histories.clear();
    key.viewSettings.phases = {};
    key.viewSettings.place.reset();
    key.viewSettings.collisionLevel = 0;
    key.viewSettings.collisionsOf = {};
    std::erase_if(key.viewSettings.sights,
                  [&](const auto& s) { return s.first != view.withoutRun() || !s.second.byHand; });
    if (view.kind == ViewId::Kind::blocks) {
        key.playhead = history_->cyclesAt(context.player.position());
        key.seen = context.seen;
        key.range = context.range;
    }
    return key;
}

const scene::FoldedGraph& HistoryViews::graphOf(const ViewId& view, const ViewSettings& viewSettings) {
    const bool sources = view.kind == ViewId::Kind::sources;
    const GraphKey key{sources, !sources && showsWords(viewSettings),
                       sources ? viewSettings.sources.order : viewSettings.objects.order};
    const auto& nodes = nodesOf(*history_, sources, key.words);
    const auto known = graphs_.find(key);
    if (known != graphs_.end()) return known->second;
    return graphs_.emplace(key, scene::FoldedGraph(nodes, key.order, history_->lookUp)).first->second;
}

const scene::BlockView& HistoryViews::blocksOf(const ViewId& view, const ViewSettings& viewSettings) {
    const std::pair key(view.level, viewSettings.blocksOf(view).order);
    const auto known = blocks_.find(key);
    if (known != blocks_.end()) return known->second;
    return blocks_.emplace(key, scene::BlockView(*history_, view.level, key.second)).first->second;
}

const scene::BlockView& HistoryViews::blocksSeen(const ViewId& view, const RunContext& context) {
    const BlockChoice& choice = context.viewSettings.blocksOf(view);
    if (choice.litOnly) {
        if (const scene::BlockView* lit = blocksLit(view, choice.order, picksOf(context))) return *lit;
    }
    const scene::BlockView& all = blocksOf(view, context.viewSettings);
    if (all.hasAll() || !context.seen) return all;
    const scene::Interval during = scene::BlockTime::around(blockTime().shown(context.seen));
    const BlocksKey key{choice.order, during};
    std::optional<std::pair<BlocksKey, scene::BlockView>>& kept = blocksDuring_[view.level];
    if (!kept || kept->first != key) {
        kept.emplace(
            key, scene::BlockView(history_->levels[view.level], history_->begin, history_->end, key.order, key.during));
    }
    return kept->second;
}

const scene::BlockView* HistoryViews::blocksLit(const ViewId& view, scene::BlockOrder order, const Picks& picks) {
    const LitKey key{order, picks};
    std::optional<std::pair<LitKey, scene::BlockView>>& kept = blocksLit_[view.level];
    if (!kept || kept->first != key) {
        const sim::HistoryLevel& level = history_->levels[view.level];
        const Highlights highlights = stayHighlights(*history_, view.level, picks);
        std::vector<std::uint32_t> blocks;
        for (const auto* stays : {&highlights.related, &highlights.ofTheByte}) {
            for (const std::uint32_t s : *stays) blocks.push_back(level.stays[s].block);
        }
        if (highlights.picked) blocks.push_back(level.stays[*highlights.picked].block);
        kept.emplace(key, scene::BlockView(level, history_->begin, history_->end, order, std::move(blocks)));
    }
    return kept->second.rows() > 0 ? &kept->second : nullptr;
}

const Highlights& HistoryViews::highlightsOf(const ViewId& view, const Key& key) {
    KeptHighlights& kept = highlights_[view];
    const bool words = showsWords(key.viewSettings);
    const bool known = kept.picks == key.picks && kept.words == words;
    if (known && !(key.picks == Picks{} && kept.highlights == Highlights{})) return kept.highlights;
    kept.picks = key.picks;
    kept.words = words;
    const std::uint64_t block = history_->levels.empty() ? sim::kMemoryWord : history_->levels.front().blockSize;
    switch (view.kind) {
        case ViewId::Kind::sources:
            kept.highlights = sourceHighlights(*history_, key.picks, block);
            break;
        case ViewId::Kind::objects:
            kept.highlights = objectHighlights(*history_, key.picks, words, block);
            break;
        default:
            kept.highlights = stayHighlights(*history_, view.level, key.picks);
    }
    return kept.highlights;
}

const std::vector<std::uint32_t>& HistoryViews::highlightedStays(std::size_t level, const Picks& picks) {
    const std::pair wanted(level, picks);
    if (timedOf_ == wanted) return timed_;
    timedOf_ = wanted;
    const Highlights highlights = stayHighlights(*history_, level, picks);
    timed_ = highlights.related.empty() ? highlights.ofTheByte : highlights.related;
    const auto& stays = history_->levels[level].stays;
    std::sort(timed_.begin(), timed_.end(), [&](auto a, auto b) { return stays[a].from < stays[b].from; });
    return timed_;
}

template <class Look>
void HistoryViews::setCommon(Look& look, const ViewId& view, const Key& key) const {
    look.size = key.size;
    look.ground = key.ground;
    look.textSize = viewText(key.scale);
    const auto sight = key.viewSettings.sights.find(view.withoutRun());
    if (sight != key.viewSettings.sights.end()) look.camera = sight->second.camera;
}

std::vector<scene::Rgba> HistoryViews::hues(const ViewSettings& viewSettings, scene::Ground ground) const {
    std::vector<scene::Rgba> hues;
    hues.reserve(history_->classes.size());
    for (const sim::CostClass& k : history_->classes) {
        const auto given = viewSettings.hues.find(k.name);
        hues.push_back(given != viewSettings.hues.end() ? given->second
                                                        : scene::classColour(ground, placeOfClass_.at(k.name)));
    }
    return hues;
}

std::vector<scene::BlockLook::ClassKey> HistoryViews::classKeys(const Key& key) const {
    const std::vector<scene::Rgba> ofClass = hues(key.viewSettings, key.ground);
    std::vector<scene::BlockLook::ClassKey> keys;
    for (std::size_t i = 0; i < ofClass.size(); ++i) {
        const std::string& name = history_->classes[i].name;
        const bool isChosen = key.viewSettings.classes.empty() || key.viewSettings.classes.contains(name);
        if (isChosen) keys.push_back({name, ofClass[i]});
    }
    return keys;
}

std::shared_ptr<const std::vector<scene::Rgba>> HistoryViews::classColours(const std::vector<sim::CostNode>& nodes,
                                                                           const Key& key, scene::Rgba plain) const {
    std::vector<scene::Rgba> ofClass = hues(key.viewSettings, key.ground);
    for (std::size_t i = 0; i < ofClass.size(); ++i) {
        const bool isChosen =
            key.viewSettings.classes.empty() || key.viewSettings.classes.contains(history_->classes[i].name);
        if (!isChosen) ofClass[i] = plain;
    }
    std::vector<scene::Rgba> colours;
    colours.reserve(nodes.size());
    for (const sim::CostNode& n : nodes) {
        colours.push_back(n.classId == sim::CostNode::kNoClass ? plain : ofClass[n.classId]);
    }
    return std::make_shared<const std::vector<scene::Rgba>>(std::move(colours));
}

scene::FoldedLook HistoryViews::foldedLook(const ViewId& view, const Key& key) {
    scene::FoldedLook look;
    setCommon(look, view, key);
    const bool sources = view.kind == ViewId::Kind::sources;
    const bool words = !sources && showsWords(key.viewSettings);
    const scene::SpacePalette& palette = scene::spacePaletteFor(key.ground);
    look.title = sources ? "SourceView" : words ? "ObjectView: words" : "ObjectView";
    look.key = sources ? "height: cycles of a line"
               : words ? "height: cycles of a word"
                       : "height: cycles of an object";
    look.title += partInWords({history_->from, history_->to}, *trace_);
    const auto& nodes = nodesOf(*history_, sources, words);
    look.nameOf = [this, &nodes, words](std::uint32_t node) {
        return words ? nameOfWord(*history_, *trace_, nodes[node]) : nameOf(nodes[node], *trace_);
    };
    look.height = (sources ? key.viewSettings.sources : key.viewSettings.objects).height;
    for (const auto& other : others_)
        look.full = std::max(look.full, peakOf(nodesOf(*other, sources, words), other->lookUp));
    if (path_) {
        look.highlights.push_back({onPath(view, words), scene::pathColour(key.ground)});
    }
    const Highlights& highlights = highlightsOf(view, key);
    look.highlights.push_back({highlights.ofTheByte, scene::paletteFor(key.ground).mark});
    look.highlights.push_back({highlights.related, sources ? palette.object : palette.source});
    look.picked = highlights.picked;
    look.pickedColour = sources ? palette.source : palette.object;
    if (!sources && key.viewSettings.classColours) {
        look.colours = classColours(nodes, key, palette.node);
    }
    return look;
}

scene::BlockLook HistoryViews::blockLook(const ViewId& view, const Key& key) {
    scene::BlockLook look;
    setCommon(look, view, key);
    const BlockChoice& choice = key.viewSettings.blocksOf(view);
    const sim::HistoryLevel& level = history_->levels[view.level];
    look.title = level.name + " BlockView";
    look.draw = choice.draw;
    look.colour = choice.colour;
    look.coherence = choice.coherence;
    look.replacement = choice.replacement;
    look.other = choice.other;
    look.caches = cachesOf(level, choice.cpus);
    look.lens = key.viewSettings.lens;
    look.rows = choice.rows;
    look.playhead = key.playhead;
    const scene::BlockTime time = blockTime();
    look.range = time.shown(key.seen);
    if (key.range) look.chosen = time.cyclesOf(scene::spanOf(*key.range));
    const Highlights& highlights = highlightsOf(view, key);
    const auto& stays = highlights.related.empty() ? highlights.ofTheByte : highlights.related;
    const bool isLooked = key.picks.source || key.picks.object || key.picks.byte;
    if (isLooked) {
        look.highlights = std::make_shared<const std::vector<std::uint32_t>>(stays);
    } else if (path_) {
        look.highlights = std::make_shared<const std::vector<std::uint32_t>>(onPath(view, false));
    }
    look.picked = highlights.picked;
    if (choice.colour == scene::BlockLook::Colour::objectClass) {
        look.objectColours = classColours(history_->objects, key, scene::spacePaletteFor(key.ground).node);
        look.classes = classKeys(key);
        // What was in a cache before the range has the class of the object that it was filled for.
        look.earlierColour = [this, keys = look.classes,
                              plain = scene::spacePaletteFor(key.ground).node](const auto& stay) {
            const sim::Object* const object = trace_->objectAt(stay.address, history_->from);
            if (object == nullptr) return plain;
            const auto known =
                std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.name == object->className; });
            return known == keys.end() ? plain : known->colour;
        };
    }
    look.nameOf = [this, &level](std::uint32_t block) {
        const sim::ByteAddress base{level.blocks[block].block.value * level.blockSize};
        return insideOf(*trace_, base, level.blockSize, history_->from, 1);
    };
    look.textOf = [this, &level](std::uint32_t stay) { return nameOfStay(*trace_, level.stays[stay]); };
    if (look.picked) look.flag = nameOfStay(*trace_, level.stays[*look.picked]);
    if (isLooked) look.lit = litInWords(key.picks, level) + (stays.empty() ? ": none" : "");
    look.namesWidth = widthOfNames(view, key.viewSettings, look);
    return look;
}

std::string HistoryViews::litInWords(const Picks& picks, const sim::HistoryLevel& level) const {
    if (picks.source && (picks.sourceIsNewer || !picks.object)) {
        return "the blocks that " + siteName(*trace_, trace_->site(sim::SiteId{picks.source->site})) + " accessed";
    }
    if (picks.object) return "what accesses to " + nameOfPick(*picks.object, picks.memory, *trace_) + " brought in";
    const sim::ByteAddress base{picks.byte->value / level.blockSize * level.blockSize};
    return "the selected block, " + insideOf(*trace_, base, level.blockSize, history_->from, 1);
}

float HistoryViews::widthOfNames(const ViewId& view, const ViewSettings& viewSettings, const scene::BlockLook& look) {
    const NamesKey key{view.level, viewSettings.blocksOf(view).order, look.textSize, look.size.x};
    const auto known = namesWidths_.find(key);
    if (known != namesWidths_.end()) return known->second;
    return namesWidths_.emplace(key, scene::widthOfNames(blocksOf(view, viewSettings), look)).first->second;
}

scene::SpaceCamera HistoryViews::cameraOf(const ViewId& view, const RunContext& context, glm::vec2 size, float scale) {
    const auto sight = context.viewSettings.sights.find(view.withoutRun());
    if (sight != context.viewSettings.sights.end() && sight->second.byHand) return sight->second.camera;
    const Key key = keyOf(view, context, size, scale);
    scene::SpaceCamera camera = view.kind == ViewId::Kind::blocks
                                    ? scene::blockCamera(context.viewSettings.blocksOf(view).depth)
                                    : scene::foldedCamera();
    if (context.viewSettings.direction) {
        camera.azimuth = context.viewSettings.direction->x;
        camera.elevation = context.viewSettings.direction->y;
    }
    camera.perspective = context.viewSettings.perspective.value_or(camera.perspective);
    if (view.kind == ViewId::Kind::blocks) {
        scene::BlockLook look = blockLook(view, key);
        look.camera = camera;
        return homeCamera(blocksOf(view, context.viewSettings), look, camera);
    }
    return homeCamera(graphOf(view, context.viewSettings), foldedLook(view, key), camera);
}

const scene::SpaceScene& HistoryViews::scene(const ViewId& view, const RunContext& context, glm::vec2 size,
                                             float scale) {
    Key key = keyOf(view, context, size, scale);
    Kept& kept = kept_[view];
    if (kept.key == key && kept.scene.size == size) return kept.scene;
    const scene::SpaceCamera camera = cameraOf(view, context, size, scale);
    if (view.kind == ViewId::Kind::blocks) {
        scene::BlockLook look = blockLook(view, key);
        look.camera = camera;
        kept.scene = blockScene(blocksSeen(view, context), look);
    } else {
        scene::FoldedLook look = foldedLook(view, key);
        look.camera = camera;
        kept.scene = foldedScene(graphOf(view, context.viewSettings), look);
    }
    kept.key = std::move(key);
    return kept.scene;
}

scene::BlockLook HistoryViews::blockLookOf(const ViewId& view, const RunContext& context, glm::vec2 size, float scale) {
    scene::BlockLook look = blockLook(view, keyOf(view, context, size, scale));
    look.camera = cameraOf(view, context, size, scale);
    return look;
}

std::optional<std::uint32_t> HistoryViews::pick(const ViewId& view, const RunContext& context, glm::vec2 size,
                                                float scale, glm::vec2 at) {
    if (view.kind != ViewId::Kind::blocks) return pickNode(scene(view, context, size, scale), at);
    const scene::BlockLook look = blockLookOf(view, context, size, scale);
    return pickStay(blocksSeen(view, context), look, at);
}

std::optional<scene::CellAround> HistoryViews::cellAround(const ViewId& view, const RunContext& context, glm::vec2 size,
                                                          float scale, std::uint32_t stay, glm::vec2 at) {
    const scene::BlockLook look = blockLookOf(view, context, size, scale);
    return scene::cellAround(blocksSeen(view, context), look, stay, at);
}

scene::BlockTime HistoryViews::blockTime() const {
    std::vector<const sim::CycleScale*> compared;
    compared.reserve(others_.size());
    for (const auto& other : others_) compared.push_back(other.get());
    return scene::BlockTime(*history_, std::move(compared));
}

std::vector<float> HistoryViews::rowWeights(const ViewId& view, const RunContext& context, std::size_t parts) {
    const scene::BlockView& blocks = blocksSeen(view, context);
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

BlockPlot HistoryViews::plotOf(const ViewId& view, const RunContext& context, glm::vec2 size, float scale) {
    scene::BlockLook look = blockLookOf(view, context, size, scale);
    look.camera = scene::blockCamera();
    const scene::BlockView& blocks = blocksOf(view, context.viewSettings);
    look.camera = homeCamera(blocks, look, look.camera);
    const scene::Extent box = extentOf(blocks, look);
    const glm::mat4 toClip = look.camera.toClip(size, box);
    const glm::vec2 a = scene::pixelOf(toClip, box.low, size);
    const glm::vec2 b = scene::pixelOf(toClip, box.high, size);
    return {glm::min(a, b), glm::max(a, b)};
}

double HistoryViews::rowShareAt(const ViewId& view, const RunContext& context, glm::vec2 size, float scale,
                                glm::vec2 at) {
    return scene::rowShareAt(blocksSeen(view, context), blockLookOf(view, context, size, scale), at);
}

double HistoryViews::rowsAcross(const ViewId& view, const RunContext& context, glm::vec2 size, float scale,
                                float pixels) {
    return scene::rowsAcross(blocksSeen(view, context), blockLookOf(view, context, size, scale), pixels);
}

double HistoryViews::timeAt(const ViewId& view, const RunContext& context, glm::vec2 size, float scale, glm::vec2 at) {
    const scene::BlockLook look = blockLookOf(view, context, size, scale);
    return scene::timeAt(blocksOf(view, context.viewSettings), look, at);
}

double HistoryViews::cyclesAcross(const ViewId& view, const RunContext& context, glm::vec2 size, float scale,
                                  float pixels) {
    const scene::BlockLook look = blockLookOf(view, context, size, scale);
    return scene::cyclesAcross(blocksOf(view, context.viewSettings), look, pixels);
}

}  // namespace whorl::app
