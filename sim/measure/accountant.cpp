#include "sim/measure/accountant.h"

#include <algorithm>

namespace whorl::sim {

namespace {

/// A level and two places in a list of regions or objects, as one number.
std::uint64_t packed(std::uint32_t level, std::uint32_t culprit, std::uint32_t victim) {
    return std::uint64_t{level} << 60 | std::uint64_t{culprit} << 30 | victim;
}

Conflicts unpacked(const std::unordered_map<std::uint64_t, std::uint64_t>& pairs) {
    constexpr std::uint64_t kPlace = (std::uint64_t{1} << 30) - 1;
    Conflicts conflicts;
    for (const auto& [key, count] : pairs) {
        conflicts[{.level = static_cast<std::uint32_t>(key >> 60),
                   .culprit = static_cast<std::uint32_t>(key >> 30 & kPlace),
                   .victim = static_cast<std::uint32_t>(key & kPlace)}] = count;
    }
    return conflicts;
}

}  // namespace

Accountant::Accountant(const MachineConfig& machine, const Trace& trace)
    : machine_(machine),
      trace_(trace),
      hasObjects_(!trace.objects().empty()),
      classifier_(std::in_place, machine),
      toldSoFar_(machine.levels.size(), 0),
      kinds_(machine.levels.size()),
      ledger_(machine, trace),
      shares_(machine.levels.size()) {
    std::size_t caches = 0;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        first_.push_back(caches);
        caches += machine.caches(l);
    }
}

Accountant::Accountant(const MachineConfig& machine, const Trace& trace, const std::vector<MissKindList>& kinds,
                       std::vector<std::uint64_t> missed)
    : Accountant(machine, trace) {
    classifier_.reset();
    told_ = &kinds;
    toldSoFar_ = std::move(missed);
}

/// The number of a block, of which there is a row from now on.
std::uint32_t Accountant::placeOf(BlockAddress block) {
    const std::uint32_t id = blockIds().of(block);
    if (id < blocks_.size()) return id;
    while (id >= blocks_.size()) {
        const auto next = static_cast<std::uint32_t>(blocks_.size());
        blocks_.push_back({.region = soleRegionOf(blockIds().block(next))});
    }
    blockMisses_.resize(blocks_.size() * machine_.levels.size());
    return id;
}

/// The region that has all of a block of the nearest level's size, or kMixed.
std::uint32_t Accountant::soleRegionOf(BlockAddress block) const {
    const std::uint64_t size = machine_.levels[0].block;
    const ByteAddress base{block.value * size};
    const std::size_t region = trace_.regionAt(base);
    const auto& regions = trace_.regions();
    const bool isWhole = region < regions.size() && regions[region].contains(ByteAddress{base.value + (size - 1)});
    return isWhole ? static_cast<std::uint32_t>(region) : kMixed;
}

Blame Accountant::blameFor(ByteAddress address, SiteId site, std::uint64_t tick) const {
    Blame blame{.site = site.value,
                .region = static_cast<std::uint32_t>(trace_.regionAt(address)),
                .object = static_cast<std::uint32_t>(trace_.objects().size())};
    if (hasObjects_) {
        const Object* object = trace_.objectAt(address, Tick{tick});
        if (object != nullptr) blame.object = static_cast<std::uint32_t>(object - trace_.objects().data());
    }
    return blame;
}

void Accountant::take(Tick first, std::span<const PackedAccess> accesses, const EventList& events) {
    const Event* e = events.begin();
    const Event* const end = events.end();
    const unsigned shift = static_cast<unsigned>(std::countr_zero(machine_.levels[0].block));
    const bool isSimple = !hasObjects_ && (!classifier_ || !classifier_->isShared());
    std::uint64_t simple = 0;
    turned_.clear();
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const PackedAccess& access = accesses[i];
        // The usual case: one event, a hit in the nearest level.
        const bool isHit = e != end && e->access == i && e->kind == EventKind::hit && e->level == 0 && !e->half &&
                           (e + 1 == end || e[1].access != i);
        if (!isSimple || !isHit || access.unrecorded()) {
            e = takeAccess(access, static_cast<std::uint32_t>(i), first.value + i, e, end);
            continue;
        }
        Block& block = blockOf(*e, access, shift);
        ++block.accesses;
        const std::size_t region = block.region != kMixed ? block.region : trace_.regionAt(access.address());
        ledger_.regions.addAccess(region);
        ledger_.sites.addAccess(access.site().value);
        ledger_.cpus.addAccess(access.cpu());
        ++ledger_.sets[e->cache][e->set.value].requests;
        if (classifier_) classifier_->hitNearest(e->cache, e->set, e->way);
        ++simple;
        ++e;
    }
    ledger_.objects.add(trace_.objects().size(), simple, 0);
    shares_[0].requests += simple;
    shares_[0].hits += simple;
    accesses_ += simple;
}

