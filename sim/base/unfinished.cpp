#include "sim/base/unfinished.h"

namespace whorl::sim {
namespace {

// A linked list of the objects themselves, which needs no allocation. Neither variable has a destructor that could run
// while other threads still use it.
constinit std::mutex mutex;
constinit Unfinished* first = nullptr;

}  // namespace

void Unfinished::begin() {
    const auto lock = locked();
    next_ = first;
    first = this;
}

void Unfinished::end() noexcept {
    const auto lock = locked();
    remove();
    for (Unfinished** link = &first; *link != nullptr; link = &(*link)->next_) {
        if (*link != this) continue;
        *link = next_;
        return;
    }
}

std::unique_lock<std::mutex> Unfinished::locked() {
    return std::unique_lock(mutex);
}

void removeUnfinished() noexcept {
    mutex.lock();
    for (Unfinished* thing = first; thing != nullptr; thing = thing->next_) thing->remove();
}

}  // namespace whorl::sim
