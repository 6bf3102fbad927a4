// Follows the calls of a program's threads, and builds the tree of calls that a trace keeps.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "sim/trace/calls.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {

class CallStacks {
  public:
    /// A function that an instruction is in.
    struct Function {
        std::uint32_t number = 0;  ///< the same for all its instructions
        SiteId inlinedAt;          ///< of a function around it: the line of the call that was inlined
        bool hasLines = true;      ///< its calls are distinguished by their places; else they count as one place
    };
    /// That function, and those that it is inlined in, innermost first.
    using FunctionOf = std::function<std::vector<Function>(std::uint64_t pc)>;

    /// With this number of calls, or of sites, further calls are no longer distinguished.
    static constexpr std::size_t kMaxCalls = 1u << 16;
    static constexpr std::size_t kMaxSites = 1u << 20;

    CallStacks(TraceBuilder& builder, FunctionOf functionOf);

    /// The running call: an index into the tree.
    std::uint32_t running() const { return thread_->running; }
    /// The innermost call of an instruction: the running one, or one within it that was inlined.
    std::uint32_t callOf(std::uint64_t pc) { return within(thread_->running, callersAt(pc)); }
    /// Sets the thread of the calls that follow.
    void ofThread(std::uint64_t number) { thread_ = &threads_[number]; }
    /// A thread has ended.
    void ended(std::uint64_t number);
    /// An instruction calls a function, which returns from an address of the stack.
    void call(std::uint64_t stack, std::uint64_t pc);
    /// The stack pointer is at an address: the calls that return from below have ended. A stack grows downward.
    void unwound(std::uint64_t stack);
    /// Makes the calls that run in the other's thread.
    void inherit(const CallStacks& other);
    /// The number of calls that were not distinguished because there are too many.
    std::uint64_t merged() const { return merged_; }
    /// Moves the tree out.
    std::vector<Call> take() { return std::move(calls_); }

  private:
    /// A call that has not returned, and the call that ran before it.
    struct Running {
        std::uint64_t stack = 0;
        std::uint64_t pc = 0;
        std::uint32_t before = kNoCall;
    };
    struct Thread {
        std::vector<Running> stack;  ///< the innermost last
        std::uint32_t running = kNoCall;
    };
    /// What the tree does not keep of a call.
    struct Facts {
        std::uint32_t function = 0;         ///< that makes it
        std::uint32_t depth = 0;            ///< calls around it, and itself
        std::vector<std::uint32_t> around;  ///< the functions of Call::around, ascending
    };
    using Around = std::map<std::uint32_t, SiteId>;  ///< by function, the site of a call that it made

    static constexpr std::size_t kMaxDepth = std::size_t{1} << 22;

    TraceBuilder& builder_;
    FunctionOf functionOf_;
    std::vector<Call> calls_{Call{}};
    std::vector<Facts> facts_{Facts{}};
    /// A place where calls are made.
    struct Caller {
        std::uint32_t function = 0;
        SiteId site;  ///< 0: it has made no call yet
        bool hasLines = true;
    };
    std::unordered_map<std::uint64_t, std::vector<Caller>> callers_;  ///< by instruction, the innermost first
    std::unordered_map<std::uint32_t, SiteId> places_;                ///< by function, of those without lines
    std::unordered_map<std::uint64_t, std::unordered_map<std::uint32_t, std::uint32_t>> next_;  ///< by pc, running call
    /// The call that an instruction made within another.
    struct Next {
        std::uint64_t pc = 0;
        std::uint32_t before = ~0u;
        std::uint32_t call = 0;
    };
    std::vector<Next> recent_ = std::vector<Next>(1u << 12);
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::vector<std::uint32_t>>, std::uint32_t> numbers_;
    std::map<std::uint64_t, Thread> threads_;
    Thread* thread_;
    std::uint64_t merged_ = 0;

    std::uint32_t nextOf(std::uint32_t before, std::uint64_t pc);
    std::vector<Caller>& callersAt(std::uint64_t pc);
    void takePlace(Caller& caller, std::uint64_t pc);
    std::uint32_t within(std::uint32_t call, const std::vector<Caller>& callers);
    std::uint32_t numberOf(const Caller& caller, std::uint32_t from);
    std::uint32_t made(std::uint32_t parent, const Caller& caller, const Around& around);
};

}  // namespace whorl::sim
