#include "sim/trace/virtual_time.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/memory_budget.h"
#include "sim/trace/region.h"
#include "sim/trace/sync_log.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {
namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// The CPUs that have accesses in each chunk, a bit each; 0: no CPU has come so far yet.
using CpusOfChunks = std::vector<std::uint64_t>;

/// Iterates over the accesses of a CPU.
class CpuAccesses {
  public:
    CpuAccesses(const Trace& trace, CpusOfChunks& chunks, std::uint8_t cpu)
        : chunks_(&chunks), cursor_(trace), cpu_(cpu) {
        find();
    }

    /// The tick of the next access; kNever at the end.
    std::uint64_t tick() const { return at_ < accesses_.size() ? chunk_ * Trace::kChunk + at_ : kNever; }
    const PackedAccess& access() const { return accesses_[at_]; }
    void advance() {
        ++at_;
        find();
    }

  private:
    CpusOfChunks* chunks_;
    TraceCursor cursor_;
    std::uint8_t cpu_;
    std::span<const PackedAccess> accesses_;
    std::size_t chunk_ = 0;
    std::size_t at_ = 0;
    std::size_t next_ = 0;  ///< index of the next chunk

    void find() {
        for (;;) {
            while (at_ < accesses_.size() && accesses_[at_].cpu() != cpu_) ++at_;
            if (at_ < accesses_.size()) return;
            while (next_ < chunks_->size() && isKnownToLack((*chunks_)[next_])) ++next_;
            accesses_ = {};
            if (next_ == chunks_->size()) return;
            chunk_ = next_++;
            accesses_ = cursor_.chunk(chunk_);
            at_ = 0;
            std::uint64_t& cpus = (*chunks_)[chunk_];
            if (cpus != 0) continue;
            for (const PackedAccess& access : accesses_) cpus |= std::uint64_t{1} << access.cpu();
        }
    }
    bool isKnownToLack(std::uint64_t cpus) const { return cpus != 0 && (cpus >> cpu_ & 1) == 0; }
};

bool isWait(SyncKind kind) {
    return kind == SyncKind::lock || kind == SyncKind::wait || kind == SyncKind::leave;
}

/// Iterates over the synchronization operations of a CPU.
class CpuSyncs {
  public:
    CpuSyncs(const SyncLog& log, const SyncNeeds& needs, std::uint8_t cpu) : cursor_(log), needs_(&needs), cpu_(cpu) {
        advance();
    }

    bool done() const { return isDone_; }
    const Sync& sync() const { return sync_; }
    /// The number of events that a wait needs.
    std::uint32_t need() const { return needs_->waits[waits_ - 1]; }
    /// The position of the operation in the log.
    std::uint64_t position() const { return position_; }
    void advance() {
        do {
            isDone_ = !cursor_.next(sync_);
            if (isDone_) return;
            ++position_;
            if (isWait(sync_.kind)) ++waits_;
        } while (sync_.cpu != cpu_);
    }

  private:
    SyncCursor cursor_;
    const SyncNeeds* needs_;
    std::uint8_t cpu_;
    Sync sync_;
    bool isDone_ = false;
    std::size_t waits_ = 0;
    std::uint64_t position_ = 0;
};

/// Counts the unlocks of each lock, the occurrences of each event, the arrivals at each barrier, and the stock of each
/// semaphore.
class SyncCounts {
  public:
    explicit SyncCounts(std::vector<std::uint32_t> stock) : counts_(std::move(stock)) {}

    /// Whether a CPU may proceed; `need` is the number of events that a wait needs.
    bool mayPass(const Sync& sync, std::uint32_t need) const {
        if (sync.kind == SyncKind::take) return counts_[sync.object] > 0;
        return !isWait(sync.kind) || counts_[sync.object] >= need;
    }
    void pass(const Sync& sync) {
        std::uint32_t& count = counts_[sync.object];
        if (sync.kind == SyncKind::take) count -= std::min(count, 1u);
        if (wakes(sync.kind)) ++count;
    }
    /// Whether others may be able to proceed after this.
    static bool wakes(SyncKind kind) {
        return !isWait(kind) && kind != SyncKind::take && kind != SyncKind::follow && kind != SyncKind::want;
    }

  private:
    std::vector<std::uint32_t> counts_;
};

/// Tells the C library's own variables from the program's, as the locks of malloc. In which order threads came by them
/// says nothing of the program: another order is as good.
class LibraryState {
  public:
    explicit LibraryState(const Trace& trace) : trace_(trace) {
        for (const Site& site : trace.sites()) isOfCode_.push_back(isInLibrary(site.pc));
    }

