#include "sim/replay/totals/ledger_builder.h"

#include <algorithm>

namespace whorl::sim {

namespace {

/// The total of a row in a table that stores each row twice.
std::uint64_t hitsOf(const std::vector<std::uint64_t>& twice, std::size_t row) {
    return twice[2 * row] + twice[2 * row + 1];
}

/// Stands in for the shadow if no fully associative cache is simulated.
struct NoShadow {
    struct Uses {
        explicit Uses(NoShadow&) {}
        bool holds(std::uint32_t) const { return true; }
        void add(std::uint32_t) {}
    };
};
/// Stands in for BlockUse if the use of blocks is not tracked.
struct NoUse {
    void add(std::uint32_t, const PackedAccess&) {}
};

}  // namespace

/// `determines`: what is known only later.
LedgerBuilder::LedgerBuilder(const MachineConfig& machine, const Trace& trace, bool determines)
    : machine_(machine),
      trace_(trace),
      hasObjects_(!trace.objects().empty()),
      recentObjects_(trace),
      isSimple_(!machine.levels.empty() && machine.cpus == 1),
      blockShift_(static_cast<unsigned>(std::countr_zero(machine.blockBytes()))),
      kinds_(machine.levels.size()),
      ledger_(machine, trace),
      ways_(isSimple_ ? machine.levels[0].blocks() : 0),
      regionPairs_(machine.levels.size(), trace.regions().size() + 1),
      shares_(machine.levels.size()),
      regionHits_(2 * (trace.regions().size() + 1), 0),
      siteHits_(2 * trace.sites().size(), 0),
      objectHits_(hasObjects_ ? trace.objects().size() : 0, 0),
      otherHits_(hasObjects_ ? trace.regions().size() + 1 : 0, 0) {
    std::size_t caches = 0;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        first_.push_back(caches);
        caches += machine.caches(l);
        uses_.emplace_back(machine.levels[l].block);
        while (determines && filled_.size() < caches) filled_.emplace_back(machine.levels[l].blocks());
    }
    if (!determines) return;
    classifier_.emplace(machine);
    use_.emplace(machine);
}

LedgerBuilder::LedgerBuilder(const MachineConfig& machine, const Trace& trace) : LedgerBuilder(machine, trace, true) {}

LedgerBuilder::LedgerBuilder(const MachineConfig& machine, const Trace& trace, MissKindReader kinds, StayUseReader uses)
    : LedgerBuilder(machine, trace, false) {
    known_ = std::move(kinds);
    knownUses_ = std::move(uses);
}

/// The number of a block of the nearest level's size; adds it if it has none.
std::uint32_t LedgerBuilder::placeOf(BlockAddress block) {
    if (block == lastBlock_ && lastPlace_ != BlockIds::kNone) return lastPlace_;
    const std::uint32_t id = blockIds().of(block);
    lastBlock_ = block;
    lastPlace_ = id;
    while (id >= soleRegions_.size()) {
        const auto next = static_cast<std::uint32_t>(soleRegions_.size());
        soleRegions_.push_back(soleRegionOf(blockIds().block(next)));
    }
    return id;
}

/// The region that contains all of a block of the nearest level's size, or kMixed.
std::uint32_t LedgerBuilder::soleRegionOf(BlockAddress block) const {
    const std::uint64_t size = machine_.blockBytes();
    const ByteAddress base{block.value * size};
    const std::size_t region = trace_.regionAt(base);
    const auto& regions = trace_.regions();
    const bool isWhole = region < regions.size() && regions[region].contains(ByteAddress{base.value + (size - 1)});
    return isWhole ? static_cast<std::uint32_t>(region) : kMixed;
}

Attribution LedgerBuilder::attributionOf(ByteAddress address, SiteId site, std::uint64_t tick) {
    const auto region = static_cast<std::uint32_t>(trace_.regionAt(address));
    Attribution source{.site = site.value,
                       .region = region,
                       .owner = trace_.owners().ofRegion(region),
                       .object = static_cast<std::uint32_t>(trace_.objects().size())};
    if (hasObjects_) attributeToObject(source, address, tick);
    return source;
}

