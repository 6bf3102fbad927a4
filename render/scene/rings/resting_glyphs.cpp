#include "render/scene/rings/resting_glyphs.h"

#include <algorithm>
#include <utility>

namespace whorl::scene {

namespace {

constexpr float kCellRoom = 3.0f;  ///< pixels of a picture 720 high between two cells

}  // namespace

void RestingGlyphs::update(Scene& scene, const View& view, const std::vector<SetAt>& movingSets,
                           const std::vector<float>& plain) {
    const GlyphStyle style(view, subject_.looks);
    const Lens lens = layout_.lensOf(view);
    if (isMoving_.empty()) {
        for (const LevelRing& ring : layout_.levels) {
            isMoving_.emplace_back(std::size_t{ring.caches()} * ring.sets(), std::uint8_t{0});
        }
    }
    const std::vector<SetAt> before = std::exchange(movingSets_, movingSets);
    setMoving(before, 0);
    setMoving(movingSets_, 1);
    if (lens_ != lens || ground_ != view.ground || hues_ != view.hues || picked_ != view.picked || plain_ != plain) {
        plain_ = plain;
        picked_ = view.picked;
        lens_ = lens;
        ground_ = view.ground;
        hues_ = view.hues;
        placeAll(scene, style);
        return;
    }
    for (const SetAt& set : before) writeSet(scene, style, set);
    for (const SetAt& set : movingSets_) writeSet(scene, style, set);
    for (const SetAt& set : occupancy_.changedSets()) writeSet(scene, style, set);
    for (const std::uint32_t slot : occupancy_.changedSlots()) {
        std::uint32_t last = kUnseen;
        for (std::uint32_t p = 0; p < layout_.memory.parts; ++p) {
            const std::uint32_t cell = cellOfSlot(slot, p);
            if (cell != last && cell != kUnseen) memory_.stale.add(cell);
            last = cell;
        }
    }
    memory_.stale.empty([&](std::uint32_t cell) { writeMemory(scene, style, cell); });
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        levels_[l].stale.empty([&](std::uint32_t cell) { writeCell(scene, style, l, cell); });
    }
}

void RestingGlyphs::setMoving(const std::vector<SetAt>& movingSets, std::uint8_t value) {
    for (const SetAt& s : movingSets) {
        const std::size_t row = std::size_t{layout_.shownAs(s.level, s.cache)} * layout_.levels[s.level].sets();
        isMoving_[s.level][row + s.set.value] = value;
    }
}

bool RestingGlyphs::isMoving(const SetAt& s) const {
    const std::size_t row = std::size_t{layout_.shownAs(s.level, s.cache)} * layout_.levels[s.level].sets();
    return isMoving_[s.level][row + s.set.value] != 0;
}

float RestingGlyphs::radius(std::size_t level, const Lens& lens) const {
    return std::max(0.9f * layout_.detail, layout_.radii[level] * lens.zoom);
}

float RestingGlyphs::slotRadius(const Lens& lens) const {
    const std::uint32_t side = layout_.memory.sideFor(lens.zoom, RingLayout::kMemoryRoom * layout_.detail);
    const float room = layout_.memory.room * static_cast<float>(side) * lens.zoom;
    const float most = side > 1 ? room : layout_.memoryRadius * lens.zoom;
    return std::max(0.9f * layout_.detail, std::min(0.42f * room, most));
}

