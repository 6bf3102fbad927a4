#include "sim/reference/stay_uses.h"

#include <algorithm>

namespace whorl::reference {

void StayUses::take(const sim::Access& access, const std::vector<Happening>& happenings) {
    for (const Happening& h : happenings) take(access, h);
    finish();
}

void StayUses::take(const sim::Access& a, const Happening& h) {
    switch (h.what) {
        case What::touch: {
            finish();
            const std::uint64_t size = machine_.config().levels[0].block;
            request_ = {.cpu = a.cpu,
                        .first = std::max(h.block * size, a.address.value),
                        .last = std::min(h.block * size + (size - 1), a.last().value)};
            break;
        }
        case What::prefetch:
            finish();
            break;
        case What::hit:
            if (h.demand) served(h);
            break;
        case What::fill:
            stays_[{h.level, h.cache}][h.block] = {.fill = used_[h.level].size(), .bytes = {}};
            used_[h.level].push_back(0);
            if (isRequested(h)) served(h);
            break;
        case What::eviction:
        case What::invalidation:
        case What::moved: {
            auto& stays = stays_[{h.level, h.cache}];
            const Stay& stay = stays.at(h.block);
            used_[h.level][stay.fill] = static_cast<std::uint32_t>(stay.bytes.size());
            stays.erase(h.block);
            break;
        }
        default:
            break;
    }
}

/// The CPU gets the block, from a cache that has it or has just been filled. What has it now may lose it before the
/// access is over.
void StayUses::served(const Happening& h) {
    if (h.level == 0) {
        markAll();
    } else {
        mark(h.level, h.cache);
    }
}

void StayUses::finish() {
    if (request_) markAll();
    request_.reset();
}

/// Every cache on the CPU's path that has the bytes has them used.
void StayUses::markAll() {
    for (std::size_t level = 0; level < used_.size(); ++level) {
        mark(level, machine_.config().cacheOf(level, static_cast<std::uint32_t>(request_->cpu)));
    }
}

void StayUses::mark(std::size_t level, std::size_t cache) {
    auto& stays = stays_[{level, cache}];
    const auto stay = stays.find(request_->first / machine_.config().levels[level].block);
    if (stay == stays.end()) return;
    for (std::uint64_t byte = request_->first; byte - request_->first <= request_->last - request_->first; ++byte) {
        stay->second.bytes.insert(byte);
    }
}

bool StayUses::isRequested(const Happening& h) const {
    const sim::MachineConfig& config = machine_.config();
    return request_ && h.cache == config.cacheOf(h.level, static_cast<std::uint32_t>(request_->cpu)) &&
           h.block == request_->first / config.levels[h.level].block;
}

std::vector<std::vector<std::uint32_t>> StayUses::used() const {
    auto all = used_;
    for (const auto& [place, stays] : stays_) {
        for (const auto& [block, stay] : stays) {
            all[place.first][stay.fill] = static_cast<std::uint32_t>(stay.bytes.size());
        }
    }
    return all;
}

}  // namespace whorl::reference
