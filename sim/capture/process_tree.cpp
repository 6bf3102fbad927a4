// Records a program and all processes that come from it, each into a file of its own.
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/output_file.h"
#include "sim/base/text.h"
#include "sim/capture/capture.h"
#include "sim/capture/process_pool.h"
#include "sim/capture/process_recording.h"

namespace whorl::sim {
namespace {

constexpr unsigned kPauseOfTree = 100;         ///< microseconds between checks for records
constexpr unsigned kSlotPausesOfTree = 10;     ///< about the time that recording a slot takes, in pauses
constexpr unsigned kPausesForOthers = 10'000;  ///< that the program may take from its beginning until it records

/// Tells whether a process has ended, also one that is not a child of this one.
class Liveness {
  public:
    explicit Liveness(pid_t process)
        : process_(process), file_(static_cast<int>(syscall(SYS_pidfd_open, process, 0))), knows_(errno != ENOSYS) {}
    ~Liveness() {
        if (file_ >= 0) close(file_);
    }
    Liveness(const Liveness&) = delete;
    Liveness& operator=(const Liveness&) = delete;

    bool hasEnded() const {
        if (file_ < 0) return knows_ || kill(process_, 0) != 0;
        pollfd ready{.fd = file_, .events = POLLIN, .revents = 0};
        return poll(&ready, 1, 0) > 0;
    }

  private:
    pid_t process_;
    int file_;
    bool knows_;
};

/// The parent of a process; 0: it is not there.
pid_t parentOf(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const std::size_t name = text.rfind(')');  // the name before may hold anything
    if (name == std::string::npos || name + 4 >= text.size()) return 0;
    return static_cast<pid_t>(std::strtol(text.c_str() + name + 4, nullptr, 10));
}

/// Whether a process that is there comes from this one.
bool isDescendant(pid_t process) {
    constexpr unsigned kMostGenerations = 1000;
    for (unsigned i = 0; i < kMostGenerations && process > 1; ++i) {
        process = parentOf(process);
        if (process == getpid()) return true;
    }
    return false;
}

/// Whether a process is there, but does not come from this one: a program may have written any number into the pool.
bool isStranger(pid_t process) {
    return access(fmt::format("/proc/{}", process).c_str(), F_OK) == 0 && !isDescendant(process);
}

/// The statuses of the children of this process, to which children without a parent come, too.
class Reaper {
  public:
    Reaper() { prctl(PR_SET_CHILD_SUBREAPER, 1); }
    ~Reaper() { prctl(PR_SET_CHILD_SUBREAPER, 0); }
    Reaper(const Reaper&) = delete;
    Reaper& operator=(const Reaper&) = delete;

    void look() {
        int status = 0;
        pid_t ended = 0;
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0) statuses_[ended] = status;
        hasChildren_ = ended == 0;
    }
    std::optional<int> statusOf(pid_t process) const {
        const auto found = statuses_.find(process);
        return found == statuses_.end() ? std::nullopt : std::optional(found->second);
    }
    /// Whether any child was left at the last look.
    bool hasChildren() const { return hasChildren_; }

  private:
    std::map<pid_t, int> statuses_;
    bool hasChildren_ = true;
};

std::string endInWords(int status) {
    if (!WIFSIGNALED(status)) return fmt::format("exit status {}", WEXITSTATUS(status));
    const char* const name = sigabbrev_np(WTERMSIG(status));
    return name == nullptr ? fmt::format("signal {}", WTERMSIG(status)) : fmt::format("signal SIG{}", name);
}

/// One of the processes. The members are in the order in which others refer to them.
struct TreeProcess {
    std::uint32_t ring = 0;
    std::string path;  ///< of its file
    CaptureOptions options;
    std::unique_ptr<ProgramRecorder> recorder;
    std::unique_ptr<ProcessRecording> recording;  ///< null: concluded
    std::unique_ptr<Liveness> liveness;           ///< while it is recorded, from its beginning
    bool hasBegun = false;
    unsigned pauses = 0;  ///< since it should have begun
    int parent = 0;
    bool hasEnded = false;
    bool isReplaced = false;  ///< by another program in the same process
    std::vector<std::pair<int, std::string>> spawned;
    std::string becomes;
    CapturedProcess told;
};

class ProcessTree {
  public:
    ProcessTree(const CaptureOptions& options, Executable executable, std::string path,
                std::shared_ptr<ProcessPool> pool, ProgramRecorder& first)
        : options_(options),
          executable_(executable),
          path_(std::move(path)),
          pool_(std::move(pool)),
          first_(first),
          byRing_(pool_->rings()),
          waits_(pool_->rings()) {}

