#include "sim/replay/use_reader.h"

#include <algorithm>

#include "sim/replay/replay.h"

namespace whorl::sim {

const UseShares& UseReader::at(Tick at) {
    if (machine_ && machine_->played() == at.value) return shares_;
    const Run::UseAt kept = run_->useBefore(at);
    const bool goesOn = machine_ && machine_->played() <= at.value && machine_->played() >= kept.at.value;
    if (!goesOn) startFrom(kept);
    CallingObserver follow(Observer::Wants::events, [&](const Batch& batch) {
        batch.forEach([&](Tick, const PackedAccess& access, std::span<const Event> events) {
            use_->begin(access.unpack());
            for (const Event& e : events) use_->take(e, [](const BlockUse::Stay&) {});
            use_->end();
        });
    });
    Progress unwatched;
    replay(run_->trace(), *machine_, {Tick{machine_->played()}, at}, follow, unwatched);
    use_->settle();
    shares_.clear();
    for (std::size_t l = 0; l < run_->machine().levels.size(); ++l) {
        const std::uint32_t block = run_->machine().levels[l].block;
        for (std::uint32_t cache = 0; cache < run_->machine().caches(l); ++cache) {
            std::vector<std::uint8_t>& of = shares_.emplace_back(use_->slots(l));
            for (std::size_t slot = 0; slot < of.size(); ++slot) {
                const std::uint32_t used = use_->usedIn(l, cache, slot);
                of[slot] =
                    static_cast<std::uint8_t>(std::max<std::uint32_t>(kWholeUse * used / block, used > 0 ? 1 : 0));
            }
        }
    }
    return shares_;
}

void UseReader::startFrom(const Run::UseAt& kept) {
    machine_ = run_->stateAt(kept.at);
    use_.emplace(run_->machine());
    if (kept.packed) use_->unpack(*kept.packed);
}

}  // namespace whorl::sim
