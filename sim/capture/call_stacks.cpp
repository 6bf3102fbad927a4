#include "sim/capture/call_stacks.h"

#include <tuple>
#include <utility>

namespace whorl::sim {

CallStacks::CallStacks(TraceBuilder& builder, FunctionOf functionOf)
    : builder_(builder), functionOf_(std::move(functionOf)), thread_(&threads_[0]) {}

void CallStacks::ended(std::uint64_t number) {
    const auto thread = threads_.find(number);
    if (thread != threads_.end()) thread->second = {};
}

void CallStacks::call(std::uint64_t stack, std::uint64_t pc) {
    unwound(stack + 1);
    if (thread_->stack.size() >= kMaxDepth) return;
    const std::uint32_t before = thread_->running;
    Next& next = recent_[(pc ^ std::uint64_t{before} * 0x9e3779b1) % recent_.size()];
    if (next.pc != pc || next.before != before) next = {.pc = pc, .before = before, .call = nextOf(before, pc)};
    thread_->stack.push_back({.stack = stack, .pc = pc, .before = before});
    thread_->running = next.call;
    ++calls_[next.call].count;
}

std::uint32_t CallStacks::nextOf(std::uint32_t before, std::uint64_t pc) {
    const auto [next, isNew] = next_[pc].try_emplace(before);
    if (isNew) {
        std::vector<Caller>& callers = callersAt(pc);
        takePlace(callers.front(), pc);
        next->second = numberOf(callers.front(), within(before, callers));
    }
    return next->second;
}

void CallStacks::unwound(std::uint64_t stack) {
    auto& running = thread_->stack;
    for (; !running.empty() && running.back().stack < stack; running.pop_back()) {
        thread_->running = running.back().before;
    }
}

void CallStacks::inherit(const CallStacks& other) {
    for (const Running& running : other.thread_->stack) call(running.stack, running.pc);
}

std::vector<CallStacks::Caller>& CallStacks::callersAt(std::uint64_t pc) {
    const auto [callers, isNew] = callers_.try_emplace(pc);
    if (!isNew) return callers->second;
    for (const Function& function : functionOf_(pc)) {
        callers->second.push_back(
            {.function = function.number, .site = function.inlinedAt, .hasLines = function.hasLines});
    }
    return callers->second;
}

/// The place of an instruction that calls: a site that others that only access memory do not need.
void CallStacks::takePlace(Caller& caller, std::uint64_t pc) {
    if (caller.site != SiteId{}) return;
    const auto place = caller.hasLines ? places_.end() : places_.find(caller.function);
    caller.site = place == places_.end() ? builder_.siteAt(ByteAddress{pc}) : place->second;
    if (!caller.hasLines) places_.emplace(caller.function, caller.site);
}

/// The call within which an instruction is: those that were inlined there are calls like others.
std::uint32_t CallStacks::within(std::uint32_t call, const std::vector<Caller>& callers) {
    for (std::size_t c = callers.size(); c-- > 1;) call = numberOf(callers[c], call);
    return call;
}

/// The call that an instruction makes within another. If the function that makes it already runs further out, the chain
/// ends there, and the functions between stay as those around.
std::uint32_t CallStacks::numberOf(const Caller& caller, std::uint32_t from) {
    std::uint32_t parent = from;
    Around around;
    Around between;
    for (std::uint32_t c = from; c != kNoCall; c = calls_[c].parent) {
        for (std::size_t i = 0; i < calls_[c].around.size(); ++i) {
            between.emplace(facts_[c].around[i], calls_[c].around[i]);
        }
        if (facts_[c].function == caller.function) {
            parent = calls_[c].parent;
            around.insert(between.begin(), between.end());
        }
        between.emplace(facts_[c].function, calls_[c].site);
    }
    around.erase(caller.function);
    for (std::uint32_t c = parent; c != kNoCall; c = calls_[c].parent) {
        around.erase(facts_[c].function);
        for (const std::uint32_t f : facts_[c].around) around.erase(f);
    }
    return made(parent, caller, around);
}

std::uint32_t CallStacks::made(std::uint32_t parent, const Caller& caller, const Around& around) {
    std::vector<std::uint32_t> functions;
    functions.reserve(around.size());
    for (const auto& [f, from] : around) functions.push_back(f);
    const auto [number, isNew] =
        numbers_.try_emplace({parent, caller.site.value, functions}, static_cast<std::uint32_t>(calls_.size()));
    if (!isNew) return number->second;
    const std::uint32_t depth = facts_[parent].depth + 1;
    if (calls_.size() >= kMaxCalls || builder_.sites().size() >= kMaxSites || depth > kMaxCallDepth) {
        ++merged_;
        numbers_.erase(number);
        return parent;
    }
    Call call{.parent = parent, .site = caller.site};
    for (const auto& [f, from] : around) call.around.push_back(from);
    calls_.push_back(std::move(call));
    facts_.push_back({.function = caller.function, .depth = depth, .around = std::move(functions)});
    return number->second;
}

}  // namespace whorl::sim