/// Attributes something to the object that holds an address, if one does.
void LedgerBuilder::attributeToObject(Attribution& whose, ByteAddress address, std::uint64_t tick) {
    whose.object = static_cast<std::uint32_t>(trace_.objects().size());
    const Object* const object = recentObjects_.at(address, Tick{tick});
    if (object == nullptr) return;
    whose.object = static_cast<std::uint32_t>(object - trace_.objects().data());
    whose.owner = trace_.ownerOf(*object);
}

void LedgerBuilder::take(const Batch& batch) {
    const std::span<const PackedAccess> accesses = batch.accesses;
    const Event* e = batch.events.begin();
    const Event* const end = batch.events.end();
    const std::span<const std::uint32_t> hits = batch.events.hits();
    const bool isSimple = isSimple_ && !hits.empty();
    turned_.clear();
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        if (isSimple) {
            i += takeHits(accesses.subspan(i), hits.subspan(i), batch.first.value + i);
            if (i == accesses.size()) break;
        }
        const auto place = static_cast<std::uint32_t>(i);
        if (!hits.empty() && hits[i] != EventList::kNoHit) {
            const Event hit = batch.hitAt(i);
            takeAccess(accesses[i], place, batch.first.value + i, &hit, &hit + 1);
        } else if (isSimple && !accesses[i].unrecorded()) {
            e = takePlainAccess(accesses[i], place, batch.first.value + i, e, end);
        } else {
            e = takeAccess(accesses[i], place, batch.first.value + i, e, end);
        }
    }
}

/// Takes the leading accesses that only hit in the nearest level, which most do; returns their number.
std::size_t LedgerBuilder::takeHits(std::span<const PackedAccess> accesses, std::span<const std::uint32_t> hits,
                                    std::uint64_t tick) {
    NoShadow none;
    std::size_t taken = 0;
    for (;;) {
        taken += classifier_ ? takePlainHits(accesses.subspan(taken), hits.subspan(taken), classifier_->nearestShadow(),
                                             BlockUse::NearestHits(*use_))
                             : takePlainHits(accesses.subspan(taken), hits.subspan(taken), none, NoUse{});
        if (taken == accesses.size() || hits[taken] == EventList::kNoHit) break;
        takeOtherHit(accesses[taken], hits[taken]);
        ++taken;
    }
    simpleHits_ += taken;
    if (hasObjects_) takeObjectHits(accesses.first(taken), hits, tick);
    return taken;
}

/// Counts simple hits by the objects that hold their memory.
void LedgerBuilder::takeObjectHits(std::span<const PackedAccess> accesses, std::span<const std::uint32_t> hits,
                                   std::uint64_t tick) {
    const Object* const objects = trace_.objects().data();
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const ByteAddress address = accesses[i].address();
        if (const Object* const object = recentObjects_.at(address, Tick{tick + i})) {
            ++objectHits_[static_cast<std::size_t>(object - objects)];
        } else {
            const std::uint32_t sole = ways_[hits[i]].region;
            ++otherHits_[sole != kMixed ? sole : trace_.regionAt(address)];
        }
    }
}

/// Takes the leading hits whose block is in one region and held by the fully associative cache, so that nothing is
/// unknown. This is the hot loop: everything that can be computed later is left to `ledger`, and no function is called,
/// which would cost registers.
template <class AnyShadow, class AnyUse>
std::size_t LedgerBuilder::takePlainHits(std::span<const PackedAccess> accesses, std::span<const std::uint32_t> hits,
                                         AnyShadow& shadow, AnyUse use) {
    Way* const ways = ways_.data();
    std::uint64_t* const regionHits = regionHits_.data();
    std::uint64_t* const siteHits = siteHits_.data();
    typename AnyShadow::Uses uses(shadow);
    std::size_t i = 0;
    for (; i < accesses.size() && hits[i] != EventList::kNoHit; ++i) {
        Way& way = ways[hits[i]];
        const std::size_t region = way.region;
        if (region == kMixed || !uses.holds(way.id)) [[unlikely]] {
            break;
        }
        uses.add(way.id);
        use.add(hits[i], accesses[i]);
        ++way.hits;
        ++siteHits[2 * std::size_t{accesses[i].site().value} + i % 2];
        ++regionHits[2 * region + i % 2];
    }
    return i;
}

