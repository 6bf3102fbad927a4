// Reads the records of a traced program: accesses go to a TraceBuilder, everything else to a CaptureLog.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/capture/call_stacks.h"
#include "sim/capture/recording_gate.h"
#include "sim/capture/wire/ring.h"
#include "sim/trace/sync_log.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {

// Data about a recorded program besides its accesses, in raw form: addresses and numbers, not yet names.

/// An executable or library whose code ran.
struct CapturedModule {
    std::string path;
    std::uint64_t bias = 0;   ///< added to the addresses in the file
    std::uint64_t start = 0;  ///< start of its code
    std::uint64_t size = 0;   ///< bytes of code

    bool holds(std::uint64_t pc) const { return pc - start < size; }
};

/// A block of the heap, or memory that the program mapped. Its callers are an index into CaptureLog::callers.
struct Allocation {
    ByteAddress base;
    std::uint64_t size = 0;
    Tick born;
    Tick died{~std::uint64_t{0}};
    std::uint32_t callers = 0;
};

/// A call of a function with named local variables.
struct StackFrame {
    std::uint64_t stack = 0;  ///< stack pointer on entry to the function
    std::uint64_t entry = 0;  ///< address of the function
    Tick born;
    Tick died{~std::uint64_t{0}};
};

/// Memory that the program itself named.
struct RequestedRegion {
    std::string name;
    ByteAddress base;
    std::uint64_t size = 0;
    std::uint64_t elementSize = 1;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
};

struct CapturedThread {
    std::uint32_t cpu = 0;
    bool alive = true;
    std::string name;
};

struct CaptureLog {
    std::vector<CapturedModule> modules;
    std::vector<std::vector<std::uint64_t>> callers;  ///< addresses within calls, innermost first; each list once
    std::vector<Allocation> allocations;              ///< by birth; mapped memory, too
    std::map<std::size_t, std::string> mappedFiles;   ///< paths, by index of the allocation
    std::uint64_t unnamedAllocations = 0;             ///< allocations beyond the limit
    std::vector<StackFrame> frames;                   ///< the ended ones first, then the others
    std::uint64_t unnamedFrames = 0;                  ///< frames beyond the limit
    std::vector<RequestedRegion> regions;
    std::map<std::uint64_t, CapturedThread> threads;  ///< by number
    SyncLog syncs;
    std::uint64_t unkeptSyncs = 0;  ///< operations beyond the limit
    std::uint64_t mergedCalls = 0;  ///< ways to call functions beyond the limit
    std::uint64_t mainStack = 0;    ///< the stack pointer on entry to main; 0: unknown
    std::uint64_t mainEntry = 0;
    std::vector<std::string> notes;  ///< messages for the user
    bool begun = false;              ///< recording has begun at some time
    bool hasAllocators = true;       ///< the accesses of functions that allocate are recorded, too
    bool becameOther = false;        ///< another program took its place (exec)
    std::string becomes;             ///< the path of that program
    /// Programs that the process started in one step, with their processes; 0: unknown. At most kMaxSpawned.
    std::vector<std::pair<int, std::string>> spawned;
};

/// The maximum number of allocations that are kept; each takes some hundred bytes.
inline constexpr std::size_t kMaxAllocations = 1'000'000;
/// The maximum number of function calls that are kept.
inline constexpr std::size_t kMaxStackFrames = 50'000;
/// The maximum number of started programs that are kept.
inline constexpr std::size_t kMaxSpawned = 1000;

class RecordReader {
  public:
    /// The effect of an instruction's accesses on the recording.
    struct SiteUse {
        bool isWanted = true;
        bool begins = false;      ///< its first access begins the recording
        bool ends = false;        ///< its first access, and all after it, are not recorded
        std::uint32_t array = 0;  ///< the number for News::array; 0: none
    };
    /// Called once for each instruction.
    using Use = std::function<SiteUse(std::uint64_t pc)>;

    /// Notifications that are needed before the accesses that follow.
    struct News {
        std::function<void(const CapturedModule&)> module;  ///< code of the module begins to run
        std::function<void()> main;                         ///< main is called
        /// An access by an instruction with a SiteUse::array. `stack`: the stack pointer where the innermost known
        /// function, or main, was called.
        std::function<void(std::uint32_t array, ByteAddress address, std::uint32_t size, std::uint64_t stack)> array;
        CallStacks::FunctionOf function;  ///< needed where calls are recorded
    };

    RecordReader(TraceBuilder& builder, std::uint64_t mostAccesses, Use use, News news);

    /// Takes records, up to the first empty one. False at a record that no recorder writes: no later record is taken.
    bool take(std::span<const whorl_record> records);
    /// How many of the last records were taken.
    std::size_t taken() const { return taken_; }
    /// Sets the thread of the records that follow.
    void ofThread(std::uint64_t number);
    /// Records nothing until an instruction begins the recording.
    void waitForBegin() { part_ = Part::before; }
    /// Whether the maximum number of accesses was taken; later ones are dropped.
    bool isFull() const { return builder_.size() >= mostAccesses_; }
    CaptureLog& log() { return log_; }
    /// Calls this where the process forks, with the number of the ring of its child.
    void onFork(std::function<void(std::uint64_t ring)> forks) { forks_ = std::move(forks); }
    /// Goes on where another one is, as the child of a fork does: with its code, its memory and its calls.
    void inherit(const RecordReader& parent);
    /// Keeps only windows. `choosesSites`: not all instructions are wanted, or some begin or end the recording.
    void keepWindows(WindowLengths lengths, bool choosesSites) {
        gate_ = RecordingGate(lengths);
        choosesSites_ = choosesSites;
    }
    RecordingGate& gate() { return gate_; }
    /// How often the recording was switched.
    unsigned switches() const { return switches_; }
    /// The instruction that made the last access; 0: there was none.
    std::uint64_t lastPc() const { return lastPc_; }
    /// Ends the records: whatever has not ended lasts until the end of the trace.
    void finish();