/// The block of an access that hits in the nearest level. Where there is a classifier, it knows which that is.
inline Accountant::Block& Accountant::blockOf(const Event& hit, const PackedAccess& access, unsigned shift) {
    if (classifier_) {
        const std::uint32_t id = classifier_->idNearest(hit.cache, hit.set, hit.way);
        if (id < blocks_.size()) return blocks_[id];
    }
    return blockAt(BlockAddress{access.address().value >> shift});
}

/// Takes one access with all its events, from `e` on if it has any; gives where the next one's begin. `place`: of the
/// access in its batch.
const Event* Accountant::takeAccess(const PackedAccess& packedAccess, std::uint32_t place, std::uint64_t tick,
                                    const Event* e, const Event* end) {
    const Access access = packedAccess.unpack();
    Blame blame = blameFor(access.address, access.site, tick);
    blame.cpu = access.cpu;
    const BlockAddress first{access.address.value / machine_.levels[0].block};
    Cycles cost = 0;
    if (classifier_) classifier_->begin(access, tick);
    for (; e != end && e->access == place; ++e) {
        Blame whose = blame;
        BlockAddress missed = first;
        if (e->kind == EventKind::miss && !e->demand) {
            const std::uint64_t size = machine_.levels[e->level].block;
            whose.region = regionOfBlock(trace_, ByteAddress{e->block.value * size}, size);
            missed = BlockAddress{e->block.value * size / machine_.levels[0].block};
        }
        const MissKind kind = kindOf(*e, whose);
        if (access.unrecorded) continue;
        cost += costOf(*e, machine_);
        if (e->kind == EventKind::hit && !e->half) {
            ++ledger_.sets[first_[e->level] + e->cache][e->set.value].requests;
            ++shares_[e->level].requests;
            ++shares_[e->level].hits;
        }
        if (Note::isWorthy(*e)) note(*e, e->kind == EventKind::miss ? whose : blame, tick);
        if (e->kind == EventKind::miss) takeMiss(*e, whose, placeOf(missed), kind);
        if (e->kind == EventKind::eviction) takeEviction(*e, blame, tick);
    }
    if (classifier_) {
        classifier_->end();
        settle();
    }
    if (access.unrecorded) return e;
    const std::uint64_t counts = access.modify && machine_.conventions.modifyCountsOnce ? 0 : 1;
    const Cycles more = cost - counts * machine_.levels[0].latency;
    Block& block = blockAt(first);
    block.accesses += static_cast<std::uint32_t>(counts);
    block.more += more;
    more_ += more;
    accesses_ += counts;
    ledger_.sites.add(blame.site, counts, more);
    ledger_.regions.add(blame.region, counts, more);
    ledger_.objects.add(blame.object, counts, more);
    ledger_.cpus.add(blame.cpu, counts, more);
    return e;
}

MissKind Accountant::kindOf(const Event& e, const Blame& blame) {
    if (!classifier_) {
        if (e.kind != EventKind::miss) return {};
        // Of accesses that were played since the kinds were listed, the kind is not known yet.
        const std::uint64_t miss = toldSoFar_[e.level]++;
        const MissKindList& kinds = (*told_)[e.level];
        return miss < kinds.size() ? kinds[miss] : MissKind::compulsory;
    }
    const MissKind kind = classifier_->take(e, blame);
    if (e.kind == EventKind::miss) kinds_[e.level].add(kind);
    return kind;
}