    Expected<Captured> run(const AskedToStop& asked, Progress& progress) {
        const auto started = WHORL_TRY(first_.start());
        root_ = started.id();
        for (;;) {
            reaper_.look();
            WHORL_TRY(meet());
            heed(asked());
            const bool any = takeAll(progress);
            if (!any) dropUnborn();
            if (any) {
                pauseLeft(kSlotPausesOfTree);
            } else if (isDone()) {
                break;
            } else {
                usleep(kPauseOfTree);
                pauseLeft(1);
            }
            if (pausesLeft_ == 0u) leaveAll();
        }
        return captured();
    }

  private:
    const CaptureOptions& options_;
    Executable executable_;
    std::string path_;
    std::shared_ptr<ProcessPool> pool_;
    ProgramRecorder& first_;
    std::vector<TreeProcess*> byRing_;  ///< those that are recorded
    std::vector<unsigned> waits_;       ///< by ring: how often its process had to wait for another one
    Reaper reaper_;
    pid_t root_ = 0;
    std::vector<std::unique_ptr<TreeProcess>> members_;
    std::vector<bool> untoldAdded_;  ///< to the tree
    std::optional<Captured> ofRoot_;
    std::optional<Error> failure_;        ///< of the first process
    unsigned nextFile_ = 2;               ///< number of the next file
    std::optional<unsigned> pausesLeft_;  ///< set once the processes were asked to end
    unsigned pausesForOthers_ = kPausesForOthers;
    int asked_ = 0;        ///< the signal by which they were asked to end
    bool isLeft_ = false;  ///< the processes run on

    /// The member that has a ring; null: nobody.
    TreeProcess* memberAt(std::uint32_t ring) const { return byRing_[ring]; }

    /// The last member of a process before `end`; null: it has none.
    TreeProcess* memberOf(int process, std::size_t end) const {
        for (std::size_t i = end; i-- > 0;) {
            if (members_[i]->hasBegun && members_[i]->told.process == process) return members_[i].get();
        }
        return nullptr;
    }

    /// The file for the next process: a number that no file has.
    std::string nextPath() {
        const std::filesystem::path first(path_);
        std::filesystem::path next = first;
        do {
            const unsigned number = nextFile_++;
            next.replace_filename(fmt::format("{}.{}{}", first.stem().string(), number, first.extension().string()));
        } while (access(next.c_str(), F_OK) == 0);
        return next.string();
    }

    /// A process that has a ring, or will have it. The first one is the program itself.
    Expected<TreeProcess*> open(std::uint32_t ring, const PooledProcess& process) {
        auto made = std::make_unique<TreeProcess>();
        made->ring = ring;
        made->path = members_.empty() ? path_ : nextPath();
        made->options = options_;
        if (!members_.empty() && !process.name.empty()) {
            made->options.command = {process.name.substr(0, process.name.find(' '))};
        }
        made->parent = process.parent;
        made->told.name = process.name;
        auto memory = WHORL_TRY(pool_->ring(ring));
        made->recorder = first_.ofOther(std::move(memory));
        auto file = WHORL_TRY(WhorlStream::create(made->path, options_.windows.any()));
        made->recording = recordingOf(made->options, std::move(file), *made->recorder);
        TreeProcess* const member = made.get();
        member->recording->reader().onFork([this, member](std::uint64_t child) { forked(*member, child); });
        byRing_[ring] = member;
        members_.push_back(std::move(made));
        return member;
    }

