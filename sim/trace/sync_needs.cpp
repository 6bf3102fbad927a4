#include "sim/trace/sync_needs.h"

#include <algorithm>
#include <array>
#include <map>

#include "sim/base/types.h"

namespace whorl::sim {
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