/// Takes any other hit.
void LedgerBuilder::takeOtherHit(const PackedAccess& access, std::uint32_t slot) {
    Way& way = ways_[slot];
    const std::size_t region = regionOfHit(way, access);
    if (classifier_) {
        classifier_->nearestShadow().use(way.id);
        BlockUse::NearestHits(*use_).add(slot, access);
    }
    ++way.hits;
    ++siteHits_[2 * std::size_t{access.site().value}];
    ++regionHits_[2 * region];
}

/// The region of a hit in a way whose block spans several regions or is unknown yet.
std::size_t LedgerBuilder::regionOfHit(Way& way, const PackedAccess& access) {
    if (way.id == BlockIds::kNone) {
        way.id = placeOf(BlockAddress{access.address().value / machine_.blockBytes()});
        way.region = soleRegions_[way.id];
    }
    return way.region != kMixed ? way.region : trace_.regionAt(access.address());
}

/// Takes a fill into the nearest level.
void LedgerBuilder::takeFill(const Event& fill) {
    const std::uint32_t id = placeOf(fill.block);
    Way& way = ways_[std::size_t{fill.set.value} * machine_.levels[0].ways + fill.way.value];
    ledger_.sets[0][fill.set.value].requests += way.hits;
    way = {.id = id, .region = soleRegions_[id]};
}

/// Takes one access with all its events, starting at `e` if it has any; returns the start of the next access's events.
/// `place` is the batch index of the access.
const Event* LedgerBuilder::takeAccess(const PackedAccess& packedAccess, std::uint32_t place, std::uint64_t tick,
                                       const Event* e, const Event* end) {
    const Access access = packedAccess.unpack();
    Attribution source = attributionOf(access.address, access.site, tick);
    source.cpu = access.cpu;
    Cycles cost = 0;
    if (classifier_) classifier_->begin(access, tick);
    if (use_) use_->begin(access);
    for (; e != end && e->access == place; ++e) {
        Attribution whose = source;
        if (e->kind == EventKind::miss && !e->demand) {
            const std::uint64_t size = machine_.levels[e->level].block;
            attributeBlock(whose, ByteAddress{e->block.value * size}, size, tick);
        }
        takeUse(*e, access, source, tick);
        const MissKind kind = kindOf(*e, whose);
        if (e->kind == EventKind::fill && e->level == 0 && isSimple_) takeFill(*e);
        if (access.unrecorded) continue;
        cost += costOf(*e, machine_);
        if (e->kind == EventKind::hit && e->counts()) {
            ++ledger_.sets[first_[e->level] + e->cache][e->set.value].requests;
            ++shares_[e->level].requests;
            ++shares_[e->level].hits;
        }
        if (IndexEntry::isIndexed(*e)) index(*e, e->kind == EventKind::miss ? whose.region : source.region, tick);
        if (e->kind == EventKind::miss && e->counts()) takeMiss(*e, whose, kind);
        if (e->kind == EventKind::eviction) takeEviction(*e, source);
    }
    if (use_) use_->end();
    if (classifier_) {
        classifier_->end();
        takeResolved();
    }
    if (access.unrecorded) return e;
    const std::uint64_t counts = countOf(access, machine_);
    const Cycles more = penaltyOf(cost, access, machine_);
    more_ += more;
    accesses_ += counts;
    ledger_.sites.add(source.site, counts, more);
    ledger_.owners.add(source.owner, counts, more);
    if (hasObjects_) regionHits_[2 * std::size_t{source.region}] += counts;
    if (hasObjects_ || !isSimple_) ledger_.objects.add(source.object, counts, more);
    if (!isSimple_) ledger_.cpus.add(source.cpu, counts, more);
    return e;
}

