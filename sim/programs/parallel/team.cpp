#include "sim/programs/parallel/team.h"

#include <algorithm>
#include <utility>

namespace whorl::sim {

Team::Team(std::string traceName, const MachineConfig& machine, const Listing& listing, std::uint64_t expected,
           Progress& progress)
    : recorder_(std::move(traceName), listing, expected, progress), simulator_(machine) {
    recorder_.builder().workBeforeEach(kCyclesPerAccess);
    recorder_.builder().keepUnrecorded();
    recorder_.builder().machine(machineAsJson(machine));
}

void Team::name(std::string object, std::string className, ByteAddress base, std::uint64_t size) {
    recorder_.builder().newObject(
        {.name = std::move(object), .className = std::move(className), .base = base, .size = size, .born = {}});
}

void Team::tracing(bool on) {
    tracing_ = on;
    recorder_.builder().recording(on);
}

void Team::start(Task<> task) {
    Member& member = members_.emplace_back();
    member.cpu = static_cast<std::uint32_t>(members_.size() - 1);
    member.notes = this;
    task.belongTo(member);
    tasks_.push_back(std::move(task));
}

bool Team::run() {
    for (Member& member : members_) resume(member);
    while (Member* member = nextToRun()) {
        if (serve(*member)) resume(*member);
    }
    return std::all_of(members_.begin(), members_.end(), [](const Member& m) { return m.finished; });
}

Member* Team::nextToRun() {
    Member* first = nullptr;
    Cycles earliest = 0;
    for (Member& member : members_) {
        if (member.asleep || member.finished) continue;
        const Cycles start = member.start();
        if (first != nullptr && start >= earliest) continue;
        first = &member;
        earliest = start;
    }
    return first;
}

Trace Team::finish() {
    if (!syncs_.empty()) recorder_.builder().keep(std::move(syncs_));
    return recorder_.finish();
}

void Team::note(std::uint8_t cpu, SyncKind kind, std::uint32_t& object) {
    if (object == 0) object = ++objects_;
    syncs_.add({.at = Tick{recorder_.builder().size()}, .cpu = cpu, .kind = kind, .object = object - 1});
}

/// Runs a CPU until it requests an operation.
void Team::resume(Member& member) {
    member.request.kind = CpuRequest::Kind::nothing;
    while (member.running && member.request.kind == CpuRequest::Kind::nothing) member.running.resume();
    if (!member.running) {
        member.finished = true;
        wakeJoining();
    } else if (member.request.kind == CpuRequest::Kind::sleep) {
        member.asleep = true;
        member.request.bell->sleepers_.push_back(&member);
    } else if (member.request.kind == CpuRequest::Kind::join) {
        member.asleep = true;
        joining_ = &member;
        wakeJoining();
    }
}

/// Wakes up the CPU that waits for the others, if they have finished.
void Team::wakeJoining() {
    if (joining_ == nullptr) return;
    const Member* last = nullptr;
    for (const Member& member : members_) {
        if (&member == joining_) continue;
        if (!member.finished) return;
        if (last == nullptr || member.now + member.work > last->now + last->work) last = &member;
    }
    if (last != nullptr) joining_->wake(last->last, last->now, last->work);
    joining_->asleep = false;
    joining_ = nullptr;
}

/// Serves the request of a CPU. False if it has to wait.
bool Team::serve(Member& member) {
    switch (member.request.kind) {
        case CpuRequest::Kind::access:
            access(member, member.request.op, false);
            return true;
        case CpuRequest::Kind::modify:
            access(member, Op::read, false);
            access(member, Op::write, true);
            return true;
        case CpuRequest::Kind::acquire:
            return acquire(member);
        case CpuRequest::Kind::release:
            release(member);
            return true;
        default:
            return true;  // the CPU has been woken up
    }
}

void Team::access(Member& member, Op op, bool modify) {
    TraceBuilder& builder = recorder_.builder();
    if (member.work != 0 || member.after != Delay::kNoAccess) builder.delay(member.work, member.after);
    const Access made{.address = member.request.address,
                      .size = member.request.size,
                      .op = op,
                      .cpu = static_cast<std::uint8_t>(member.cpu),
                      .modify = modify,
                      .unrecorded = !tracing_,
                      .site = recorder_.siteOf(member.request.line)};
    const Cycles waited = simulator_.clock(member.cpu);
    events_.clear();
    simulator_.step(made, events_);
    member.now = member.start() + (simulator_.clock(member.cpu) - waited);
    member.work = 0;
    member.last = Tick{builder.size()};
    member.after = Delay::kNoAccess;
    member.woken = 0;
    recorder_.record(made, member.request.value(op));
}

/// True if the CPU has the lock now. Otherwise it gets the lock in its turn, and its request becomes a plain access.
bool Team::acquire(Member& member) {
    Lock& lock = *member.request.lock;
    if (lock.holder_ != nullptr) {
        member.asleep = true;
        lock.waiting_.push_back(&member);
        return false;
    }
    lock.holder_ = &member;
    if (lock.released_ == Delay::kNoAccess) {
        access(member, Op::write, false);
        return true;
    }
    const Cycles ready = member.start();
    member.wake(lock.released_, lock.free_, 0);
    if (member.start() == ready) {
        access(member, Op::write, false);
        return true;
    }
    member.request.kind = CpuRequest::Kind::access;
    return false;
}

void Team::release(Member& member) {
    Lock& lock = *member.request.lock;
    access(member, Op::write, false);
    lock.word_.value() = 0;
    lock.released_ = member.last;
    lock.free_ = member.now;
    lock.holder_ = nullptr;
    if (lock.waiting_.empty()) return;
    lock.holder_ = lock.waiting_.front();
    lock.waiting_.pop_front();
    lock.holder_->wake(lock.released_, lock.free_, 0);
    lock.holder_->request.kind = CpuRequest::Kind::access;
}

}  // namespace whorl::sim