  private:
    TraceBuilder& builder_;
    std::uint64_t mostAccesses_;
    Use use_;
    News news_;
    std::vector<std::optional<SiteUse>> uses_;  ///< by site
    enum class Part : std::uint8_t { before, within, after };
    Part part_ = Part::within;
    RecordingGate gate_{WindowLengths{}};
    bool choosesSites_ = true;
    unsigned switches_ = 0;
    std::function<void(std::uint64_t ring)> forks_;
    CaptureLog log_;
    CallStacks stacks_;

    std::size_t taken_ = 0;
    std::uint8_t cpu_ = 0;
    std::uint32_t cpuBits_ = 0;  ///< as PackedAccess::rest() has them
    std::uint64_t thread_ = 0;
    std::uint64_t lastPc_ = 0;
    std::uint64_t longSize_ = 0;  ///< size of the next access, if it is long
    std::string text_;            ///< text for the next record that has one, at most kMaxText bytes
    static constexpr std::size_t kMaxText = 8192;
    std::uint64_t size_ = 0;
    std::uint64_t elementSize_ = 1;
    std::uint64_t shape_ = 0;
    std::vector<std::uint64_t> frames_;  ///< at most kMaxCallers
    static constexpr std::size_t kMaxCallers = 64;
    std::map<std::uint64_t, std::vector<StackFrame>> calls_;  ///< by thread: calls not ended, the innermost last
    std::map<std::vector<std::uint64_t>, std::uint32_t> callerIds_;
    std::map<std::uint64_t, Tick> allocates_;      ///< by thread: when the library began to allocate a block
    std::map<std::uint64_t, std::size_t> live_;    ///< allocations by base address
    std::map<std::uint64_t, std::size_t> pieces_;  ///< pieces of them, by base address
    std::vector<std::uint64_t> threadsOnCpu_;      ///< live threads by CPU
    std::unordered_map<std::uint64_t, std::uint32_t> syncObjects_;

    /// The decoded second word of recently seen records: usually an instruction's accesses differ only in their
    /// addresses.
    struct Known {
        std::uint64_t what = 0;
        std::uint32_t call = 0;
        SiteId site;
        std::uint32_t rest = 0;         ///< PackedAccess::rest() without the CPU
        std::uint32_t restOfWrite = 0;  ///< of the second access; 0: there is none
        bool isPlain = false;           ///< nothing need be asked about it
    };
    static constexpr unsigned kKnownBits = 15;
    std::vector<Known> known_ = std::vector<Known>(1u << kKnownBits);

    Known& knownAt(std::uint64_t what, std::uint32_t call);
    void takePlain(std::span<const whorl_record> records);
    void access(const whorl_record& record);
    SiteId siteOf(std::uint64_t what);
    bool isOff(unsigned op);
    SiteUse useOf(SiteId site, std::uint64_t pc);
    bool isWithin(const SiteUse& use);
    std::uint64_t stackOfCall() const;
    bool event(const whorl_record& record);
    void switchRecording(bool isWithin);
    void takeText(std::string_view part);
    bool note(const std::string& text);
    void allocated(ByteAddress base, std::uint64_t bytes);
    void pieceOf(ByteAddress base, std::uint64_t bytes);
    void keep(std::map<std::uint64_t, std::size_t>& live, const Allocation& made);
    void inherit(std::map<std::uint64_t, std::size_t>& live, const std::map<std::uint64_t, std::size_t>& of,
                 const CaptureLog& log);
    void endWithin(std::map<std::uint64_t, std::size_t>& live, std::uint64_t from, std::uint64_t size);
    std::uint32_t takenCallers();
    void freed(ByteAddress base);
    void unmapped(ByteAddress base, std::uint64_t bytes);
    /// Recently atomically changed memory, and the last change.
    struct Atomic {
        std::uint64_t address = 0;
        Sync::Earlier last;
    };
    static constexpr std::size_t kAtomics = 1u << 16;
    std::vector<Atomic> atomics_;

    void add(const Sync& sync);
    void handOver(std::uint64_t address);
    void enter(std::uint64_t stack, std::uint64_t entry);
    void endCalls(std::uint64_t thread, std::uint64_t belowStack);
    void sync(std::uint8_t cpu, SyncKind kind, std::uint64_t object);
    void createThread(std::uint64_t number, std::uint64_t creator);
    void endThread(std::uint64_t number, std::uint64_t handle);
    bool beginThread(std::uint64_t number);
    std::uint8_t cpuOf(std::uint64_t thread);
};

}  // namespace whorl::sim
