#include "sim/programs/parallel/shared.h"

namespace whorl::sim {

Spin spinNamed(std::string_view word) {
    if (word == "tas") return Spin::tas;
    return word == "ttas" ? Spin::ttas : Spin::sleep;
}

void Bell::wake(const Member& by) {
    for (Member* sleeper : sleepers_) sleeper->wake(by.last, by.now, by.work);
    sleepers_.clear();
}

Task<> Bell::wait() {
    co_await sleep();
    co_await Noted(SyncKind::wait, number_);
}

Task<> Bell::ring() {
    co_await Noted(SyncKind::signal, number_);
    co_await Ring(*this);
}

Task<> Lock::acquire(std::uint32_t line) {
    co_await Noted(SyncKind::want, number_);
    co_await obtain(line);
    co_await Noted(SyncKind::lock, number_);
}

Task<> Lock::obtain(std::uint32_t line) {
    if (spin_ == Spin::sleep) {
        co_await Awaited(request(CpuRequest::Kind::acquire, line));
        co_return;
    }
    while (true) {
        if (spin_ == Spin::ttas) {
            std::uint32_t taken = co_await word_(line);
            while (taken != 0) taken = co_await word_(line);
        }
        const std::uint32_t taken = co_await word_(line).swap(1);
        if (taken == 0) co_return;
    }
}

Task<> Lock::release(std::uint32_t line) {
    co_await Awaited(request(CpuRequest::Kind::release, line));
    co_await Noted(SyncKind::unlock, number_);
}

Task<> Barrier::wait(int processes, std::uint32_t line) {
    co_await Noted(SyncKind::arrive, number_);
    co_await waitForOthers(processes, line);
    co_await Noted(SyncKind::leave, number_);
}

Task<> Barrier::waitForOthers(int processes, std::uint32_t line) {
    const std::uint32_t round = flag_.value();
    const std::uint32_t before = co_await count_(line).add(1);
    if (before + 1 == static_cast<std::uint32_t>(processes)) {
        co_await (count_(line) = 0);
        co_await (flag_(line) = round + 1);
        co_await Bell::Ring(bell_);
        co_return;
    }
    if (spin_ == Spin::sleep) {
        co_await bell_.sleep();
        co_await flag_(line);
        co_return;
    }
    std::uint32_t flag = co_await flag_(line);
    while (flag == round) flag = co_await flag_(line);
}

Task<> Subscripts::clear(std::uint32_t line) {
    co_await lock_.acquire(line);
    co_await (sub_(line) = 0);
    co_await (seen_(line) = 0);
    co_await lock_.release(line);
}

Task<int> Subscripts::getsub(int max, int processes, std::uint32_t line) {
    co_await lock_.acquire(line);
    int index = co_await sub_(line);
    co_await work(8);
    if (index <= max) {
        co_await (sub_(line) = index + 1);
    } else {
        index = -1;
        const int seen = co_await seen_(line) + 1;
        if (seen == processes) {
            co_await (sub_(line) = 0);
            co_await (seen_(line) = 0);
        } else {
            co_await (seen_(line) = seen);
        }
    }
    co_await lock_.release(line);
    co_return index;
}

}  // namespace whorl::sim