    /// A process forks: its child, which may not have begun yet, goes on where it is.
    void forked(TreeProcess& parent, std::uint64_t ring) {
        if (ring >= pool_->rings() || pool_->at(static_cast<std::uint32_t>(ring)).state == WHORL_RING_FREE) return;
        if (TreeProcess* const known = memberAt(static_cast<std::uint32_t>(ring)); known != nullptr) {
            if (known->hasBegun) return;
            drop(*known);  // a fork that failed
        }
        PooledProcess child;
        child.parent = parent.told.process;
        child.name = parent.told.name;
        auto member = open(static_cast<std::uint32_t>(ring), child);
        if (member) (*member)->recording->inherit(*parent.recording);
    }

    /// Whether somebody else in the pool must be met first, so that parents come before their children, and what a
    /// process was before what it became.
    bool hasToWait(std::uint32_t ring, const PooledProcess& process) const {
        for (std::uint32_t i = 0; i < pool_->rings(); ++i) {
            const PooledProcess other = pool_->at(i);
            if (i == ring || other.state != WHORL_RING_TAKEN) continue;
            const TreeProcess* const member = memberAt(i);
            const bool isMet = member != nullptr && member->hasBegun;
            // The record in which the parent announces a forked child is not read yet.
            if (other.process == process.parent && (!isMet || process.isForked)) return true;
            if (other.process == process.process && !process.isForked && other.isForked && !isMet) return true;
        }
        return false;
    }

    /// Finds processes that have begun.
    Expected<void> meet() {
        for (std::uint32_t ring = 0; ring < pool_->rings() && !isLeft_; ++ring) {
            const PooledProcess process = pool_->at(ring);
            if (process.state != WHORL_RING_TAKEN || process.process <= 0) continue;
            TreeProcess* member = memberAt(ring);
            if (member == nullptr && hasToWait(ring, process) && ++waits_[ring] < kPausesForOthers) continue;
            waits_[ring] = 0;
            if (member != nullptr && member->hasBegun) continue;
            if (isStranger(process.process)) continue;
            if (member == nullptr) member = WHORL_TRY(open(ring, process));
            begin(*member, process);
        }
        return {};
    }

    void begin(TreeProcess& member, const PooledProcess& process) {
        for (const auto& other : members_) {
            if (other->liveness && other->told.process == process.process && !other->hasEnded) {
                other->isReplaced = true;
            }
        }
        member.told.process = process.process;
        member.told.name = process.name;
        member.parent = process.parent;
        member.recorder->isOf(process.process);
        member.recording->isOf(ChildProcess::ofOther(process.process));
        member.liveness = std::make_unique<Liveness>(process.process);
        member.hasBegun = true;
        if (asked_ != 0) askToEnd(member);
    }

    void heed(int signal) {
        if (signal == 0 || pausesLeft_) return;
        pausesLeft_ = options_.patience;
        asked_ = signal;
        if (signal != SIGINT && !reaper_.statusOf(root_)) kill(root_, signal);
        for (const auto& m : members_) {
            if (m->recording && m->liveness) askToEnd(*m);
        }
    }

    void askToEnd(TreeProcess& member) {
        member.recording->askedToEnd();
        // The terminal sends Ctrl+C to all of them, and the first one was asked.
        if (asked_ == SIGINT || member.told.process == root_ || member.liveness->hasEnded()) return;
        if (isDescendant(member.told.process)) kill(member.told.process, asked_);
    }

    void pauseLeft(unsigned pauses) {
        if (pausesLeft_) *pausesLeft_ -= std::min(*pausesLeft_, pauses);
    }

    bool takeAll(Progress& progress) {
        bool any = false;
        std::uint64_t accesses = 0;
        const auto take = [&](TreeProcess& member) {
            if (!member.recording) return;
            if (!member.hasEnded && member.liveness) {
                member.hasEnded = member.isReplaced || member.liveness->hasEnded();
            }
            const bool took = member.recording->take(member.hasEnded);
            accesses += member.recording->accesses();
            any = any || took;
            if (!took && member.hasEnded) conclude(member);
        };
        // The list grows where a process forks.
        std::size_t next = 0;
        while (next < members_.size()) take(*members_[next++]);
        progress.setAccesses(accesses);
        return any;
    }

