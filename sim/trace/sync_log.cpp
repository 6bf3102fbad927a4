#include "sim/trace/sync_log.h"

#include <algorithm>
#include <array>
#include <map>

#include "sim/base/compact_bytes.h"

namespace whorl::sim {

namespace {

constexpr unsigned kCpuBits = 6;
static_assert(kMaxCpus <= 1u << kCpuBits);

/// The number of objects that a log with this operation has at least.
std::uint32_t objectsOf(const Sync& sync) {
    return sync.kind == SyncKind::follow ? 0 : sync.object + 1;
}

bool isWaiting(SyncKind kind) {
    return kind == SyncKind::lock || kind == SyncKind::wait || kind == SyncKind::take || kind == SyncKind::leave;
}

}  // namespace

Sync Sync::after(Earlier earlier, Tick now, std::uint8_t cpu) {
    constexpr std::uint64_t kLongest = (std::uint64_t{1} << 26) - 2;
    const std::uint64_t distance = std::min(now.value - earlier.at.value, kLongest);
    return {.at = now,
            .cpu = cpu,
            .kind = SyncKind::follow,
            .object = static_cast<std::uint32_t>(distance << 6 | earlier.cpu)};
}

void SyncLog::add(const Sync& sync) {
    appendVarint(bytes_, sync.at.value - last_);
    appendVarint(bytes_, static_cast<std::uint64_t>(sync.kind) << kCpuBits | sync.cpu);
    appendVarint(bytes_, sync.object);
    note(sync);
}

void SyncLog::note(const Sync& sync) {
    last_ = sync.at.value;
    objects_ = std::max(objects_, objectsOf(sync));
    cpus_ |= std::uint64_t{1} << sync.cpu;
    hasWaits_ = hasWaits_ || isWaiting(sync.kind);
    ++size_;
}

bool SyncCursor::next(Sync& sync) {
    if (rest_.empty() || !isValid_) return false;
    std::uint64_t more = 0;
    std::uint64_t what = 0;
    std::uint64_t object = 0;
    isValid_ = readVarint(rest_, more) && readVarint(rest_, what) && readVarint(rest_, object) &&
               more <= ~std::uint64_t{0} - last_ && what >> kCpuBits <= static_cast<std::uint64_t>(kLastSyncKind) &&
               object < ~std::uint32_t{0};
    if (!isValid_) return false;
    last_ += more;
    sync.at = Tick{last_};
    sync.kind = static_cast<SyncKind>(what >> kCpuBits);
    sync.cpu = static_cast<std::uint8_t>(what & ((1u << kCpuBits) - 1));
    sync.object = static_cast<std::uint32_t>(object);
    return true;
}

bool SyncLog::read(std::string_view bytes, std::uint64_t size, std::uint32_t cpus, SyncLog& log) {
    SyncCursor cursor(bytes);
    SyncLog read;
    for (Sync sync; cursor.next(sync);) {
        // Tables by object are as large as the highest number, so limit it: no trace has more objects than operations
        // on them.
        if (sync.at.value > size || sync.cpu >= cpus || objectsOf(sync) > bytes.size()) return false;
        if (sync.kind == SyncKind::follow && (sync.object >> 6 > sync.at.value || (sync.object & 63) >= cpus))
            return false;
        read.note(sync);
    }
    if (!cursor.isValid_) return false;
    read.bytes_ = bytes;
    log = std::move(read);
    return true;
}

namespace {

class NeedsCounter {
  public:
    explicit NeedsCounter(std::uint32_t objects) : objects_(objects) { needs_.stock.resize(objects); }

    void take(const Sync& sync) {
        if (sync.kind != SyncKind::follow) count(sync);
        last_[sync.cpu] = position_++;
    }

    SyncNeeds done() { return std::move(needs_); }

  private:
    void count(const Sync& sync) {
        Object& object = objects_[sync.object];
        switch (sync.kind) {
            case SyncKind::lock:
                needs_.waits.push_back(object.unlocked);
                break;
            case SyncKind::unlock:
                ++object.unlocked;
                break;
            case SyncKind::signal:
                object.events.push_back(position_);
                break;
            case SyncKind::wait:
                needs_.waits.push_back(eventsNeeded(object, last_[sync.cpu]));
                break;
            case SyncKind::arrive:
                arrivals_[{sync.cpu, sync.object}] = ++object.arrived;
                break;
            case SyncKind::leave:
                if (object.party == 0) object.party = std::max(object.arrived, 1u);
                needs_.waits.push_back(roundUp(arrivals_[{sync.cpu, sync.object}], object.party));
                break;
            case SyncKind::post:
                ++object.inStock;
                break;
            case SyncKind::take:
                if (object.inStock == 0) {
                    ++needs_.stock[sync.object];
                } else {
                    --object.inStock;
                }
                break;
            case SyncKind::follow:
            case SyncKind::want:
                break;
        }
    }

    struct Object {
        std::vector<std::uint32_t> events;  ///< positions in the log
        std::uint32_t unlocked = 0;
        std::uint32_t arrived = 0;
        std::uint32_t party = 0;  ///< number of threads that a barrier is for; 0: unknown yet
        std::uint32_t inStock = 0;
    };

    SyncNeeds needs_;
    std::vector<Object> objects_;
    std::map<std::pair<std::uint8_t, std::uint32_t>, std::uint32_t> arrivals_;  ///< by CPU and barrier: last arrival
    std::array<std::uint32_t, kMaxCpus> last_{};  ///< by CPU: position in the log of its last operation
    std::uint32_t position_ = 1;

    static std::uint32_t eventsNeeded(const Object& object, std::uint32_t since) {
        const auto next = std::upper_bound(object.events.begin(), object.events.end(), since);
        const auto before = static_cast<std::uint32_t>(next - object.events.begin());
        return std::min(before + 1, static_cast<std::uint32_t>(object.events.size()));
    }
    static std::uint32_t roundUp(std::uint32_t arrival, std::uint32_t party) {
        return (arrival + party - 1) / party * party;
    }
};

}  // namespace

SyncNeeds needsOf(const SyncLog& log) {
    NeedsCounter counter(log.objects());
    SyncCursor cursor(log);
    for (Sync sync; cursor.next(sync);) counter.take(sync);
    return counter.done();
}

}  // namespace whorl::sim
