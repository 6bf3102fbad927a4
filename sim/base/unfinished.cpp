#include "sim/base/unfinished.h"

#include <algorithm>
#include <vector>

namespace whorl::sim {
namespace {

struct Registry {
    std::mutex mutex;
    std::vector<Unfinished*> all;
};

/// Never destroyed: another thread may use it while the program ends.
Registry& registry() {
    static auto& kept = *new Registry;
    return kept;
}

}  // namespace

void Unfinished::begin() {
    const auto lock = locked();
    registry().all.push_back(this);
}

void Unfinished::end() noexcept {
    const auto lock = locked();
    remove();
    std::erase(registry().all, this);
}

std::unique_lock<std::mutex> Unfinished::locked() {
    return std::unique_lock(registry().mutex);
}

void removeUnfinished() noexcept {
    registry().mutex.lock();
    for (Unfinished* const thing : registry().all) thing->remove();
}

}  // namespace whorl::sim