    /// Whether this access by the library is to a variable of its own: it is in no memory that has a name.
    bool isAccessed(const PackedAccess& access, Tick tick) const {
        if (!isOfCode_[access.site().value]) return false;
        const std::size_t r = trace_.regionAt(access.address());
        const bool isDeclared = r < trace_.regions().size() && trace_.regions()[r].origin == RegionOrigin::declared;
        return !isDeclared && trace_.objectAt(access.address(), tick) == nullptr;
    }

  private:
    const Trace& trace_;
    std::vector<bool> isOfCode_;  ///< by site

    bool isInLibrary(ByteAddress pc) const {
        const auto& modules = trace_.modules();
        return std::any_of(modules.begin(), modules.end(), [&](const Module& module) {
            const std::string file = module.path.substr(module.path.rfind('/') + 1);
            return pc.value - module.base.value < module.size &&
                   (file.starts_with("libc.so") || file.starts_with("libc-"));
        });
    }
};

using Turn = std::pair<std::uint64_t, std::uint8_t>;  ///< clock and CPU

/// The CPUs that may proceed, by their clocks. A sorted list: there are few, and turns change at nearly every access.
class CpuTurns {
  public:
    bool empty() const { return turns_.empty(); }
    Turn first() const { return turns_.back(); }
    void removeFirst() { turns_.pop_back(); }
    void add(Turn turn) {
        auto at = turns_.begin();
        while (at != turns_.end() && *at > turn) ++at;
        turns_.insert(at, turn);
    }

  private:
    std::vector<Turn> turns_;  ///< the first one last
};

/// Collects the accesses in their new order.
class NewOrder {
  public:
    NewOrder(const Trace& trace, MemoryBudget& budget, Progress& progress)
        : trace_(trace),
          budget_(budget),
          progress_(progress),
          builder_(trace.name()),
          touches_(trace.objects().size()) {
        builder_.limitMemory(budget.left());
        for (const Mark& mark : trace.marks()) marked_.insert(mark.at.value);
    }

    void add(std::uint64_t tick, const PackedAccess& access) {
        if (!trace_.objects().empty()) touch(Tick{tick}, access);
        if (!marked_.empty() && marked_.contains(tick)) moved_[tick] = builder_.size();
        builder_.add(access);
        if (builder_.size() % Trace::kChunk != 0) return;
        progress_.advance(Trace::kChunk);
        if (builder_.isBeyondMemory() && !budget_.exceeded()) budget_.take(builder_.bytes());
    }

    /// Adds a synchronization operation before the next access. A follow is left out: the access that it refers to has
    /// a new place, and a follow indicates no waiting.
    void add(Sync sync) {
        if (sync.kind == SyncKind::follow) return;
        sync.at = Tick{builder_.size()};
        syncs_.add(sync);
    }

    /// A window of the recording begins with the next access.
    void beginWindow() { windows_.push_back(Tick{builder_.size()}); }

    Trace finish() {
        TraceParts known = trace_.parts();
        if (known.windows) {
            Windows windows = *known.windows;
            windows.begins = std::move(windows_);
            known.windows = std::make_shared<const Windows>(std::move(windows));
        }
        known.isInVirtualTime = true;
        known.syncs = trace_.syncs() ? std::make_shared<const SyncLog>(std::move(syncs_)) : nullptr;
        moveMarks(known.marks);
        moveObjects(known.objects);
        std::vector<Region> regions = std::move(known.regions);
        builder_.adopt(std::move(known));
        return builder_.finishWith(std::move(regions));
    }

  private:
    struct Touches {
        std::uint64_t first = kNever;
        std::uint64_t last = 0;
    };

    const Trace& trace_;
    MemoryBudget& budget_;
    Progress& progress_;
    TraceBuilder builder_;
    std::set<std::uint64_t> marked_;
    std::map<std::uint64_t, std::uint64_t> moved_;  ///< new ticks of the marked accesses
    std::vector<Touches> touches_;                  ///< by object
    std::array<const Object*, kMaxCpus> recent_{};  ///< by CPU
    SyncLog syncs_;
    std::vector<Tick> windows_;

    void touch(Tick tick, const PackedAccess& access) {
        const Object*& recent = recent_[access.cpu()];
        if (recent == nullptr || !recent->contains(access.address(), tick)) {
            const Object* const object = trace_.objectAt(access.address(), tick);
            if (object == nullptr) return;
            recent = object;
        }
        Touches& touches = touches_[static_cast<std::size_t>(recent - trace_.objects().data())];
        touches.first = std::min(touches.first, builder_.size());
        touches.last = builder_.size();
    }

