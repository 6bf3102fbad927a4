#include "sim/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <unordered_map>
#include <utility>

namespace whorl::sim {

namespace {

constexpr std::size_t kNone = ~std::size_t{0};

/// The slot that holds the thread's cursor while it is not lent; threads may share a slot. Not a thread-local variable
/// with a destructor: the C library ends the program if it cannot register the destructor.
std::atomic<TraceCursor*>& idleCursor() {
    constexpr unsigned kBits = 6;
    static constinit std::array<std::atomic<TraceCursor*>, 1u << kBits> idle{};
    thread_local char self = 0;  // its address identifies the thread
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
    return idle[reinterpret_cast<std::uintptr_t>(&self) * kGolden >> (64 - kBits)];
}

/// A harmless access, for chunks with valid checksums whose content no encoder produces.
PackedAccess nothing() {
    return PackedAccess(Access{.address = {}, .size = 1, .unrecorded = true, .site = {}});
}

}  // namespace

TraceCursor::TraceCursor(const Trace& trace) : trace_(&trace), serial_(trace.serial()), kept_(kNone) {}

std::span<const PackedAccess> TraceCursor::chunk(std::size_t index) {
    if (index == kept_) return accesses_;
    kept_ = kNone;  // in case decoding throws
    std::span<PackedAccess> accesses = reader_.chunk(trace_->accesses(), index, trace_->sites().size(), trace_->cpus());
    const std::uint64_t expected = std::min(Trace::kChunk, trace_->size() - index * Trace::kChunk);
    if (accesses.size() != expected) {
        undecodable_.assign(expected, nothing());
        accesses = undecodable_;
    }
    if (trace_->map() != nullptr) trace_->map()->apply(accesses, Tick{index * Trace::kChunk});
    accesses_ = accesses;
    kept_ = index;
    return accesses_;
}

std::span<const PackedAccess> TraceCursor::from(Tick t) {
    if (t.value >= trace_->size()) return {};
    return chunk(t.value / Trace::kChunk).subspan(t.value % Trace::kChunk);
}

void TraceCursor::exchange(std::vector<PackedAccess>& memory) {
    if (accesses_.data() == undecodable_.data()) {
        undecodable_.swap(memory);
    } else {
        reader_.exchange(memory);
    }
    kept_ = kNone;
}

Access TraceCursor::at(Tick t) {
    return from(t).front().unpack();
}

std::span<const std::uint64_t> TraceCursor::stamps(std::size_t index) {
    return reader_.stamps(trace_->accesses(), index);
}

CursorLoan::CursorLoan(const Trace& trace) : cursor_(idleCursor().exchange(nullptr)) {
    if (cursor_ == nullptr) cursor_ = std::make_unique<TraceCursor>(trace);
    // Compare serials, not addresses: another trace may be at the same address, and a trace may have been moved.
    if (cursor_->serial_ != trace.serial()) {
        cursor_->kept_ = kNone;
        cursor_->reader_.forget();
    }
    cursor_->trace_ = &trace;
    cursor_->serial_ = trace.serial();
}

CursorLoan::~CursorLoan() {
    cursor_.reset(idleCursor().exchange(cursor_.release()));
}

Trace::Trace(TraceParts parts) : parts_(std::move(parts)) {
    static std::atomic<std::uint64_t> made{0};
    serial_ = ++made;
    if (parts_.accesses == nullptr) parts_.accesses = std::make_shared<const PackedAccesses>();
    auto& objects = parts_.objects;
    const auto isBefore = [](const Object& a, const Object& b) {
        return std::pair(a.base, a.born) < std::pair(b.base, b.born);
    };
    if (!std::is_sorted(objects.begin(), objects.end(), isBefore)) {
        std::stable_sort(objects.begin(), objects.end(), isBefore);
    }
    objectIndex_ = ObjectIndex(parts_.objects);
    owners_ = Owners(parts_.regions, parts_.objects);
    if (!parts_.calls.empty()) findInstructions();
}

void Trace::findInstructions() {
    std::unordered_map<std::uint64_t, std::pair<SiteId, std::uint32_t>> first;  // by address
    std::uint32_t count = 0;
    instructions_.reserve(parts_.sites.size());
    numbers_.reserve(parts_.sites.size());
    for (std::uint32_t s = 0; s < parts_.sites.size(); ++s) {
        const std::uint64_t pc = parts_.sites[s].pc.value;
        const std::pair own(SiteId{s}, count);
        const auto [instruction, number] = pc == 0 ? own : first.try_emplace(pc, own).first->second;
        instructions_.push_back(instruction);
        numbers_.push_back(number);
        if (number == count) ++count;
    }
}

const std::string& Trace::functionOf(const Site& site) const {
    static const std::string unknown;
    return site.function < parts_.functions.size() ? parts_.functions[site.function] : unknown;
}

const std::string& Trace::cpuName(std::uint32_t cpu) const {
    static const std::string none;
    return cpu < parts_.cpuNames.size() ? parts_.cpuNames[cpu] : none;
}

std::size_t Trace::regionAt(ByteAddress a) const {
    const auto& regions = parts_.regions;
    const auto above = std::upper_bound(regions.begin(), regions.end(), a,
                                        [](ByteAddress address, const Region& r) { return address < r.base; });
    if (above == regions.begin() || !std::prev(above)->contains(a)) return regions.size();
    return static_cast<std::size_t>(above - regions.begin()) - 1;
}

const Object* Trace::objectAt(ByteAddress a, Tick t) const {
    return objectIndex_.find(parts_.objects, a, t);
}

ObjectIndex::Stretch Trace::objectAround(ByteAddress a, Tick t) const {
    return objectIndex_.around(parts_.objects, a, t);
}

/// Where an address lies in the unmoved trace; nothing if nothing moves, or no region has it there.
std::optional<ByteAddress> Trace::unmovedFrom(ByteAddress a) const {
    const std::size_t region = parts_.unmoved == nullptr ? parts_.regions.size() : regionAt(a);
    if (region >= parts_.regions.size()) return std::nullopt;
    const Region& was = parts_.unmoved->regions()[region];
    return WayBack(map(), was.base, was.last()).of(a);
}

std::string Trace::placeOf(ByteAddress a, Tick t) const {
    if (const auto before = unmovedFrom(a)) return parts_.unmoved->placeOf(*before, t);
    if (const Object* object = objectAt(a, t)) return placeIn(*object, a);
    return placeInRegion(a);
}

std::string Trace::placeInRegion(ByteAddress a) const {
    if (const auto before = unmovedFrom(a)) return parts_.unmoved->placeInRegion(*before);
    const std::size_t region = regionAt(a);
    if (region < parts_.regions.size()) return parts_.regions[region].placeOf(a);
    return fmt::format("{:#x}", a.value);
}

std::string Trace::placeIn(const Object& object, ByteAddress a) const {
    if (const auto before = unmovedFrom(a)) {
        const auto index = static_cast<std::size_t>(&object - parts_.objects.data());
        return parts_.unmoved->placeIn(parts_.unmoved->objects()[index], *before);
    }
    const std::size_t r = regionAt(object.base);
    if (r < parts_.regions.size()) {
        const Region& region = parts_.regions[r];
        if (region.rows > 0 && region.base == object.base && region.size == object.size) return region.placeOf(a);
    }
    return object.placeOf(a);
}

}  // namespace whorl::sim