void RestingGlyphs::placeAll(Scene& scene, const GlyphStyle& style) {
    scene.resting.clear();
    scene.restingTargets.clear();
    scene.cells.clear();
    scene.cellTargets.clear();
    levels_.resize(layout_.levels.size());
    for (std::size_t l = 0; l < layout_.levels.size(); ++l) {
        levels_[l].cells = tier(l, *lens_) == Tier::cells;
        if (levels_[l].cells) {
            placeCells(scene, l);
            for (std::uint32_t c = 0; c < levels_[l].all.size(); ++c) writeCell(scene, style, l, c);
            continue;
        }
        placeGlyphs(scene, l);
        const LevelRing& ring = layout_.levels[l];
        for (std::uint32_t c = 0; c < ring.caches(); ++c) {
            for (std::uint32_t s = 0; s < ring.sets(); ++s) {
                writeSet(scene, style,
                         {static_cast<std::uint8_t>(l), static_cast<std::uint8_t>(layout_.cacheShown(l, c)),
                          sim::SetIndex{s}});
            }
        }
    }
    placeMemory(scene);
    for (std::uint32_t c = 0; c < memory_.cells.size(); ++c) writeMemory(scene, style, c);
}

/// Places the glyphs of a level that are in the picture.
void RestingGlyphs::placeGlyphs(Scene& scene, std::size_t level) {
    const LevelRing& ring = layout_.levels[level];
    const float r = radius(level, *lens_);
    LevelPart& part = levels_[level];
    part.drawnAs.assign(ring.slots() * ring.parts(), kUnseen);
    std::size_t glyph = 0;
    Slot slot;
    for (slot.cache = 0; slot.cache < ring.caches(); ++slot.cache) {
        for (slot.set = 0; slot.set < ring.sets(); ++slot.set) {
            for (slot.rank = 0; slot.rank < ring.ways(); ++slot.rank) {
                for (std::uint32_t p = 0; p < ring.parts(); ++p, ++glyph) {
                    const glm::vec2 at = lens_->at(ring.place(slot, p));
                    if (!lens_->sees(at, 2 * r)) continue;
                    part.drawnAs[glyph] = static_cast<std::uint32_t>(scene.resting.size());
                    scene.resting.push_back({.at = at, .radius = r});
                    scene.restingTargets.push_back({});
                }
            }
        }
    }
}

float RestingGlyphs::cellWidth(const LevelRing::Cell& cell) const {
    return std::max(1.2f * layout_.detail, cell.width * lens_->zoom);
}

void RestingGlyphs::placeCells(Scene& scene, std::size_t level) {
    const LevelRing& ring = layout_.levels[level];
    LevelPart& part = levels_[level];
    const LevelRing::Cells size = ring.cellsFor(lens_->zoom, kCellRoom * layout_.detail * layout_.coarseness[level]);
    if (part.all.empty() || size != part.size) {
        part.size = size;
        part.all = ring.cells(size);
        part.cellOf.assign(ring.slots(), kUnseen);
        for (std::uint32_t c = 0; c < part.all.size(); ++c) {
            for (const Slot& slot : part.all[c].slots) part.cellOf[ring.index(slot)] = c;
        }
    }
    part.drawnAs.assign(part.all.size(), kUnseen);
    part.stale.resize(part.all.size());
    for (std::uint32_t c = 0; c < part.all.size(); ++c) {
        const LevelRing::Cell& cell = part.all[c];
        const glm::vec2 from = lens_->at(cell.from);
        const float width = cellWidth(cell);
        if (!lens_->sees(from, 2 * width + glm::distance(cell.from, cell.to) * lens_->zoom)) continue;
        part.drawnAs[c] = static_cast<std::uint32_t>(scene.cells.size());
        scene.cells.push_back({.a = from, .b = lens_->at(cell.to), .width = width});
        scene.cellTargets.push_back({});
    }
}

