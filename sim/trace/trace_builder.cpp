#include "sim/trace/trace_builder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/base/jobs.h"
#include "sim/trace/region_inference.h"

namespace whorl::sim {
namespace {

/// Accesses passed on at a time: few enough to stay in the host's nearer caches. A chunk has a number of such pieces.
constexpr std::size_t kPiece = 4096;
static_assert(Trace::kChunk % kPiece == 0);
constexpr std::size_t kFirstRoom = 256;

bool byBase(const Region& a, const Region& b) {
    return a.base < b.base;
}

Region regionOf(const Object& object) {
    Region region;
    region.name = object.name;
    region.base = object.base;
    region.size = object.size;
    region.type = object.type;
    if (object.type != nullptr && object.size >= 2 * std::uint64_t{object.type->size}) {
        region.elementSize = object.type->size;
        region.rows = object.size / region.elementSize;
    }
    return region;
}

/// The first region of a sorted list that overlaps its successor, or the end.
std::vector<Region>::const_iterator firstOverlap(const std::vector<Region>& sorted) {
    return std::adjacent_find(sorted.begin(), sorted.end(),
                              [](const Region& a, const Region& b) { return b.base.value - a.base.value < a.size; });
}

}  // namespace

TraceBuilder::TraceBuilder(std::string name) {
    parts_.name = std::move(name);
}

TraceBuilder::TraceBuilder(AccessConsumer consumer, StreamedSites sites)
    : consumer_(std::move(consumer)), numbersSites_(sites == StreamedSites::numbered) {}

/// Makes space for another access. Grows gradually to a piece: a trace of ten lines should not take a megabyte.
void TraceBuilder::makeRoom() {
    std::vector<PackedAccess>& buffer = piece_.accesses;
    if (buffer.size() >= kPiece) passOn();
    if (next_ != end_) return;
    const std::size_t had = buffer.size();
    buffer.resize(std::clamp(2 * had, kFirstRoom, kPiece));
    next_ = buffer.data() + had;
    end_ = buffer.data() + buffer.size();
}

void TraceBuilder::flush() {
    passOn();
    if (there_ == nullptr) endPack();
    if (isStoreFull() && there_ == nullptr) loseUnkept();
}

void TraceBuilder::passOn() {
    const std::span<PackedAccess> accesses(piece_.accesses.data(), held());
    if (accesses.empty()) return;
    if (ignoresSizes_) {
        for (PackedAccess& packed : accesses) {
            Access access = packed.unpack();
            access.size = 1;
            packed = PackedAccess(access);
        }
    }
    piece_.count = accesses.size();
    piece_.writes = count(accesses);
    if (consumer_ != nullptr) {
        consumer_(accesses);
    } else if (there_ == nullptr) {
        pack(piece_);
        if (isStoreFull()) loseUnkept();
    } else if (AccessPiece* const given = there_->next(); given == nullptr) {
        isStoreFull_ = true;
    } else {
        std::swap(*given, piece_);
        there_->give();
        piece_.stamps.clear();
    }
    next_ = piece_.accesses.data();
    end_ = next_ + piece_.accesses.size();
}

/// Takes accesses into account. Returns the number of writes.
std::uint64_t TraceBuilder::count(std::span<const PackedAccess> accesses) {
    std::uint64_t writes = 0;
    std::uint32_t highest = 0;
    for (const PackedAccess& a : accesses) {
        writes += a.isWrite() ? 1 : 0;
        highest = std::max<std::uint32_t>(highest, a.cpu());
    }
    // Check memory often: an access of megabytes adds thousands of pages to the footprint.
    constexpr std::size_t kBetweenChecks = 64;
    for (std::size_t i = 0; i < accesses.size() && consumer_ == nullptr && !isBeyondMemory(); i += kBetweenChecks) {
        for (const PackedAccess& a : accesses.subspan(i, std::min(kBetweenChecks, accesses.size() - i))) {
            footprint_.touch(a.address(), a.size());
            if (watchesEdges_) edges_.touch(a.address(), a.size());
        }
    }
    parts_.size += accesses.size();
    parts_.writes += writes;
    parts_.cpus = std::max(parts_.cpus, highest + 1);
    return writes;
}

void TraceBuilder::pack(AccessPiece& piece) {
    if (isStoreFull() || isBeyondMemory()) return;
    const std::span<const PackedAccess> accesses(piece.accesses.data(), piece.count);
    if (inPack_ == 0) {
        encoder_.start();
        hasStamps_ = false;
    }
    if (hasStamps_ || !piece.stamps.empty()) {
        piece.stamps.resize(accesses.size());
        if (!hasStamps_) piece.stamps.insert(piece.stamps.begin(), inPack_, 0);
        hasStamps_ = true;
    }
    encoder_.add(accesses, piece.stamps);
    piece.stamps.clear();
    inPack_ += accesses.size();
    writesInPack_ += piece.writes;
    if (inPack_ == Trace::kChunk) endPack();
}

void TraceBuilder::endPack() {
    const std::size_t accesses = std::exchange(inPack_, 0);
    const std::uint64_t writes = std::exchange(writesInPack_, 0);
    if (accesses == 0 || isStoreFull()) return;
    std::string pack = encoder_.finishQuickly();
    if (store_ == nullptr) {
        packed_.add(std::move(pack));
    } else {
        const std::string_view kept = store_->keep(pack);
        isStoreFull_ = kept.empty();
        if (isStoreFull()) return;
        packed_.add(kept, store_);
    }
    kept_ += accesses;
    keptWrites_ += writes;
}

/// Of what there was no room for, nothing is told.
void TraceBuilder::loseUnkept() {
    parts_.size = kept_;
    parts_.writes = keptWrites_;
}

void TraceBuilder::packHere() {
    there_ = nullptr;
    flush();
}

void TraceBuilder::expectRegion(ByteAddress base, std::uint64_t size) {
    constexpr std::uint64_t bytes = Footprint::kGranule;
    const auto watch = [&](std::uint64_t address) {
        const std::uint64_t granule = address / bytes;
        if (address % bytes == 0 || edges_.touched(granule)) return;
        if (footprint_.touches(ByteAddress{granule * bytes}, ByteAddress{(granule + 1) * bytes})) return;
        edges_.watch(granule);
        watchesEdges_ = true;
    };
    watch(base.value);
    watch(base.value + size);
}

std::uint64_t TraceBuilder::bytes() const {
    // The overhead of a table for each entry.
    constexpr std::uint64_t kEntry = 48;
    // The memory that the index by address (see ObjectIndex) and the table of live objects take for each object.
    constexpr std::uint64_t kIndexed = 200;
    return packed_.bytes() + footprint_.bytes() + textBytes_ + parts_.sites.size() * (sizeof(Site) + kEntry) +
           parts_.files.size() * (sizeof(SourceFile) + sizeof(std::string) + kEntry) +
           parts_.objects.size() * (sizeof(Object) + kIndexed) + declared_.size() * 2 * (sizeof(Region) + kEntry) +
           parts_.marks.size() * sizeof(Mark) + parts_.modules.size() * sizeof(Module) + parts_.timing.delays.bytes();
}

void TraceBuilder::addModule(Module module) {
    textBytes_ += module.path.size();
    parts_.modules.push_back(std::move(module));
}

void TraceBuilder::add(const Access& access, std::uint64_t stamp) {
    const std::uint64_t before = size();
    add(access);
    if (consumer_ != nullptr || size() == before) return;
    piece_.stamps.resize(held() - 1);
    piece_.stamps.push_back(stamp);
}

void TraceBuilder::addOff(const Access& access) {
    if (!keepUnrecorded_) {
        ++parts_.accessesOff;
        return;
    }
    Access unrecorded = access;
    unrecorded.unrecorded = true;
    put(PackedAccess(unrecorded));
}

std::uint32_t TraceBuilder::fileId(std::string_view path) {
    const auto known = fileIds_.find(path);
    if (known != fileIds_.end()) return known->second;
    const auto id = static_cast<std::uint32_t>(parts_.files.size());
    parts_.files.push_back({.path = std::string(path), .lines = {}});
    fileIds_.emplace(path, id);
    textBytes_ += 2 * path.size();
    return id;
}

SiteId TraceBuilder::site(std::string_view file, std::uint32_t line) {
    if (line == 0 || !numbersSites_) return SiteId{};
    const std::uint64_t key = std::uint64_t{fileId(file)} << 32 | line;
    const auto [entry, isNew] = siteIds_.try_emplace(key, static_cast<std::uint32_t>(parts_.sites.size()));
    if (isNew) parts_.sites.push_back({.file = static_cast<std::uint32_t>(key >> 32), .line = line, .pc = {}});
    return SiteId{entry->second};
}

SiteId TraceBuilder::site(std::string_view file, std::uint32_t line, std::string_view function) {
    const auto made = static_cast<std::uint32_t>(parts_.sites.size());
    parts_.sites.emplace_back();
    locate(SiteId{made}, file, line, function);
    const Site& site = parts_.sites.back();
    const auto [id, isNew] = placeSiteIds_.try_emplace({site.file, site.line, site.function}, SiteId{made});
    if (!isNew) parts_.sites.pop_back();
    return id->second;
}

SiteId TraceBuilder::findSiteAt(ByteAddress pc, std::uint32_t call) {
    if (pc.value == 0 || !numbersSites_) return SiteId{};
    const auto [entry, isNew] = pcSiteIds_[call].try_emplace(pc.value, static_cast<std::uint32_t>(parts_.sites.size()));
    if (isNew) parts_.sites.push_back({.file = 0, .line = 0, .pc = pc, .call = call});
    const SiteId id{entry->second};
    recentSites_[pc.value % recentSites_.size()] = {.pc = pc.value, .call = call, .id = id};
    return id;
}

void TraceBuilder::locate(SiteId site, std::string_view file, std::uint32_t line, std::string_view function) {
    Site& known = parts_.sites[site.value];
    if (line > 0) {
        known.file = fileId(file);
        known.line = line;
    }
    if (function.empty()) return;
    if (parts_.functions.empty()) parts_.functions.emplace_back();
    const auto id = functionIds_.find(function);
    if (id != functionIds_.end()) {
        known.function = id->second;
        return;
    }
    known.function = static_cast<std::uint32_t>(parts_.functions.size());
    parts_.functions.emplace_back(function);
    functionIds_.emplace(function, known.function);
    textBytes_ += 2 * function.size();
}

void TraceBuilder::nameCpu(std::uint32_t cpu, std::string name) {
    if (cpu >= parts_.cpuNames.size()) parts_.cpuNames.resize(cpu + 1);
    parts_.cpuNames[cpu] = std::move(name);
}

void TraceBuilder::keep(std::vector<Object> objects) {
    for (Object& object : objects) {
        textBytes_ += object.name.size() + object.className.size();
        parts_.objects.push_back(std::move(object));
    }
}

void TraceBuilder::sourceText(std::string_view file, std::string_view text) {
    parts_.files[fileId(file)].lines = SourceText(text);
    textBytes_ += text.size();
}

bool TraceBuilder::addRegion(Region region, std::string* overlapped) {
    const std::uint64_t base = region.base.value;
    const auto above = declared_.lower_bound(base);
    const auto refuse = [&](const Region& other) {
        if (overlapped != nullptr) *overlapped = other.name;
        return false;
    };
    if (above != declared_.end() && above->first - base < region.size) return refuse(above->second);
    if (above != declared_.begin() && std::prev(above)->second.contains(region.base)) {
        return refuse(std::prev(above)->second);
    }
    region.elementSize = std::max(region.elementSize, 1u);
    if (region.rows == 0) region.columns = 0;
    region.origin = RegionOrigin::declared;
    textBytes_ += 2 * region.name.size();
    declared_.emplace_hint(above, base, std::move(region));
    return true;
}

bool TraceBuilder::newObject(Object object) {
    const std::uint64_t base = object.base.value;
    const auto above = alive_.lower_bound(base);
    if (above != alive_.end() && (above->first == base || above->first - base < object.size)) return false;
    if (above != alive_.begin()) {
        const auto& [below, index] = *std::prev(above);
        if (base - below < parts_.objects[index].size) return false;
    }
    object.born = Tick{size()};
    object.died = Tick{~std::uint64_t{0}};
    textBytes_ += object.name.size() + object.className.size();
    alive_.emplace(base, parts_.objects.size());
    parts_.objects.push_back(std::move(object));
    return true;
}

bool TraceBuilder::deleteObject(ByteAddress base) {
    const auto entry = alive_.find(base.value);
    if (entry == alive_.end()) return false;
    parts_.objects[entry->second].died = Tick{size()};
    alive_.erase(entry);
    return true;
}

void TraceBuilder::mark(std::string text) {
    textBytes_ += text.size();
    parts_.marks.push_back({.at = Tick{size()}, .text = std::move(text)});
}

void TraceBuilder::adopt(TraceParts known) {
    known.map.reset();  // the accesses were added with mapped addresses
    known.original.reset();
    known.changes.clear();
    known.values.reset();  // these belong to the accesses
    declared_.clear();
    for (Region& region : std::exchange(known.regions, {})) declared_.emplace(region.base.value, std::move(region));
    known.size = parts_.size;
    known.writes = parts_.writes;
    known.cpus = parts_.cpus;
    parts_ = std::move(known);
}

void TraceBuilder::promoteObjects() {
    for (auto& [base, region] : std::exchange(declared_, {})) parts_.regions.push_back(std::move(region));
    if (parts_.objects.size() > kMaxObjectRegions) return;
    std::vector<Region> all = parts_.regions;
    for (const Object& object : parts_.objects) {
        if (object.size > 0) all.push_back(regionOf(object));
    }
    std::stable_sort(all.begin(), all.end(), byBase);
    if (firstOverlap(all) == all.end()) parts_.regions = std::move(all);
}

TraceParts TraceBuilder::takeParts() {
    flush();
    parts_.accesses = std::make_shared<const PackedAccesses>(std::exchange(packed_, {}));
    parts_.footprint = footprint_.finish();
    kept_ = 0;
    keptWrites_ = 0;
    TraceParts done = std::exchange(parts_, TraceParts{});
    fileIds_.clear();
    functionIds_.clear();
    siteIds_.clear();
    pcSiteIds_.clear();
    placeSiteIds_.clear();
    recentSites_.fill({});
    alive_.clear();
    declared_.clear();
    textBytes_ = 0;
    recording_ = true;
    store_.reset();
    isStoreFull_ = false;
    return done;
}

Trace TraceBuilder::finish() {
    promoteObjects();
    const EdgeWatch watched = std::exchange(edges_, {});
    watchesEdges_ = false;
    return withInferredRegions(Trace(takeParts()), watched);
}

Trace TraceBuilder::withInferredRegions(Trace trace, const EdgeWatch& watched) {
    auto inferred = inferRegions(trace, watched);
    auto& regions = trace.parts_.regions;
    regions.insert(regions.end(), std::make_move_iterator(inferred.begin()), std::make_move_iterator(inferred.end()));
    std::sort(regions.begin(), regions.end(), byBase);
    trace.owners_ = Owners(regions, trace.parts_.objects);
    return trace;
}

Trace TraceBuilder::finishWith(std::vector<Region> regions) {
    parts_.regions = std::move(regions);
    return Trace(takeParts());
}

}  // namespace whorl::sim