const Event* LedgerBuilder::takePlainAccess(const PackedAccess& packed, std::uint32_t place, std::uint64_t tick,
                                            const Event* e, const Event* end) {
    const Access access = packed.unpack();
    const std::uint32_t sole = soleRegions_[placeOf(BlockAddress{access.address.value >> blockShift_})];
    const std::uint32_t region = sole != kMixed ? sole : static_cast<std::uint32_t>(trace_.regionAt(access.address));
    Attribution source{.site = access.site.value, .region = region, .owner = trace_.owners().ofRegion(region)};
    if (hasObjects_) attributeToObject(source, access.address, tick);
    Cycles cost = 0;
    if (use_) use_->begin(access);
    for (; e != end && e->access == place; ++e) {
        cost += costOf(*e, machine_);
        takeUse(*e, access, source, tick);
        switch (e->kind) {
            case EventKind::hit:
                takePlainHit(*e);
                break;
            case EventKind::miss:
                if (e->demand) {
                    takePlainMiss(*e, source, tick);
                } else {
                    takeWritebackMiss(*e, source, tick);
                }
                break;
            case EventKind::eviction:
                takePlainEviction(*e, source, tick);
                break;
            case EventKind::fill:
                if (classifier_) classifier_->fillPlainly(*e);
                if (e->level == 0) takeFill(*e);
                break;
            case EventKind::invalidation:
                index(*e, source.region, tick);
                break;
            default:
                break;
        }
    }
    if (use_) use_->end();
    const Cycles more = cost - machine_.lookUp();
    more_ += more;
    ++accesses_;
    ledger_.sites.add(source.site, 1, more);
    ledger_.owners.add(source.owner, 1, more);
    if (hasObjects_) {
        ++regionHits_[2 * std::size_t{source.region}];
        ledger_.objects.add(source.object, 1, more);
    }
    return e;
}

void LedgerBuilder::takePlainHit(const Event& e) {
    if (classifier_) classifier_->hitPlainly(e);
    ++ledger_.sets[e.level][e.set.value].requests;
    ++shares_[e.level].requests;
    ++shares_[e.level].hits;
}

void LedgerBuilder::takePlainMiss(const Event& e, const Attribution& source, std::uint64_t tick) {
    MissKind kind{};
    if (classifier_) {
        kind = classifier_->missPlainly(e);
        kinds_[e.level].add(kind);
    } else {
        kind = known_->next(e.level);
    }
    index(e, source.region, tick);
    takeMiss(e, source, kind);
}

/// Takes a miss of a write-back, which is attributed to the region that is written back.
void LedgerBuilder::takeWritebackMiss(const Event& e, Attribution source, std::uint64_t tick) {
    const std::uint64_t size = machine_.levels[e.level].block;
    attributeBlock(source, ByteAddress{e.block.value * size}, size, tick);
    takePlainMiss(e, source, tick);
}

void LedgerBuilder::takePlainEviction(const Event& e, const Attribution& source, std::uint64_t tick) {
    index(e, source.region, tick);
    ++ledger_.sets[e.level][e.set.value].evictions;
    regionPairs_.add(e.level, source.region, regionOfVictim(e));
}

/// The region of an evicted block; found without a search if the block is of the nearest level's size and known.
std::uint32_t LedgerBuilder::regionOfVictim(const Event& e) const {
    std::uint32_t region = kMixed;
    if (e.level == 0) {
        region = ways_[std::size_t{e.set.value} * machine_.levels[0].ways + e.way.value].region;
    } else if (classifier_ && classifier_->hasNearestBlocks(e.level)) {
        const std::uint32_t id = classifier_->blockAt(e);
        if (id < soleRegions_.size()) region = soleRegions_[id];
    }
    if (region != kMixed) return region;
    const std::uint64_t size = machine_.levels[e.level].block;
    return regionOfBlock(trace_, ByteAddress{e.block.value * size}, size);
}

/// Tracks the use of blocks, or reads it from a run's lists. A stay belongs to the access that filled the block.
void LedgerBuilder::takeUse(const Event& e, const Access& access, const Attribution& source, std::uint64_t tick) {
    if (knownUses_) {
        if (e.kind != EventKind::fill || access.unrecorded || !knownUses_->isKnown()) return;
        addStay(ledger_, e.level, e.cache, filledBy(e, access, source, tick), knownUses_->next(e.level));
        return;
    }
    use_->take(e, [&](const BlockUse::Stay& stay) {
        if (stay.fill == BlockUse::kUncounted) return;
        uses_[stay.level].set(stay.fill, stay.used);
        addStay(ledger_, stay.level, stay.cache, filled_[first_[stay.level] + stay.cache][stay.slot], stay.used);
    });
    if (e.kind != EventKind::fill) return;
    const std::size_t slot = std::size_t{e.set.value} * machine_.levels[e.level].ways + e.way.value;
    filled_[first_[e.level] + e.cache][slot] = filledBy(e, access, source, tick);
}

