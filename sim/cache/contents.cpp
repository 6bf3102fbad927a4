#include "sim/cache/contents.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.h"

namespace whorl::sim {

namespace {

/// The state of a copy after Papamarcos and Patel, ISCA 1984. Without an exclusive state (MSI), what may be written is
/// modified.
char stateOf(const Line& line, Protocol protocol) {
    if (!line.valid) return 'I';
    if (line.dirty || (line.owned && protocol == Protocol::msi)) return 'M';
    return line.owned ? 'E' : 'S';
}

}  // namespace

std::vector<Store> storesOf(const MachineConfig& machine) {
    std::vector<Store> stores;
    const auto add = [&](Store::Kind kind, std::size_t level, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            stores.push_back({kind, static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(i)});
        }
    };
    if (machine.tlb.entries > 0) add(Store::Kind::tlb, 0, machine.cpus);
    for (std::size_t l = 0; l < machine.levels.size(); ++l) add(Store::Kind::cache, l, machine.caches(l));
    if (machine.memory.isBounded()) add(Store::Kind::pages, 0, 1);
    return stores;
}

bool has(const MachineConfig& machine, const Store& store) {
    switch (store.kind) {
        case Store::Kind::cache:
            return store.level < machine.levels.size() && store.cache < machine.caches(store.level);
        case Store::Kind::tlb:
            return machine.tlb.entries > 0 && store.cache < machine.cpus;
        case Store::Kind::pages:
            return machine.memory.isBounded();
    }
    return false;
}

std::string nameOf(const Store& store, const MachineConfig& machine) {
    if (store.kind == Store::Kind::pages) return "memory";
    const bool isTlb = store.kind == Store::Kind::tlb;
    std::string name = isTlb ? "TLB" : machine.levels[store.level].name;
    const std::uint32_t caches = isTlb ? machine.cpus : machine.caches(store.level);
    if (caches == 1) return name;
    return fmt::format("{} of CPU {}", name, isTlb ? store.cache : machine.firstCpu(store.level, store.cache));
}

std::string wordOf(const Store& store, const MachineConfig& machine) {
    if (store.kind == Store::Kind::pages) return "pages";
    const bool isTlb = store.kind == Store::Kind::tlb;
    const std::string name = isTlb ? "tlb" : machine.levels[store.level].name;
    const std::uint32_t cpu = isTlb ? store.cache : machine.firstCpu(store.level, store.cache);
    return cpu == 0 ? name : fmt::format("{}@{}", name, cpu);
}

Expected<Store> storeNamed(std::string_view word, const MachineConfig& machine) {
    const std::size_t at = std::min(word.find('@'), word.size());
    const auto cpu = at == word.size() ? std::optional<std::uint64_t>(0) : wholeNumber(word.substr(at + 1));
    const std::string_view name = word.substr(0, at);
    std::string all;
    for (const Store& store : storesOf(machine)) {
        const std::string known = wordOf(store, machine);
        all += (all.empty() ? "" : ", ") + known;
        if (!sameName(std::string_view(known).substr(0, known.find('@')), name) || !cpu || *cpu >= machine.cpus)
            continue;
        const auto number = static_cast<std::uint32_t>(*cpu);
        if (store.kind == Store::Kind::cache && machine.cacheOf(store.level, number) != store.cache) continue;
        if (store.kind == Store::Kind::tlb && number != store.cache) continue;
        if (store.kind == Store::Kind::pages && at != word.size()) continue;
        return store;
    }
    return fail("", fmt::format("\"{}\" is no cache, TLB or memory of this machine", word),
                all.empty() ? "this machine has none" : "use one of " + all);
}

Contents::Contents(const Hierarchy& hierarchy, const Store& store)
    : hierarchy_(&hierarchy),
      store_(store),
      cache_(store.kind == Store::Kind::cache ? &hierarchy.cache(store.level, store.cache)
             : store.kind == Store::Kind::tlb ? hierarchy.tlb(store.cache)
                                              : nullptr),
      pages_(store.kind == Store::Kind::pages ? hierarchy.pages() : nullptr) {}

std::uint64_t Contents::block() const {
    return std::uint64_t{1} << (cache_ != nullptr ? cache_->blockShift() : pages_->pageShift());
}

std::optional<WayIndex> Contents::find(BlockAddress b) const {
    const std::uint32_t way = cache_ != nullptr ? cache_->find(b) : pages_->find(b);
    static_assert(Cache::kNoWay == PageTable::kNoFrame);
    return way == Cache::kNoWay ? std::nullopt : std::optional(WayIndex{way});
}

std::vector<WayContents> Contents::set(SetIndex set) const {
    if (cache_ == nullptr) return frames();
    const bool isCoherent = store_.kind == Store::Kind::cache && hierarchy_->machine().isCoherent(store_.level);
    std::vector<WayContents> ways;
    ways.reserve(cache_->ways());
    for (const Line& line : cache_->lines(set)) {
        const WayIndex way{static_cast<std::uint32_t>(ways.size())};
        WayContents& added = ways.emplace_back();
        added.valid = line.valid;
        added.dirty = line.dirty;
        added.prefetched = line.prefetched;
        added.block = line.block;
        added.rank = line.rank;
        const bool isKept = policy() == Policy::treePlru ? way.value > 0 : line.valid;
        if (isKept && !rowOf(policy()).kept.empty()) added.kept = cache_->policyState(set, way);
        if (isCoherent) added.state = stateOf(line, hierarchy_->machine().protocol);
    }
    return ways;
}

std::vector<WayContents> Contents::frames() const {
    std::vector<WayContents> frames(pages_->held());
    for (std::uint32_t f = 0; f < pages_->held(); ++f) {
        frames[f].valid = true;
        frames[f].dirty = pages_->isDirty(f);
        frames[f].block = pages_->pageIn(f);
    }
    std::uint32_t rank = 0;
    for (const std::uint32_t f : pages_->byUse()) frames[f].rank = rank++;
    return frames;
}

}  // namespace whorl::sim