    void moveMarks(std::vector<Mark>& marks) const {
        for (Mark& mark : marks) {
            const auto moved = moved_.find(mark.at.value);
            mark.at = Tick{moved == moved_.end() ? builder_.size() : moved->second};
        }
        std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.at < b.at; });
    }

    /// Moves objects to their new ticks. An object ends where the next one in its memory begins.
    void moveObjects(std::vector<Object>& objects) const {
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const Touches& touches = touches_[i];
            const bool isTouched = touches.first != kNever;
            objects[i].born = Tick{isTouched ? touches.first : builder_.size()};
            if (!isTouched) objects[i].died = objects[i].born;
            if (isTouched && objects[i].died.value != kNever) objects[i].died = Tick{touches.last + 1};
        }
        endBeforeNext(objects);
    }
};

class VirtualTime {
  public:
    VirtualTime(const Trace& trace, const SyncLog& log, MemoryBudget& budget, Progress& progress)
        : budget_(budget),
          needs_(needsOf(log)),
          counts_(needs_.stock),
          chunks_(trace.accesses().chunks()),
          library_(trace),
          order_(trace, budget, progress) {
        if (trace.windows()) windows_ = trace.windows()->begins;
        openWindow();
        for (std::uint32_t c = 0; c < trace.cpus(); ++c) {
            const auto cpu = static_cast<std::uint8_t>(c);
            cpus_.emplace_back(new Cpu{CpuAccesses(trace, chunks_, cpu), CpuSyncs(log, needs_, cpu)});
            ready_.add({0, cpu});
        }
    }

    /// Returns nothing if it was cancelled, or exceeds the budget.
    std::optional<Trace> run(const Progress& progress) {
        while (!progress.cancelled() && !budget_.exceeded()) {
            if (ready_.empty() && !openWindow() && !forceOne()) return order_.finish();
            if (ready_.empty()) continue;
            const Turn turn = ready_.first();
            ready_.removeFirst();
            proceed(turn.second);
        }
        return std::nullopt;
    }

  private:
    struct Cpu {
        CpuAccesses accesses;
        CpuSyncs syncs;
        std::uint64_t clock = 0;
        bool waits = false;
        std::uint64_t followed = kNever;  ///< the CPU's first access for which others wait
    };

    const MemoryBudget& budget_;
    SyncNeeds needs_;
    SyncCounts counts_;
    CpusOfChunks chunks_;
    std::vector<std::unique_ptr<Cpu>> cpus_;  // by pointers, since cursors cannot be copied
    LibraryState library_;
    CpuTurns ready_;
    NewOrder order_;
    // CPUs go side by side within each window of the recording, since much of what they did between is not known.
    std::span<const Tick> windows_;    ///< those that have not begun
    std::vector<std::uint8_t> ahead_;  ///< CPUs whose next access is in one of those

    std::uint64_t endOfWindow() const { return windows_.empty() ? kNever : windows_.front().value; }

    /// Begins the next window, for all CPUs at the same time. False if there is none.
    bool openWindow() {
        if (windows_.empty()) return false;
        windows_ = windows_.subspan(1);
        order_.beginWindow();
        std::uint64_t now = 0;
        for (const std::uint8_t number : ahead_) now = std::max(now, cpus_[number]->clock);
        for (const std::uint8_t number : std::exchange(ahead_, {})) {
            cpus_[number]->clock = now;
            ready_.add({now, number});
        }
        return true;
    }

    /// Lets a CPU proceed as long as no other CPU is behind it.
    void proceed(std::uint8_t number) {
        Cpu& cpu = *cpus_[number];
        while (ready_.empty() || Turn(cpu.clock, number) < ready_.first()) {
            const std::uint64_t tick = cpu.accesses.tick();
            if (!cpu.syncs.done() && cpu.syncs.sync().at.value <= tick) {
                if (!pass(cpu)) return;
            } else if (tick == kNever) {
                return;
            } else if (tick >= endOfWindow()) {
                ahead_.push_back(number);
                return;
            } else if (!addNext(cpu)) {
                break;
            }
        }
        ready_.add({cpu.clock, number});
    }

    /// Adds the CPU's next access, and if that is the read of a modify, the write, too. False if CPUs that waited for
    /// it may proceed.
    bool addNext(Cpu& cpu) {
        do {
            order_.add(cpu.accesses.tick(), cpu.accesses.access());
            cpu.accesses.advance();
            ++cpu.clock;
        } while (cpu.accesses.tick() != kNever && cpu.accesses.access().modify());
        if (cpu.accesses.tick() <= cpu.followed) return true;
        wakeFollowers(cpu);
        return false;
    }

