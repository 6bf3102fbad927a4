#include "sim/trace/spinning.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/trace/sync_log.h"
#include "sim/trace/trace_passes.h"

namespace whorl::sim {
namespace {

constexpr std::uint64_t kWord = 8;  ///< bytes

/// What a CPU does to a word of memory while it repeats itself.
struct PolledWord {
    std::uint64_t word = ~std::uint64_t{0};
    std::uint64_t seen = 0;   ///< the CPU's number of accesses at its last access to the word; 0: never
    std::uint64_t since = 0;  ///< the CPU's number of accesses at its first access to the word
    std::uint64_t reads = 0;  ///< of these bytes by this instruction
    ByteAddress address;
    std::uint32_t size = 0;
    SiteId site;
    bool isWritten = false;   ///< by plain writes
    bool isModified = false;  ///< by modifies
};

/// The words that a CPU accessed last, and how long it has accessed no others.
class Recent {
  public:
    void take(const PackedAccess& access) {
        ++now_;
        const std::uint64_t word = access.address().value / kWord;
        PolledWord& use = slotOf(word);
        const bool isRepeated = use.word == word && now_ - use.seen <= Spinning::kWindow;
        if (!isRepeated) leave();
        if (!isRepeated || use.since < begun_) use = {.word = word, .since = now_};
        use.seen = now_;
        if (access.isWrite()) {
            (access.modify() ? use.isModified : use.isWritten) = true;
        } else if (use.reads == 0) {
            use.address = access.address();
            use.size = access.size();
            use.site = access.site();
            use.reads = 1;
        } else if (use.site == access.site() && use.address == access.address()) {
            ++use.reads;
        }
    }
    /// Ends what the CPU repeats: it is known otherwise whether it waits.
    void forget() { begun_ = before_ = left_ = now_ + 1; }

    /// Whether the CPU may wait for a write.
    bool mayWait() const { return isLong() || hasJustLeft(); }
    /// The word that another CPU's write ends to be waited for; null if it is not waited for.
    const PolledWord* waitsFor(std::uint64_t word, const PackedAccess& write) {
        const PolledWord& use = slotOf(word);
        const bool isOfRun = use.since >= begun_ || (hasJustLeft() && use.since >= before_ && use.since < left_);
        if (use.word != word || !isOfRun || use.reads < Spinning::kMinReads) return nullptr;
        if (use.isWritten || (use.isModified && write.modify())) return nullptr;
        const bool overlaps = write.address().value - use.address.value < use.size ||
                              use.address.value - write.address().value < write.size();
        return overlaps ? &use : nullptr;
    }
    /// The accesses since the first to a word, as long as the CPU repeated itself, without those that were counted
    /// before.
    std::uint64_t count(const PolledWord& use) {
        const std::uint64_t last = use.since >= begun_ ? now_ : left_ - 1;
        const std::uint64_t before = std::max(counted_, use.since - 1);
        counted_ = std::max(counted_, last);
        return last - std::min(last, before);
    }

  private:
    static constexpr std::size_t kWays = 4;
    static constexpr std::size_t kSets = 32;  ///< several times as many slots as words fit into the window

    bool isLong() const { return now_ + 1 - begun_ >= Spinning::kMinReads; }
    bool hasJustLeft() const { return left_ > before_ && now_ + 1 - left_ < Spinning::kWindow; }
    /// A word that is new ends the repetition.
    void leave() {
        if (isLong()) {
            before_ = begun_;
            left_ = now_;
        }
        begun_ = now_;
    }

    /// The slot of a word, or the one that it may take.
    PolledWord& slotOf(std::uint64_t word) {
        PolledWord* const set = &uses_[(word ^ word / kSets ^ word / (kSets * kSets)) % kSets * kWays];
        PolledWord* oldest = set;
        for (PolledWord* use = set; use != set + kWays; ++use) {
            if (use->word == word) return *use;
            if (use->seen < oldest->seen) oldest = use;
        }
        return *oldest;
    }

    std::uint64_t now_ = 0;     ///< number of accesses
    std::uint64_t begun_ = 1;   ///< that number at the first access since which the CPU repeats itself
    std::uint64_t before_ = 1;  ///< that number at the beginning of the last long repetition before
    std::uint64_t left_ = 1;    ///< that number at the access which ended this repetition
    std::uint64_t counted_ = 0;
    std::array<PolledWord, kSets * kWays> uses_;
};

class SpinFinder {
  public:
    explicit SpinFinder(std::uint32_t cpus) : cpus_(cpus) {}

    void take(const PackedAccess& access) {
        const std::uint64_t cpu = std::uint64_t{1} << access.cpu();
        Recent& recent = cpus_[access.cpu()];
        recent.take(access);
        waiting_ = recent.mayWait() ? waiting_ | cpu : waiting_ & ~cpu;
        if (access.isWrite() && (waiting_ & ~cpu) != 0) end(access, waiting_ & ~cpu);
    }
    void take(const Sync& sync) {
        if (sync.kind == SyncKind::follow) return;
        cpus_[sync.cpu].forget();
        waiting_ &= ~(std::uint64_t{1} << sync.cpu);
    }

    Spinning found() const {
        Spinning found = found_;
        std::uint64_t most = 0;
        for (const auto& [site, accesses] : ofSites_) {
            // Of equal ones the first: hash tables have no order.
            if (accesses < most || (accesses == most && site > found.site.value)) continue;
            most = accesses;
            found.site = SiteId{site};
        }
        return found;
    }

  private:
    /// Counts what CPUs did to wait for a write.
    void end(const PackedAccess& write, std::uint64_t cpus) {
        const std::uint64_t first = write.address().value / kWord;
        const std::uint64_t last = (write.address().value + (write.size() - 1)) / kWord;
        for (; cpus != 0; cpus &= cpus - 1) {
            Recent& recent = cpus_[static_cast<std::size_t>(std::countr_zero(cpus))];
            for (std::uint64_t word = first; word - first <= last - first; ++word) {
                const PolledWord* const use = recent.waitsFor(word, write);
                if (use == nullptr) continue;
                const std::uint64_t accesses = recent.count(*use);
                if (accesses == 0) continue;
                ++found_.times;
                found_.accesses += accesses;
                ofSites_[use->site.value] += accesses;
            }
        }
    }

    std::vector<Recent> cpus_;
    std::uint64_t waiting_ = 0;  ///< the CPUs that may wait, one bit each
    Spinning found_;
    std::unordered_map<std::uint32_t, std::uint64_t> ofSites_;  ///< accesses by the instruction that reads
};

}  // namespace

std::optional<Spinning> spinningIn(const Trace& trace, Progress& progress) {
    SpinFinder finder(trace.cpus());
    const SyncLog none;
    SyncCursor syncs(trace.syncs() ? *trace.syncs() : none);
    Sync sync;
    bool hasSync = syncs.next(sync);
    progress.start(trace.size());
    const auto take = [&](Tick t, std::span<const PackedAccess> accesses) {
        for (const PackedAccess& access : accesses) {
            for (; hasSync && sync.at <= t; hasSync = syncs.next(sync)) finder.take(sync);
            finder.take(PackedAccess(access.address(), trace.instructionOf(access.site()), access.rest()));
            ++t;
        }
    };
    if (!forEachChunk(trace, {Tick{0}, Tick{trace.size()}}, progress, {}, take)) return std::nullopt;
    return finder.found();
}

}  // namespace whorl::sim
