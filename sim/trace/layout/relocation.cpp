#include "sim/trace/layout/relocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/base/text.h"
#include "sim/trace/owners.h"

namespace whorl::sim {
namespace {

/// Moved memory begins where the first of its blocks did within so many bytes, more than any cache has, so that it
/// falls into the same sets. Blocks begin at a multiple of these.
constexpr std::uint64_t kArena = std::uint64_t{1} << 30;
constexpr std::uint64_t kBlock = 8;

std::uint64_t wholeBlocks(std::uint64_t bytes) {
    return (bytes + kBlock - 1) / kBlock * kBlock;
}

/// The bases of blocks, in order of birth, in a pool: each gets the slot of its size that was freed last, or a new one
/// at the end. Returns the bytes of the pool.
std::uint64_t placeInPool(const std::vector<const Object*>& blocks, std::vector<std::uint64_t>& offsets) {
    std::multimap<Tick, std::size_t> ends;  // of blocks that live
    std::map<std::uint64_t, std::vector<std::uint64_t>> freed;
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        while (!ends.empty() && ends.begin()->first <= blocks[i]->born) {
            const std::size_t dead = ends.begin()->second;
            freed[blocks[dead]->size].push_back(offsets[dead]);
            ends.erase(ends.begin());
        }
        std::vector<std::uint64_t>& slots = freed[blocks[i]->size];
        if (slots.empty()) {
            offsets.push_back(end);
            end += wholeBlocks(blocks[i]->size);
        } else {
            offsets.push_back(slots.back());
            slots.pop_back();
        }
        ends.emplace(blocks[i]->died, i);
    }
    return end;
}

/// The region of blocks that are in one place.
Region regionOf(const std::string& name, std::uint64_t base, std::uint64_t bytes, const Object& block, bool areRows) {
    Region region{.name = name, .base = ByteAddress{base}, .size = bytes, .type = block.type};
    if (block.type == nullptr) return region;
    region.elementSize = block.type->size;
    const std::uint64_t columns = block.size / region.elementSize;
    const std::uint64_t blocks = bytes / wholeBlocks(block.size);
    const bool isWhole = block.size % region.elementSize == 0 && block.size % kBlock == 0;
    if (areRows && isWhole && columns > 1 && blocks > 1) {
        region.rows = blocks;
        region.columns = columns;
    } else if (bytes / region.elementSize > 1 && isWhole) {
        region.rows = bytes / region.elementSize;
    }
    return region;
}

/// The end of all memory that has a name or an object.
std::uint64_t endOfMemory(const std::vector<Region>& regions, const std::vector<Object>& objects) {
    std::uint64_t end = 0;
    for (const Region& r : regions) end = std::max(end, extentOf(r).to);
    for (const Object& o : objects) {
        if (o.size > 0) end = std::max(end, extentOf(o).to);
    }
    return end;
}

/// A region that has lost its name to memory in another place.
void giveUpName(std::vector<Region>& regions, const std::string& name) {
    for (Region& r : regions) {
        if (r.name == name) r.name += ", where it was";
    }
}

}  // namespace

Relocation::Relocation(std::vector<Object> objects, std::vector<Move> moves)
    : objects_(std::move(objects)), moves_(std::move(moves)), index_(objects_) {
    for (const Object& o : objects_) {
        lowest_ = std::min(lowest_, o.base.value);
        highest_ = std::max(highest_, o.base.value + (o.size - 1));
    }
}

void Relocation::apply(std::span<PackedAccess> accesses, Tick first) const {
    const Object* recent = nullptr;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const ByteAddress address = accesses[i].address();
        if (address.value < lowest_ || address.value > highest_) continue;
        const Tick tick{first.value + i};
        if (recent == nullptr || !recent->contains(address, tick)) recent = index_.find(objects_, address, tick);
        if (recent == nullptr) continue;
        const Move& move = moves_[static_cast<std::size_t>(recent - objects_.data())];
        std::uint64_t offset = address.value - recent->base.value;
        const bool copies = tick >= move.copiedFrom || (offset < move.filled && tick < move.filledUntil);
        if (copies) offset %= kBlock;
        accesses[i] = PackedAccess(ByteAddress{move.to + offset}, accesses[i].site(), accesses[i].rest());
    }
}

Relocation Relocation::with(const Relocation& earlier) const {
    std::vector<Object> objects = earlier.objects_;
    std::vector<Move> moves = earlier.moves_;
    objects.insert(objects.end(), objects_.begin(), objects_.end());
    moves.insert(moves.end(), moves_.begin(), moves_.end());
    return {std::move(objects), std::move(moves)};
}

Expected<std::shared_ptr<const Relocation>> relocated(const LayoutChange& change, std::vector<Region>& regions,
                                                      std::vector<Object>& objects, const std::string& trace) {
    std::vector<const Object*> blocks;
    for (const Object& o : objects) {
        if (isBlockOf(o, change.thing)) blocks.push_back(&o);
    }
    if (blocks.empty()) {
        return fail(trace, fmt::format("no variable {} has blocks of the heap", quotedText(change.thing)),
                    "name one whose blocks the trace knows");
    }
    std::stable_sort(blocks.begin(), blocks.end(), [](const Object* a, const Object* b) { return a->born < b->born; });
    const bool isReserved = change.kind == LayoutChange::Kind::reserve;
    const Object& largest =
        **std::max_element(blocks.begin(), blocks.end(), [](auto* a, auto* b) { return a->size < b->size; });
    const bool areRows =
        std::all_of(blocks.begin(), blocks.end(), [&](const Object* o) { return o->size == largest.size; });
    std::vector<std::uint64_t> to(isReserved ? blocks.size() : 0);
    const std::uint64_t bytes = isReserved ? largest.size : placeInPool(blocks, to);
    if (endOfMemory(regions, objects) > ~std::uint64_t{0} - 3 * kArena - bytes) {
        return fail(trace, fmt::format("there is no room for {} behind all other memory", quotedText(change.thing)),
                    "change something else");
    }
    const std::uint64_t base =
        (endOfMemory(regions, objects) / kArena + 1) * kArena + blocks.front()->base.value % kArena;
    std::vector<Object> moved;
    std::vector<Relocation::Move> moves;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        moved.push_back(*blocks[i]);
        Relocation::Move& move = moves.emplace_back(Relocation::Move{.to = base + to[i]});
        const bool grows = i > 0 && blocks[i - 1]->size < blocks[i]->size && blocks[i - 1]->died <= blocks[i]->died;
        if (!isReserved || !grows) continue;
        moves[i - 1].copiedFrom = blocks[i]->born;
        move.filledUntil = blocks[i - 1]->died;
        move.filled = blocks[i - 1]->size;
    }
    giveUpName(regions, change.thing);
    regions.push_back(regionOf(change.thing, base, bytes, largest, areRows && !isReserved));

    Object whole = largest;
    whole.name = change.thing;
    whole.base = ByteAddress{base};
    whole.size = bytes;
    whole.born = blocks.front()->born;
    for (const Object* o : blocks) whole.died = std::max(whole.died, o->died);
    std::erase_if(objects, [&](const Object& o) { return isBlockOf(o, change.thing); });
    objects.push_back(std::move(whole));
    return std::make_shared<const Relocation>(std::move(moved), std::move(moves));
}

}  // namespace whorl::sim
