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
#include <cstring>
#include <filesystem>
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
constexpr std::size_t kMostFiles = 100'000;

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
    std::unique_ptr<Liveness> liveness;           ///< null: it has not begun
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
        : options_(options), executable_(executable), path_(std::move(path)), pool_(std::move(pool)), first_(first) {}

    Expected<Captured> run(const AskedToStop& asked, Progress& progress) {
        const auto started = WHORL_TRY(first_.start());
        root_ = started.id();
        for (;;) {
            reaper_.look();
            WHORL_TRY(meet());
            heed(asked());
            const bool any = takeAll(progress);
            conclude();
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
    TreeProcess* memberAt(std::uint32_t ring) const {
        for (const auto& m : members_) {
            if (m->recording && m->ring == ring) return m.get();
        }
        return nullptr;
    }

    /// The last member of a process before `end`; null: it has none.
    TreeProcess* memberOf(int process, std::size_t end) const {
        for (std::size_t i = end; i-- > 0;) {
            if (members_[i]->liveness && members_[i]->told.process == process) return members_[i].get();
        }
        return nullptr;
    }

    /// The file for the next process: a number that no file has.
    std::string nextPath() {
        const std::filesystem::path first(path_);
        for (; nextFile_ < kMostFiles; ++nextFile_) {
            std::filesystem::path next = first;
            next.replace_filename(fmt::format("{}.{}{}", first.stem().string(), nextFile_, first.extension().string()));
            if (access(next.c_str(), F_OK) == 0) continue;
            ++nextFile_;
            return next.string();
        }
        return first.string() + ".more";
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
        members_.push_back(std::move(made));
        return member;
    }

    /// A process forks: its child, which may not have begun yet, goes on where it is.
    void forked(TreeProcess& parent, std::uint64_t ring) {
        if (ring >= pool_->rings() || pool_->at(static_cast<std::uint32_t>(ring)).state == WHORL_RING_FREE) return;
        if (TreeProcess* const known = memberAt(static_cast<std::uint32_t>(ring)); known != nullptr) {
            if (known->liveness) return;
            known->recording.reset();  // a fork that failed
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
            const bool isMet = member != nullptr && member->liveness;
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
            if (member == nullptr && hasToWait(ring, process)) continue;
            if (member == nullptr) member = WHORL_TRY(open(ring, process));
            if (!member->liveness) begin(*member, process);
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
        kill(member.told.process, asked_);
    }

    void pauseLeft(unsigned pauses) {
        if (pausesLeft_) *pausesLeft_ -= std::min(*pausesLeft_, pauses);
    }

    bool takeAll(Progress& progress) {
        bool any = false;
        std::uint64_t accesses = 0;
        // The list grows where a process forks.
        for (std::size_t i = 0; i < members_.size(); ++i) {
            TreeProcess& member = *members_[i];
            if (!member.recording) continue;
            if (!member.hasEnded && member.liveness) {
                member.hasEnded = member.isReplaced || member.liveness->hasEnded();
            }
            const bool took = member.recording->take(member.hasEnded);
            accesses += member.recording->accesses();
            any = any || took;
            if (!took && member.hasEnded) conclude(member);
        }
        progress.setAccesses(accesses);
        return any;
    }

    /// Ends what was reserved for a child that never was.
    void conclude() {
        for (const auto& m : members_) {
            if (!m->recording || m->liveness) continue;
            const TreeProcess* const parent = memberOf(m->parent, members_.size());
            if (parent != nullptr && parent->recording) continue;
            if (pool_->at(m->ring).state == WHORL_RING_TAKEN) continue;
            m->recording.reset();
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
        if (isRoot && captured) ofRoot_ = *std::move(captured);
        if (isRoot && !ofRoot_ && !failure_ && !captured) failure_ = captured.error();
        member.recording.reset();
        member.recorder.reset();
        if (!isLeft_) pool_->release(member.ring);
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
            conclude(*m);
        }
    }

    // --- the tree, for people

    static std::string notFollowed() { return "whorl cc did not compile it"; }

    /// What a process is a child of, or replaces: the index of the member; the number of members: nobody.
    std::size_t indexOfParent(std::size_t index) const {
        const TreeProcess& member = *members_[index];
        for (std::size_t i = index; i-- > 0;) {
            const bool isIt = members_[i]->liveness && (members_[i]->told.process == member.told.process ||
                                                        members_[i]->told.process == member.parent);
            if (isIt) return i;
        }
        return members_.size();
    }

    /// Whether a program that a member became, or started, is recorded, too.
    bool isRecorded(int process, std::size_t after) const {
        for (std::size_t i = after; i < members_.size(); ++i) {
            if (members_[i]->liveness && members_[i]->told.process == process) return true;
        }
        return false;
    }

    /// Adds the processes that found no ring, of a parent, or all others.
    void addUntold(std::vector<CapturedProcess>& tree, std::optional<int> parent, unsigned depth) {
        untoldAdded_.resize(std::min<std::uint32_t>(pool_->untold(), WHORL_MOST_UNTOLD));
        for (std::uint32_t i = 0; i < untoldAdded_.size(); ++i) {
            const PooledProcess process = pool_->without(i);
            if (untoldAdded_[i] || (parent && process.parent != *parent)) continue;
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

    void addTo(std::vector<CapturedProcess>& tree, std::size_t index, unsigned depth) {
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
            if (process == 0 || !isRecorded(process, 0)) addUnrecorded(process, name, notFollowed(), {});
        }
        addUntold(tree, member.told.process, depth + 1);
        for (std::size_t i = index + 1; i < members_.size(); ++i) {
            if (members_[i]->liveness && indexOfParent(i) == index) addTo(tree, i, depth + 1);
        }
    }

    std::vector<CapturedProcess> treeOfAll() {
        std::vector<CapturedProcess> tree;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            if (members_[i]->liveness && indexOfParent(i) == members_.size()) addTo(tree, i, i == 0 ? 0 : 1);
        }
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
        if (rootStatus) all.status = shellStatus(*rootStatus);
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