void RestingGlyphs::placeMemory(Scene& scene) {
    const MemoryRing& memory = layout_.memory;
    memory_.side = memory.sideFor(lens_->zoom, RingLayout::kMemoryRoom * layout_.detail);
    memory_.cells = memory.cells(memory_.side, lens_->window());
    memory_.firstOfArc.clear();
    const std::uint32_t rows = (memory.rows + memory_.side - 1) / memory_.side;
    std::uint32_t count = 0;
    for (const MemoryRing::Arc& arc : memory.arcs) {
        memory_.firstOfArc.push_back(count);
        count += (arc.columns + memory_.side - 1) / memory_.side * rows;
    }
    memory_.drawnAs.assign(count, kUnseen);
    memory_.first = static_cast<std::uint32_t>(scene.resting.size());
    memory_.stale.resize(memory_.cells.size());
    const float r = slotRadius(*lens_);
    for (std::uint32_t c = 0; c < memory_.cells.size(); ++c) {
        const MemoryRing::Cell& cell = memory_.cells[c];
        memory_.drawnAs[memory_.firstOfArc[cell.arc] + cell.column / memory_.side * rows + cell.row / memory_.side] = c;
        scene.resting.push_back({.at = lens_->at(cell.at), .radius = r});
        scene.restingTargets.push_back({});
    }
}

/// The cell in which a glyph of a memory slot is drawn.
std::uint32_t RestingGlyphs::cellOfSlot(std::uint32_t slot, std::uint32_t part) const {
    const MemoryRing& memory = layout_.memory;
    const std::size_t arc = subject_.memorySlots.spanOf(slot);
    const std::uint32_t glyph = (slot - memory.arcs[arc].firstSlot) * memory.parts + part;
    const std::uint32_t rows = (memory.rows + memory_.side - 1) / memory_.side;
    const std::uint32_t column = glyph / memory.rows / memory_.side;
    return memory_.drawnAs[memory_.firstOfArc[arc] + column * rows + glyph % memory.rows / memory_.side];
}

void RestingGlyphs::writeSet(Scene& scene, const GlyphStyle& style, const SetAt& set) {
    const LevelRing& ring = layout_.levels[set.level];
    LevelPart& part = levels_[set.level];
    Slot slot{.cache = layout_.shownAs(set.level, set.cache), .set = set.set.value};
    if (part.cells) {
        std::uint32_t last = kUnseen;
        for (; slot.rank < ring.ways(); ++slot.rank) {
            const std::uint32_t cell = part.cellOf[ring.index(slot)];
            if (cell != last) part.stale.add(cell);
            last = cell;
        }
        return;
    }
    const bool hidden = isMoving(set);
    const std::size_t first = ring.index(slot);
    for (; slot.rank < ring.ways(); ++slot.rank) {
        const SlotState& state = occupancy_.state(set.level, first + slot.rank);
        for (std::uint32_t p = 0; p < ring.parts(); ++p) {
            const std::uint32_t at = part.drawnAs[(first + slot.rank) * ring.parts() + p];
            if (at == kUnseen) continue;
            Glyph& glyph = scene.resting[at];
            const glm::vec2 place = glyph.at;
            const float r = radius(set.level, *lens_);
            Target& target = scene.restingTargets[at];
            target = {};
            if (!state.has(SlotState::valid) && style.hasRim(r)) {
                glyph = style.empty(place, r);
            } else if (hidden || !state.has(SlotState::valid)) {
                glyph = GlyphStyle::hidden(place, r);
            } else {
                const std::uint64_t size = layout_.blockSizes[set.level];
                const sim::ByteAddress base{state.block.value * size};
                glyph = style.block(state, place, r, plain_[set.level]);
                GlyphStyle::fade(glyph, style.strength(base, size));
                target = {.kind = Target::Kind::line,
                          .level = set.level,
                          .cache = set.cache,
                          .rank = static_cast<std::uint16_t>(slot.rank),
                          .part = static_cast<std::uint16_t>(p),
                          .set = set.set,
                          .address = base};
            }
        }
    }
}