/// The attribution of a filled block: that of the access if it touches the block; otherwise a write-back or a prefetch
/// brought the block, and it is attributed to its own region and owner.
Attribution LedgerBuilder::filledBy(const Event& fill, const Access& access, const Attribution& source,
                                    std::uint64_t tick) const {
    const std::uint64_t size = machine_.levels[fill.level].block;
    const ByteAddress base{fill.block.value * size};
    Attribution by = source;
    if (!overlap(access.address, access.size, base, size)) attributeBlock(by, base, size, tick);
    return by;
}

/// Attributes something to the region and the owner of a block.
void LedgerBuilder::attributeBlock(Attribution& whose, ByteAddress base, std::uint64_t size, std::uint64_t tick) const {
    whose.region = regionOfBlock(trace_, base, size);
    whose.owner = trace_.owners().ofRegion(whose.region);
    const Object* const object = hasObjects_ ? trace_.objectAt(base, Tick{tick}) : nullptr;
    if (object != nullptr) whose.owner = trace_.ownerOf(*object);
}

void LedgerBuilder::addStay(Ledger& ledger, std::size_t level, std::size_t cache, const Attribution& by,
                            std::uint32_t used) const {
    const StaySum one{.fills = 1, .usedBytes = used};
    ledger.stays[first_[level] + cache] += one;
    ledger.sites.addStays(by.site, level, one);
    ledger.owners.addStays(by.owner, level, one);
    if (hasObjects_ || !isSimple_) ledger.objects.addStays(by.object, level, one);
    if (!isSimple_) ledger.cpus.addStays(by.cpu, level, one);
}

MissKind LedgerBuilder::kindOf(const Event& e, const Attribution& source) {
    if (!classifier_) {
        return e.kind == EventKind::miss ? known_->next(e.level) : MissKind{};
    }
    const MissKind kind = classifier_->take(e, source);
    if (e.kind == EventKind::miss) kinds_[e.level].add(kind);
    return kind;
}

void LedgerBuilder::takeMiss(const Event& e, const Attribution& source, MissKind kind) {
    SetTally& set = ledger_.sets[first_[e.level] + e.cache][e.set.value];
    ++set.requests;
    ++set.misses[static_cast<std::size_t>(kind)];
    ++shares_[e.level].requests;
    ++shares_[e.level].misses[static_cast<std::size_t>(kind)];
    ledger_.sites.addMiss(source.site, e.level, kind);
    ledger_.owners.addMiss(source.owner, e.level, kind);
    if (hasObjects_ || !isSimple_) ledger_.objects.addMiss(source.object, e.level, kind);
    if (!isSimple_) ledger_.cpus.addMiss(source.cpu, e.level, kind);
}

void LedgerBuilder::takeEviction(const Event& e, const Attribution& source) {
    ++ledger_.sets[first_[e.level] + e.cache][e.set.value].evictions;
    const std::uint64_t size = machine_.levels[e.level].block;
    const ByteAddress base{e.block.value * size};
    regionPairs_.add(e.level, source.region, regionOfBlock(trace_, base, size));
}

/// Takes the misses now proved to be by true sharing.
void LedgerBuilder::takeResolved() {
    for (const Classifier::Resolved& r : classifier_->resolved()) {
        kinds_[r.level].change(r.miss, MissKind::trueSharing);
        if (!r.counted) continue;
        turned_.push_back(r);
        --shares_[r.level].misses[static_cast<std::size_t>(MissKind::falseSharing)];
        ++shares_[r.level].misses[static_cast<std::size_t>(MissKind::trueSharing)];
        SetTally& set = ledger_.sets[first_[r.level] + r.cache][r.set.value];
        --set.misses[static_cast<std::size_t>(MissKind::falseSharing)];
        ++set.misses[static_cast<std::size_t>(MissKind::trueSharing)];
        ledger_.sites.turnTrue(r.source.site, r.level);
        ledger_.owners.turnTrue(r.source.owner, r.level);
        ledger_.objects.turnTrue(r.source.object, r.level);
        ledger_.cpus.turnTrue(r.source.cpu, r.level);
    }
}

