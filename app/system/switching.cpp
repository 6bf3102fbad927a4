#include "app/system/switching.h"

#include <atomic>
#include <csignal>

namespace whorl::app {
namespace {

std::atomic<unsigned> switches{0};
static_assert(std::atomic<unsigned>::is_always_lock_free);

void countSwitch(int) {
    ++switches;
}

}  // namespace

void countSwitches() {
    switches = 0;
    struct sigaction action {};
    action.sa_handler = countSwitch;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, nullptr);
}

unsigned countedSwitches() {
    return switches;
}

}  // namespace whorl::app
