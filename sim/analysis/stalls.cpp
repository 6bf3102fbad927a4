#include "sim/analysis/stalls.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sim/replay/past.h"

namespace whorl::sim {

std::string_view wordFor(StrideClass stride) {
    constexpr std::array<std::string_view, 5> kWords = {"none", "same", "unit", "constant", "irregular"};
    return kWords[static_cast<std::size_t>(stride)];
}

StrideSummary StrideTally::summary() const {
    StrideSummary out{.steps = steps_};
    if (steps_ == 0) return out;
    // Of equally frequent strides the shortest, upwards first: hash tables have no order.
    const auto rank = [](std::int64_t bytes) { return bytes < 0 ? -2 * bytes : 2 * bytes - 1; };
    for (const auto& [bytes, times] : others_) {
        if (times > out.ofThem || (times == out.ofThem && rank(bytes) < rank(out.bytes))) {
            out.ofThem = times;
            out.bytes = bytes;
        }
    }
    out.stride = StrideClass::constant;
    if (unit_ >= out.ofThem) out = {.stride = StrideClass::unit, .steps = steps_, .ofThem = unit_};
    if (same_ > out.ofThem) out = {.stride = StrideClass::same, .steps = steps_, .ofThem = same_};
    if (out.ofThem < steps_ - out.ofThem) {
        out = {.stride = StrideClass::irregular, .steps = steps_, .ofThem = steps_ - same_ - unit_};
    }
    return out;
}

/// Drops at least half of the strides, the rarest. A stride that makes up half of all steps is not among them for long.
void StrideTally::forgetRare() {
    std::vector<std::uint64_t> times;
    for (const auto& other : others_) times.push_back(other.second);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    const std::uint64_t most = *middle;
    std::erase_if(others_, [&](const auto& other) { return other.second <= most; });
}

StallTally& StallTally::operator+=(const StallTally& more) {
    accesses += more.accesses;
    lost += more.lost;
    if (more.lostInSteps > lostInSteps || strides.isEmpty()) {
        strides = more.strides;
        lostInSteps = more.lostInSteps;
    }
    spanning += more.spanning;
    fields.resize(std::max(fields.size(), more.fields.size()));
    for (std::size_t f = 0; f < more.fields.size(); ++f) fields[f] += more.fields[f];
    for (const auto& [size, times] : more.sizes) sizes[size] += times;
    return *this;
}

std::uint32_t StallTally::usualSize() const {
    std::pair<std::uint64_t, std::uint32_t> most{0, 0};
    for (const auto& [size, times] : sizes) most = std::max(most, std::pair(times, size));
    return most.second;
}

StallCollector::StallCollector(const Trace& trace, std::uint64_t segment)
    : trace_(trace),
      lines_(trace),
      objects_(trace),
      recent_(trace.sites().size()),
      segment_(segment),
      lostBySegment_((trace.size() + segment - 1) / segment, 0) {}

StallCollector::Place StallCollector::placeOf(ByteAddress address, Tick tick) {
    if (const Object* const object = objects_.at(address, tick)) {
        const ElementType* const type = object->type.get();
        return {.owner = trace_.ownerOf(*object),
                .offset = address.value - object->base.value,
                .element = type == nullptr ? 1 : type->size,
                .type = type};
    }
    const auto& regions = trace_.regions();
    if (lastRegion_ >= regions.size() || !regions[lastRegion_].contains(address)) {
        lastRegion_ = trace_.regionAt(address);
    }
    if (lastRegion_ >= regions.size()) return {.owner = trace_.owners().count()};
    const Region& region = regions[lastRegion_];
    return {.owner = trace_.owners().ofRegion(lastRegion_),
            .offset = address.value - region.base.value,
            .element = region.type ? std::max(region.elementSize, region.type->size) : region.elementSize,
            .type = region.type.get()};
}

/// The steps of an instruction are those of all ways in which its function is called, if those are one line.
SiteId StallCollector::stepping(SiteId site) const {
    const SiteId instruction = trace_.instructionOf(site);
    return lines_.of(instruction) == lines_.of(site) ? instruction : site;
}

StallCollector::OfSite& StallCollector::ofSite(SiteId of, const Place& place) {
    const SiteId site = stepping(of);
    Recent& recent = recent_[site.value];
    if (recent.owner == place.owner) [[likely]] {
        return sites_[recent.number];
    }
    const std::uint64_t key = std::uint64_t{site.value} << 32 | place.owner;
    const auto [at, isNew] = numbers_.try_emplace(key, static_cast<std::uint32_t>(sites_.size()));
    if (isNew) {
        OfSite& made = sites_.emplace_back();
        made.sum.line = lines_.of(site);
        made.sum.owner = place.owner;
        made.fillsOrCopies = fillsOrCopies(trace_, trace_.site(site));
        made.last.resize(trace_.cpus(), kNever);
        if (place.type != nullptr) made.sum.fields.resize(place.type->fields.size());
    }
    recent = {.owner = place.owner, .number = at->second};
    return sites_[at->second];
}

void StallCollector::take(const Batch& batch) {
    const MachineConfig& machine = batch.machine.machine();
    const auto take = [&](std::size_t at, Cycles cost) {
        const PackedAccess& access = batch.accesses[at];
        if (!access.unrecorded()) this->take(access, Tick{batch.first.value + at}, cost, machine);
    };
    batch.forEachApart([&](std::size_t hit) { take(hit, machine.lookUp()); },
                       [&](Tick tick, const PackedAccess&, std::span<const Event> events) {
                           take(tick.value - batch.first.value, costOf(events, machine));
                       });
}

void StallCollector::take(const PackedAccess& packed, Tick tick, Cycles cost, const MachineConfig& machine) {
    const Access access = packed.unpack();
    const Place place = placeOf(access.address, tick);
    OfSite& of = ofSite(access.site, place);
    of.sum.accesses += countOf(access, machine);
    const Cycles lost = penaltyOf(cost, access, machine);
    of.sum.lost += lost;
    of.sum.lostInSteps = of.sum.lost;
    if (lost > 0) lostBySegment_[tick.value / segment_] += lost;
    // The two halves of a modify are one visit.
    if (access.modify) return;
    step(of, access);
    use(of, access, place);
}

void StallCollector::step(OfSite& of, const Access& access) const {
    std::uint64_t& last = of.last[access.cpu];
    if (last != kNever) of.sum.strides.add(static_cast<std::int64_t>(access.address.value - last), access.size);
    last = access.address.value;
}

void StallCollector::use(OfSite& of, const Access& access, const Place& place) const {
    // An instruction nearly always has one size.
    if (access.size != of.size) {
        if (of.usual > 0) of.sum.sizes[of.size] += std::exchange(of.usual, 0);
        of.size = access.size;
    }
    ++of.usual;
    const std::uint64_t within = place.offset % place.element;
    const StructField* const field = place.type != nullptr ? place.type->fieldAt(within) : nullptr;
    std::uint64_t end = place.element;
    if (field != nullptr) {
        // The blocks of an owner may have several types.
        std::vector<std::uint64_t>& fields = of.sum.fields;
        if (fields.size() < place.type->fields.size()) fields.resize(place.type->fields.size());
        ++fields[static_cast<std::size_t>(field - place.type->fields.data())];
        end = field->offset + field->size;
    }
    if (within + access.size > end && place.element > 1 && !of.fillsOrCopies) ++of.sum.spanning;
}

std::vector<StallTally> StallCollector::tallies() const {
    std::map<std::pair<std::uint32_t, std::size_t>, StallTally> sums;
    for (const OfSite& of : sites_) {
        const auto [at, isNew] = sums.try_emplace(std::pair(of.sum.line, of.sum.owner), of.sum);
        if (!isNew) at->second += of.sum;
        if (of.usual > 0) at->second.sizes[of.size] += of.usual;
    }
    std::vector<StallTally> out;
    out.reserve(sums.size());
    for (auto& sum : sums) out.push_back(std::move(sum.second));
    return out;
}

std::optional<Stalls> stallsOf(const Trace& trace, const MachineConfig& machine, std::uint64_t segment,
                               Progress& progress) {
    auto future = futureOf(machine, trace, progress);
    if (!future) return std::nullopt;
    Simulator simulator = startOf(trace, machine, *future);
    StallCollector collector(trace, segment);
    progress.start(trace.size());
    if (!replay(trace, simulator, {Tick{0}, Tick{trace.size()}}, collector, progress)) return std::nullopt;
    return Stalls{.tallies = collector.tallies(), .segment = segment, .lostBySegment = collector.lostBySegment()};
}

}  // namespace whorl::sim