/// The breadth of a cell shows how full it is. Its hue is that of one of its blocks, chosen by a hash of the cell's
/// index, so that over many cells each region has the share that it has of the blocks.
void RestingGlyphs::writeCell(Scene& scene, const GlyphStyle& style, std::size_t level, std::uint32_t index) {
    const LevelRing& ring = layout_.levels[level];
    const LevelPart& part = levels_[level];
    const std::uint32_t at = part.drawnAs[index];
    if (at == kUnseen) return;
    const LevelRing::Cell& cell = part.all[index];
    regions_.clear();
    std::size_t ghosts = 0;
    std::size_t used = 0;  ///< sum of the used shares, each out of kWholeUse
    float strength = 0;    ///< strength of its strongest block
    for (const Slot& slot : cell.slots) {
        const SlotState& state = occupancy_.state(level, ring.index(slot));
        if (!state.has(SlotState::valid)) continue;
        regions_.push_back(state.region);
        const std::uint64_t size = layout_.blockSizes[level];
        strength = std::max(strength, style.strength(sim::ByteAddress{state.block.value * size}, size));
        ghosts += state.has(SlotState::ghost) ? 1u : 0u;
        used += std::min<std::uint32_t>(state.used, sim::kWholeUse);
    }
    Stroke& stroke = scene.cells[at];
    stroke.colourA = stroke.colourB = {0, 0, 0, 0};
    stroke.width = cellWidth(cell);
    const Slot& first = cell.slots.front();
    const bool shared = cell.slots.size() > 1;
    scene.cellTargets[at] = {.kind = shared ? Target::Kind::cell : Target::Kind::set,
                             .level = static_cast<std::uint8_t>(level),
                             .cache = static_cast<std::uint8_t>(layout_.cacheShown(level, first.cache)),
                             .rank = static_cast<std::uint16_t>(first.rank),
                             .set = sim::SetIndex{first.set}};
    if (regions_.empty()) return;
    const std::uint64_t hash = (index * 0x9E3779B97F4A7C15u) >> 32;
    const auto chosen = regions_.begin() + static_cast<std::ptrdiff_t>(hash * regions_.size() >> 32);
    std::nth_element(regions_.begin(), chosen, regions_.end());
    const float share = static_cast<float>(used) / static_cast<float>(sim::kWholeUse * regions_.size());
    stroke.colourA = stroke.colourB = faded(GlyphStyle::usedCell(style.hue(*chosen), share), strength);
    stroke.width *= GlyphStyle::cellBreadth(regions_.size(), ghosts, cell.slots.size());
    if (shared) return;
    const SlotState& state = occupancy_.state(level, ring.index(first));
    Target& target = scene.cellTargets[at];
    target.kind = Target::Kind::line;
    target.address = sim::ByteAddress{state.block.value * layout_.blockSizes[level]};
}

/// Writes the glyph of one memory slot, or of several that share a place.
void RestingGlyphs::writeMemory(Scene& scene, const GlyphStyle& style, std::uint32_t index) {
    const MemoryRing::Cell& cell = memory_.cells[index];
    const std::size_t region = subject_.memorySlots.spans()[cell.arc].region;
    std::uint32_t count = 0;
    std::uint32_t cached = 0;
    std::uint32_t first = MemorySlots::kNone;
    float strength = 0;
    const std::uint64_t size = subject_.memorySlots.blockSize();
    layout_.memory.eachSlot(cell, memory_.side, [&](std::uint32_t slot) {
        if (count++ == 0) first = slot;
        strength = std::max(strength, style.strength(subject_.memorySlots.address(slot), size));
        cached += occupancy_.isCached(slot) ? 1u : 0u;
    });
    Glyph& glyph = scene.resting[memory_.first + index];
    Target& target = scene.restingTargets[memory_.first + index];
    const glm::vec2 at = glyph.at;
    const float r = glyph.radius;
    if (count == 0) {
        glyph = GlyphStyle::hidden(at, r);
        return;
    }
    glyph = style.memory(region, cached, count, subject_.isLarge(), at, r);
    GlyphStyle::fade(glyph, strength);
    const std::uint32_t part = count > 1 ? 0 : (cell.column * layout_.memory.rows + cell.row) % layout_.memory.parts;
    target = {.kind = Target::Kind::slot,
              .part = static_cast<std::uint16_t>(part),
              .address = subject_.memorySlots.address(first)};
}

}  // namespace whorl::scene