void LedgerBuilder::index(const Event& e, std::uint32_t region, std::uint64_t tick) {
    if (entries_ == nullptr) return;
    entries_->push_back({.access = static_cast<std::uint32_t>(tick % Trace::kChunk),
                         .kind = e.kind,
                         .level = e.isInCache() ? e.level : std::uint8_t{0},
                         .cache = e.cache,
                         .cause = e.cause,
                         .region = region,
                         .block = e.block});
}

std::vector<std::uint64_t> LedgerBuilder::missed() const {
    if (known_) return known_->missed();
    std::vector<std::uint64_t> missed(machine_.levels.size());
    for (std::size_t l = 0; l < missed.size(); ++l) missed[l] = classifier_->misses(l);
    return missed;
}

std::vector<StayUseList> LedgerBuilder::uses() {
    std::vector<StayUseList> out = uses_;
    use_->settle();
    use_->forEachOpen([&](const BlockUse::Stay& stay) {
        if (stay.fill != BlockUse::kUncounted) out[stay.level].set(stay.fill, stay.used);
    });
    for (StayUseList& list : out) list.finish();
    return out;
}

void LedgerBuilder::sumUp(Overview::Sums& sums) const {
    sums.levels = shares_;
    if (!sums.levels.empty()) {
        sums.levels[0].requests += simpleHits_;
        sums.levels[0].hits += simpleHits_;
    }
    sums.regions.resize(trace_.regions().size() + 1);
    for (std::size_t r = 0; r < sums.regions.size(); ++r) {
        sums.regions[r] = hitsOf(regionHits_, r) + (hasObjects_ ? 0 : ledger_.owners.accesses(r));
    }
    sums.cycles = more_ + (accesses_ + simpleHits_) * machine_.lookUp();
}

Ledger LedgerBuilder::ledger() {
    Ledger out = ledger_;
    const Cycles lookUp = machine_.lookUp();
    for (std::size_t r = 0; !hasObjects_ && r < out.owners.rows(); ++r) out.owners.add(r, hitsOf(regionHits_, r), 0);
    for (std::size_t r = 0; r < otherHits_.size(); ++r) {
        out.owners.add(trace_.owners().ofRegion(r), otherHits_[r], 0);
        out.objects.add(trace_.objects().size(), otherHits_[r], 0);
    }
    for (std::size_t o = 0; o < objectHits_.size(); ++o) {
        out.owners.add(trace_.owners().ofObject(o), objectHits_[o], 0);
        out.objects.add(o, objectHits_[o], 0);
    }
    for (std::size_t site = 0; site < out.sites.rows(); ++site) out.sites.add(site, hitsOf(siteHits_, site), 0);
    const std::size_t levels = machine_.levels.size();
    if (use_) {
        use_->settle();
        use_->forEachOpen([&](const BlockUse::Stay& stay) {
            if (stay.fill == BlockUse::kUncounted) return;
            addStay(out, stay.level, stay.cache, filled_[first_[stay.level] + stay.cache][stay.slot], stay.used);
        });
    }
    if (isSimple_) {
        for (TallyTable* table : {&out.objects, &out.cpus}) {
            if (table == &out.objects && hasObjects_) continue;
            table->add(0, accesses_ + simpleHits_, more_);
            for (std::size_t l = 0; l < levels; ++l) {
                table->addMisses(0, l, shares_[l].misses);
                table->addStays(0, l, out.stays[l]);
            }
        }
    }
    for (TallyTable* table : {&out.sites, &out.owners, &out.objects, &out.cpus}) {
        for (std::size_t row = 0; row < table->rows(); ++row) table->add(row, 0, table->accesses(row) * lookUp);
    }
    // Add the hits still counted in the ways.
    for (std::size_t w = 0; w < ways_.size(); ++w) out.sets[0][w / machine_.levels[0].ways].requests += ways_[w].hits;
    out.regionConflicts = regionPairs_.conflicts();
    return out;
}

}  // namespace whorl::sim
