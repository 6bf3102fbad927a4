#include "app/system/ending.h"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <ctime>
#include <thread>

#include "sim/base/unfinished.h"

namespace whorl::app {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
constexpr timespec kGrace{.tv_sec = 10, .tv_nsec = 0};

std::atomic<int> asked{0};
std::atomic<int> watchers{0};

void awaitSignals(sigset_t signals) {
    int signal = 0;
    while (sigwait(&signals, &signal) != 0) {
    }
    asked = signal;
    // The next signal, or the end of patience.
    if (watchers > 0) sigtimedwait(&signals, nullptr, &kGrace);
    endBy(signal);
}

bool isIgnored(int signal) {
    struct sigaction action {};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void watchSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : kSignals) {
        if (!isIgnored(signal)) sigaddset(&signals, signal);
    }
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread(awaitSignals, signals).detach();
}

int askedToEnd() {
    return asked;
}

EndsInOrder::EndsInOrder() {
    ++watchers;
}

EndsInOrder::~EndsInOrder() {
    --watchers;
}

void endBy(int signal) {
    sim::removeUnfinished();
    std::signal(signal, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    raise(signal);
    _exit(128 + signal);
}

}  // namespace whorl::app