    /// Frees what was reserved for a child whose fork failed. A child that begins slowly has time for that.
    void dropUnborn() {
        for (const auto& m : members_) {
            if (!m->recording || m->hasBegun || ++m->pauses < kPausesForOthers) continue;
            const TreeProcess* const parent = memberOf(m->parent, members_.size());
            if (parent != nullptr && parent->recording) continue;
            drop(*m);
            pool_->release(m->ring);
        }
    }

    int statusOf(const TreeProcess& member, const PooledProcess& told) {
        reaper_.look();
        if (const auto status = reaper_.statusOf(member.told.process)) return *status;
        if (const int signal = member.recorder->signalOfEnd(); signal != 0) return signal;
        constexpr int kToStatus = 8;
        return told.status.value_or(0) << kToStatus;
    }

    void conclude(TreeProcess& member) {
        const PooledProcess process = pool_->at(member.ring);
        const bool isRoot = &member == members_.front().get();
        const int status = member.isReplaced || isLeft_ ? 0 : statusOf(member, process);
        const bool isKnown = status != 0 || process.status || reaper_.statusOf(member.told.process);
        CaptureLog& log = member.recording->reader().log();
        member.spawned = std::move(log.spawned);
        if (log.becameOther) member.becomes = log.becomes.empty() ? "another program" : log.becomes;
        member.told.accesses = member.recording->accesses();
        auto captured = member.recording->conclude(status, isRoot ? executable_ : Executable{}, member.path);
        if (captured) {
            member.told.file = member.path;
            member.told.accesses = captured->accesses;
            member.told.losses = captured->losses;
        } else {
            member.told.why = member.told.accesses == 0 && log.begun ? "it made no access" : captured.error().what;
        }
        if (member.isReplaced) {
            member.told.end = "then another program";
        } else if (isLeft_) {
            member.told.end = "runs on";
        } else if (isKnown) {
            member.told.end = endInWords(status);
        }
        if (isRoot && captured) {
            ofRoot_ = *std::move(captured);
        } else if (isRoot && !ofRoot_ && !failure_) {
            failure_ = captured.error();
        }
        drop(member);
        if (!isLeft_) pool_->release(member.ring);
    }

    /// Nothing more is read of a process.
    void drop(TreeProcess& member) {
        member.recording.reset();
        member.recorder.reset();
        member.liveness.reset();
        member.options = {};
        byRing_[member.ring] = nullptr;
    }

    /// Whether no process is left that is recorded, or may be.
    bool isDone() {
        const bool isAnyLeft =
            std::any_of(members_.begin(), members_.end(), [](const auto& m) { return m->recording != nullptr; });
        if (isLeft_) return true;
        if (isAnyLeft) return false;
        if (!reaper_.statusOf(root_)) return false;
        // One that was started last may not record yet.
        return !reaper_.hasChildren() || pausesForOthers_-- == 0;
    }

    /// Ends the recording of processes that do not end.
    void leaveAll() {
        isLeft_ = true;
        for (const auto& m : members_) {
            if (!m->recording) continue;
            m->recording->leave();
            if (m->hasBegun) conclude(*m);
        }
    }

    // --- the tree, for people

    static std::string notFollowed() { return "whorl cc did not compile it"; }

    /// By member, those that are its children, or what it became; the last list is of those that are nobody's.
    std::vector<std::vector<std::size_t>> childrenOfAll() const {
        std::vector<std::vector<std::size_t>> children(members_.size() + 1);
        std::map<int, std::size_t> last;  // member by process
        for (std::size_t i = 0; i < members_.size(); ++i) {
            const TreeProcess& member = *members_[i];
            if (!member.hasBegun) continue;
            auto before = last.find(member.told.process);
            if (before == last.end()) before = last.find(member.parent);
            children[before == last.end() ? members_.size() : before->second].push_back(i);
            last[member.told.process] = i;
        }
        return children;
    }

    /// Whether any member is a process.
    bool isRecorded(int process) const {
        return std::any_of(members_.begin(), members_.end(),
                           [&](const auto& m) { return m->hasBegun && m->told.process == process; });
    }