    /// Whether a CPU's next synchronization operation, which is due, may happen now. If a follow may not, notes in the
    /// other CPU the access for which it waits.
    bool mayPass(const Cpu& cpu) {
        const Sync& sync = cpu.syncs.sync();
        if (sync.kind != SyncKind::follow) return counts_.mayPass(sync, isWait(sync.kind) ? cpu.syncs.need() : 0);
        const Sync::Earlier earlier = sync.earlier();
        Cpu& other = *cpus_[earlier.cpu];
        const std::uint64_t next = cpu.accesses.tick();
        const bool isPast = other.accesses.tick() > earlier.at.value;
        if (isPast || (next != kNever && library_.isAccessed(cpu.accesses.access(), Tick{next}))) return true;
        other.followed = std::min(other.followed, earlier.at.value);
        return false;
    }

    void wakeFollowers(Cpu& cpu) {
        cpu.followed = kNever;
        for (std::size_t c = 0; c < cpus_.size(); ++c) {
            const Sync& sync = cpus_[c]->syncs.sync();
            if (cpus_[c]->waits && sync.kind == SyncKind::follow && cpus_[sync.earlier().cpu].get() == &cpu)
                wake(static_cast<std::uint8_t>(c), cpu.clock);
        }
    }

    /// Performs the CPU's next synchronization operation. False if the CPU has to wait.
    bool pass(Cpu& cpu) {
        const Sync sync = cpu.syncs.sync();
        cpu.waits = !mayPass(cpu);
        if (cpu.waits) return false;
        if (sync.kind != SyncKind::follow) counts_.pass(sync);
        order_.add(sync);
        cpu.syncs.advance();
        if (SyncCounts::wakes(sync.kind)) wakeWaiters(sync.object, cpu.clock);
        return true;
    }

    /// Lets the CPUs that wait for an object check again whether they may proceed.
    void wakeWaiters(std::uint32_t object, std::uint64_t now) {
        for (std::size_t c = 0; c < cpus_.size(); ++c) {
            const Sync& sync = cpus_[c]->syncs.sync();
            if (cpus_[c]->waits && sync.kind != SyncKind::follow && sync.object == object)
                wake(static_cast<std::uint8_t>(c), now);
        }
    }

    void wake(std::uint8_t number, std::uint64_t now) {
        Cpu& cpu = *cpus_[number];
        cpu.waits = false;
        cpu.clock = std::max(cpu.clock, now);
        ready_.add({cpu.clock, number});
    }

    /// If all CPUs wait, lets the one proceed that waits at the earliest position of the recorded log. False if none
    /// waits.
    bool forceOne() {
        Cpu* first = nullptr;
        std::uint8_t number = 0;
        for (std::size_t c = 0; c < cpus_.size(); ++c) {
            Cpu& cpu = *cpus_[c];
            if (!cpu.waits || (first != nullptr && first->syncs.position() <= cpu.syncs.position())) continue;
            first = &cpu;
            number = static_cast<std::uint8_t>(c);
        }
        if (first == nullptr) return false;
        if (first->syncs.sync().kind != SyncKind::follow) counts_.pass(first->syncs.sync());
        order_.add(first->syncs.sync());
        first->syncs.advance();
        first->waits = false;
        ready_.add({first->clock, number});
        return true;
    }
};

}  // namespace

Expected<Trace> inVirtualTime(const Trace& trace, const std::string& name, Progress& progress, std::uint64_t memory) {
    if (!trace.timing().empty() || trace.recording() != nullptr) {
        return fail(name, "the accesses of this trace have times of their own, and are ordered by them",
                    "leave --interleaving virtual out");
    }
    if (trace.cpus() == 1 || trace.isInVirtualTime()) return trace;
    MemoryBudget budget(memory);
    budget.take(trace.accesses().bytes());
    progress.start(trace.size());
    const SyncLog none;
    VirtualTime time(trace, trace.syncs() ? *trace.syncs() : none, budget, progress);
    auto ordered = time.run(progress);
    if (budget.exceeded()) return tl::unexpected(budget.error(name));
    if (!ordered) return tl::unexpected(Error::byUser());
    return *std::move(ordered);
}

bool hasOrders(const Trace& trace) {
    return trace.cpus() > 1 && trace.timing().empty() && trace.recording() == nullptr;
}

bool goesByVirtualTime(const Trace& trace) {
    const SyncLog* const log = trace.syncs().get();
    return hasOrders(trace) && log != nullptr && log->hasWaits() && !log->isFull();
}

Expected<Trace> inOrder(Trace trace, AccessOrder order, const std::string& name, Progress& progress,
                        std::uint64_t memory) {
    const bool isVirtual =
        order == AccessOrder::virtualTime || (order == AccessOrder::automatic && goesByVirtualTime(trace));
    return isVirtual ? inVirtualTime(trace, name, progress, memory) : std::move(trace);
}

}  // namespace whorl::sim