void Accountant::takeMiss(const Event& e, const Blame& blame, std::uint32_t block, MissKind kind) {
    SetTally& set = ledger_.sets[first_[e.level] + e.cache][e.set.value];
    ++set.requests;
    ++set.misses[static_cast<std::size_t>(kind)];
    ++shares_[e.level].requests;
    ++shares_[e.level].misses[static_cast<std::size_t>(kind)];
    ledger_.sites.addMiss(blame.site, e.level, kind);
    ledger_.regions.addMiss(blame.region, e.level, kind);
    ledger_.objects.addMiss(blame.object, e.level, kind);
    ledger_.cpus.addMiss(blame.cpu, e.level, kind);
    ++blockMisses_[block * machine_.levels.size() + e.level];
}

void Accountant::takeEviction(const Event& e, const Blame& blame, std::uint64_t tick) {
    ++ledger_.sets[first_[e.level] + e.cache][e.set.value].evictions;
    const std::uint64_t size = machine_.levels[e.level].block;
    const ByteAddress base{e.block.value * size};
    ++regionPairs_[packed(e.level, blame.region, regionOfBlock(trace_, base, size))];
    if (!hasObjects_) return;
    const Blame victim = blameFor(base, SiteId{}, tick);
    ++objectPairs_[packed(e.level, blame.object, victim.object)];
}

/// Misses that a word has now proved to be by true sharing.
void Accountant::settle() {
    for (const Classifier::Resolved& r : classifier_->resolved()) {
        kinds_[r.level].change(r.miss, MissKind::trueSharing);
        if (!r.counted) continue;
        turned_.push_back(r);
        --shares_[r.level].misses[static_cast<std::size_t>(MissKind::falseSharing)];
        ++shares_[r.level].misses[static_cast<std::size_t>(MissKind::trueSharing)];
        SetTally& set = ledger_.sets[first_[r.level] + r.cache][r.set.value];
        --set.misses[static_cast<std::size_t>(MissKind::falseSharing)];
        ++set.misses[static_cast<std::size_t>(MissKind::trueSharing)];
        ledger_.sites.turnTrue(r.blame.site, r.level);
        ledger_.regions.turnTrue(r.blame.region, r.level);
        ledger_.objects.turnTrue(r.blame.object, r.level);
        ledger_.cpus.turnTrue(r.blame.cpu, r.level);
    }
}

void Accountant::note(const Event& e, const Blame& blame, std::uint64_t tick) {
    notes_.push_back({.access = static_cast<std::uint32_t>(tick % Trace::kChunk),
                      .kind = e.kind,
                      .level = e.level,
                      .cache = e.cache,
                      .cause = e.cause,
                      .region = blame.region,
                      .block = e.block});
}

std::vector<std::uint64_t> Accountant::missed() const {
    std::vector<std::uint64_t> missed(machine_.levels.size());
    for (std::size_t l = 0; l < missed.size(); ++l) missed[l] = classifier_ ? classifier_->misses(l) : toldSoFar_[l];
    return missed;
}

void Accountant::sumUp(Overview::Sums& sums) const {
    sums.levels = shares_;
    sums.regions.resize(ledger_.regions.rows());
    for (std::size_t r = 0; r < sums.regions.size(); ++r) sums.regions[r] = ledger_.regions.accesses(r);
    sums.cycles = more_ + accesses_ * machine_.levels[0].latency;
}

Ledger Accountant::ledger() const {
    Ledger out = ledger_;
    const Cycles look = machine_.levels[0].latency;
    const std::size_t levels = machine_.levels.size();
    for (TallyTable* table : {&out.sites, &out.regions, &out.objects, &out.cpus}) {
        for (std::size_t row = 0; row < table->rows(); ++row) table->add(row, 0, table->accesses(row) * look);
    }
    for (std::uint32_t id = 0; id < blocks_.size(); ++id) {
        const Block& b = blocks_[id];
        BlockCost cost{.accesses = b.accesses, .cycles = b.more + b.accesses * look};
        for (std::size_t l = 0; l < levels; ++l) cost.misses[l] = blockMisses_[id * levels + l];
        if (cost != BlockCost{}) out.blocks.emplace(blockIds().block(id), cost);
    }
    out.regionConflicts = unpacked(regionPairs_);
    out.objectConflicts = unpacked(objectPairs_);
    return out;
}

}  // namespace whorl::sim