    /// Adds the processes that found no ring, of a parent, or all others.
    void addUntold(std::vector<CapturedProcess>& tree, std::optional<int> parent, unsigned depth) {
        untoldAdded_.resize(std::min<std::uint32_t>(pool_->untold(), WHORL_MOST_UNTOLD));
        for (std::uint32_t i = 0; i < untoldAdded_.size(); ++i) {
            const PooledProcess process = pool_->without(i);
            const bool isSound = process.state == WHORL_RING_TAKEN && process.process > 0;
            if (!isSound || untoldAdded_[i] || (parent && process.parent != *parent)) continue;
            untoldAdded_[i] = true;
            tree.push_back(
                {.process = process.process,
                 .depth = depth,
                 .name = process.name,
                 .file = {},
                 .why = fmt::format("{} processes were recorded already, or its parent no more", pool_->rings()),
                 .end = {},
                 .accesses = 0,
                 .losses = {}});
            addUntold(tree, process.process, depth + 1);
        }
    }

    void addTo(std::vector<CapturedProcess>& tree, const std::vector<std::vector<std::size_t>>& children,
               std::size_t index, unsigned depth) {
        const TreeProcess& member = *members_[index];
        CapturedProcess told = member.told;
        told.depth = depth;
        tree.push_back(std::move(told));
        const auto addUnrecorded = [&](int process, const std::string& name, std::string why, std::string end) {
            tree.push_back({.process = process,
                            .depth = depth + 1,
                            .name = name,
                            .file = {},
                            .why = std::move(why),
                            .end = std::move(end),
                            .accesses = 0,
                            .losses = {}});
        };
        if (!member.becomes.empty() && !member.isReplaced) {
            addUnrecorded(member.told.process, member.becomes, notFollowed(), member.told.end);
            tree[tree.size() - 2].end = "then another program";
        }
        for (const auto& [process, name] : member.spawned) {
            if (process == 0 || !isRecorded(process)) addUnrecorded(process, name, notFollowed(), {});
        }
        addUntold(tree, member.told.process, depth + 1);
        for (const std::size_t child : children[index]) addTo(tree, children, child, depth + 1);
    }

    std::vector<CapturedProcess> treeOfAll() {
        std::vector<CapturedProcess> tree;
        const auto children = childrenOfAll();
        for (const std::size_t i : children.back()) addTo(tree, children, i, i == 0 ? 0 : 1);
        addUntold(tree, {}, 1);
        return tree;
    }

    Expected<Captured> captured() {
        const auto rootStatus = reaper_.statusOf(root_);
        Captured all = ofRoot_.value_or(Captured{});
        all.processes = treeOfAll();
        const bool isAny = std::any_of(all.processes.begin(), all.processes.end(),
                                       [](const CapturedProcess& p) { return !p.file.empty(); });
        if (!isAny && failure_) return tl::unexpected(*failure_);
        if (!isAny) {
            const std::string refusal = first_.refusal();
            return fail(options_.command[0], refusal.empty() ? "none of its processes could be recorded" : refusal);
        }
        all.status = shellStatus(rootStatus.value_or(asked_));
        const std::uint32_t untold = pool_->untold();
        if (untold > WHORL_MOST_UNTOLD) {
            all.losses.push_back(fmt::format("{} more processes were not recorded", untold - WHORL_MOST_UNTOLD));
        }
        return all;
    }
};

}  // namespace

Expected<Captured> captureTree(const CaptureOptions& options, const std::string& program, const Executable& executable,
                               const std::string& path, const AskedToStop& asked, Progress& progress) {
    auto pool = WHORL_TRY(ProcessPool::create(options.rings, executable.hasRuntime ? kRuntimeRing : kValgrindRing));
    auto first = WHORL_TRY(executable.hasRuntime ? runtimeRecorder(options, pool)
                                                 : valgrindRecorder(options, program, executable, pool));
    ProcessTree tree(options, executable, path, pool, *first);
    return tree.run(asked, progress);
}

}  // namespace whorl::sim
