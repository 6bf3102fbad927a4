#include "sim/capture/record_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/capture/ring_memory.h"

namespace whorl::sim {

namespace {

constexpr std::uint64_t kArgument = (std::uint64_t{1} << WHORL_PC_BITS) - 1;

std::uint64_t argumentOf(const whorl_record& record) {
    return record.what & kArgument;
}

unsigned opOf(const whorl_record& record) {
    return static_cast<unsigned>(record.what >> 56);
}

/// The largest size that a record of an access has itself.
constexpr std::uint32_t kMaxShort = 255;

std::uint32_t restOf(std::uint32_t size, Op op, bool modify, std::uint8_t cpu) {
    return PackedAccess(Access{.address = {}, .size = size, .op = op, .cpu = cpu, .modify = modify, .site = {}}).rest();
}

}  // namespace

RecordReader::RecordReader(TraceBuilder& builder, std::uint64_t mostAccesses, Use use, News news)
    : builder_(builder),
      mostAccesses_(mostAccesses),
      use_(std::move(use)),
      news_(std::move(news)),
      stacks_(builder, news_.function) {}

bool RecordReader::take(std::span<const whorl_record> records) {
    // A slot holds few records compared with the number of accesses that is usually allowed.
    const bool mayFill = mostAccesses_ - std::min(mostAccesses_, builder_.size()) <= 2 * records.size();
    for (taken_ = 0; taken_ < records.size(); ++taken_) {
        if (!mayFill && part_ == Part::within && gate_.isOpen()) takePlain(records);
        if (taken_ == records.size()) break;
        const whorl_record record = loaded(records[taken_]);
        if (opOf(record) - 1 >= WHORL_FETCH) {
            if (record.what == 0) break;
            if (!event(record)) return false;
        } else if (!mayFill || !isFull()) {
            access(record);
        }
    }
    const auto known = records.first(taken_);
    const auto last = std::find_if(known.rbegin(), known.rend(),
                                   [](const whorl_record& r) { return opOf(loaded(r)) - 1 < WHORL_FETCH; });
    if (last != known.rend()) lastPc_ = argumentOf(loaded(*last));
    return true;
}

RecordReader::SiteUse RecordReader::useOf(SiteId site, std::uint64_t pc) {
    if (!use_) return {};
    if (site.value >= uses_.size()) uses_.resize(site.value + 1);
    std::optional<SiteUse>& known = uses_[site.value];
    if (!known) known = use_(pc);
    return *known;
}

/// Whether an access is within the recorded stretch. Updates the stretch.
bool RecordReader::isWithin(const SiteUse& use) {
    if (part_ == Part::before && use.begins) {
        part_ = Part::within;
        log_.begun = true;
    }
    if (part_ == Part::within && use.ends) part_ = Part::after;
    return part_ == Part::within;
}

RecordReader::Known& RecordReader::knownAt(std::uint64_t what, std::uint32_t call) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
    return known_[((what ^ std::uint64_t{call} << 20) * kOdd) >> (64 - kKnownBits)];
}

/// Takes records as long as they are accesses about which nothing need be asked.
void RecordReader::takePlain(std::span<const whorl_record> records) {
    // The records come from another processor's cache, to which it pays to reach out early.
    constexpr std::size_t kAhead = 128;
    const std::span<PackedAccess> room = builder_.room();
    const std::uint32_t call = stacks_.running();
    const std::uint32_t cpuBits = cpuBits_;
    std::size_t added = 0;
    for (; taken_ < records.size() && added + 2 <= room.size(); ++taken_) {
        const whorl_record record = loaded(records[taken_]);
        __builtin_prefetch(records.data() + taken_ + kAhead);
        const Known& known = knownAt(record.what, call);
        // An access cannot reach beyond the address space.
        const bool isPlain = known.isPlain && record.value <= ~std::uint64_t{kMaxShort};
        if (known.what != record.what || known.call != call || !isPlain) break;
        const ByteAddress address{record.value};
        room[added] = PackedAccess(address, known.site, known.rest | cpuBits);
        room[added + 1] = PackedAccess(address, known.site, known.restOfWrite | cpuBits);
        added += known.restOfWrite == 0 ? 1 : 2;
    }
    builder_.written(added);
}

SiteId RecordReader::siteOf(std::uint64_t what) {
    const std::uint32_t call = stacks_.running();
    Known& known = knownAt(what, call);
    if (known.what == what && known.call == call) return known.site;
    const std::uint64_t pc = what & kArgument;
    const auto op = static_cast<unsigned>(what >> 56);
    const auto size = static_cast<std::uint32_t>(what >> WHORL_PC_BITS & kMaxShort);
    known.what = what;
    known.call = call;
    known.site = builder_.siteAt(ByteAddress{pc}, news_.function ? stacks_.callOf(pc) : kNoCall);
    known.rest = restOf(size, op == WHORL_WRITE ? Op::write : Op::read, false, 0);
    known.restOfWrite = op == WHORL_MODIFY ? restOf(size, Op::write, true, 0) : 0;
    const SiteUse use = useOf(known.site, pc);
    known.isPlain = use.isWanted && !use.begins && !use.ends && use.array == 0 && size != 0 && op != WHORL_ATOMIC;
    return known.site;
}

/// Whether an access is dropped, because it is between windows, or somebody stopped the recording.
bool RecordReader::isOff(unsigned op) {
    const std::uint64_t accesses = op == WHORL_MODIFY || op == WHORL_ATOMIC ? 2 : 1;
    if (gate_.passes(accesses, Tick{builder_.size()})) return false;
    builder_.leftOut(accesses);
    longSize_ = 0;
    return true;
}

void RecordReader::access(const whorl_record& record) {
    const unsigned op = opOf(record);
    // Where all accesses count, nothing need be known of those that are dropped.
    const bool isGateFirst = !gate_.isOpen() && !choosesSites_;
    if (isGateFirst) {
        if (op == WHORL_ATOMIC) handOver(record.value);
        if (isOff(op)) return;
    }
    const SiteId site = siteOf(record.what);
    const SiteUse use = useOf(site, argumentOf(record));
    if (!isWithin(use) || !use.isWanted) return;
    std::uint64_t size = record.what >> WHORL_PC_BITS & kMaxShort;
    if (size == 0) size = std::clamp<std::uint64_t>(std::exchange(longSize_, 0), 1, kMaxAccessSize);
    // An access cannot reach beyond the address space.
    if (record.value > ~size) size = ~record.value;
    if (size == 0) return;
    if (!isGateFirst) {
        if (op == WHORL_ATOMIC) handOver(record.value);
        if (!gate_.isOpen() && isOff(op)) return;
    }
    const ByteAddress address{record.value};
    const auto bytes = static_cast<std::uint32_t>(size);
    if (use.array != 0) news_.array(use.array, address, bytes, stackOfCall());
    const bool isRead = op == WHORL_READ || op == WHORL_FETCH;
    if (op != WHORL_WRITE) builder_.add(PackedAccess(address, site, restOf(bytes, Op::read, false, cpu_)));
    if (!isRead) builder_.add(PackedAccess(address, site, restOf(bytes, Op::write, op != WHORL_WRITE, cpu_)));
}

std::uint64_t RecordReader::stackOfCall() const {
    const auto calls = calls_.find(thread_);
    if (calls != calls_.end() && !calls->second.empty()) return calls->second.back().stack;
    return log_.mainStack;
}

void RecordReader::ofThread(std::uint64_t number) {
    if (thread_ == number) return;
    cpu_ = cpuOf(number);
    cpuBits_ = restOf(0, Op::read, false, cpu_);
    thread_ = number;
    stacks_.ofThread(number);
}

void RecordReader::takeText(std::string_view part) {
    text_ += part.substr(0, kMaxText - std::min(kMaxText, text_.size()));
}

/// Keeps a note. False if no recorder writes such a text.
bool RecordReader::note(const std::string& text) {
    const auto isLetter = [](char c) { return c >= ' ' && c <= '~'; };
    if (text.empty() || !std::all_of(text.begin(), text.end(), isLetter)) return false;
    if (std::find(log_.notes.begin(), log_.notes.end(), text) == log_.notes.end()) log_.notes.push_back(text);
    return true;
}

/// Handles an event. False if there is no such event.
bool RecordReader::event(const whorl_record& record) {
    const std::uint64_t argument = argumentOf(record);
    switch (opOf(record)) {
        case WHORL_LONG:
            longSize_ = record.value;
            break;
        case WHORL_THREAD:
            ofThread(record.value);
            break;
        case WHORL_THREAD_BEGIN:
            createThread(record.value, argument);
            break;
        case WHORL_THREAD_END:
            endThread(record.value, argument);
            break;
        case WHORL_SYNC:
            if (argument <= static_cast<std::uint64_t>(kLastSyncKind)) {
                sync(cpu_, static_cast<SyncKind>(argument), record.value);
            }
            break;
        case WHORL_THREAD_NAME:
            beginThread(record.value);
            log_.threads[record.value].name = std::exchange(text_, {});
            break;
        case WHORL_INSTRUCTIONS:
            builder_.instructions(record.value);
            break;
        case WHORL_ENTER:
            enter(record.value, argument);
            break;
        case WHORL_LEAVE:
            endCalls(thread_, record.value);
            stacks_.unwound(record.value);
            break;
        case WHORL_CALL:
            if (!news_.function) return false;
            // The call of main is no part of the program.
            if (record.value != log_.mainStack) stacks_.call(record.value, argument);
            break;
        case WHORL_TEXT:
            takeText({reinterpret_cast<const char*>(&record.value), std::min<std::uint64_t>(argument, 8)});
            break;
        case WHORL_FRAME:
            if (frames_.size() < kMaxCallers) frames_.push_back(record.value);
            break;
        case WHORL_ALLOC:
            allocated(ByteAddress{record.value}, argument);
            break;
        case WHORL_FREE:
            freed(ByteAddress{record.value});
            break;
        case WHORL_MAP: {
            std::string file = std::exchange(text_, {});
            const std::size_t before = log_.allocations.size();
            allocated(ByteAddress{record.value}, argument);
            if (log_.allocations.size() > before && !file.empty()) log_.mappedFiles[before] = std::move(file);
            break;
        }
        case WHORL_ALLOCATES:
            allocates_[thread_] = Tick{builder_.size()};
            break;
        case WHORL_PIECE:
            pieceOf(ByteAddress{record.value}, argument);
            break;
        case WHORL_UNMAP:
            unmapped(ByteAddress{record.value}, argument);
            break;
        case WHORL_SHAPE:
            elementSize_ = record.value;
            shape_ = argument;
            break;
        case WHORL_REGION:
            log_.regions.push_back({.name = std::exchange(text_, {}),
                                    .base = ByteAddress{record.value},
                                    .size = argument,
                                    .elementSize = std::exchange(elementSize_, 1),
                                    .rows = shape_ >> 24,
                                    .columns = std::exchange(shape_, 0) & 0xffffff});
            builder_.expectRegion(ByteAddress{record.value}, argument);
            break;
        case WHORL_MARK:
            builder_.mark(std::exchange(text_, {}));
            break;
        case WHORL_SIZE:
            size_ = record.value;
            break;
        case WHORL_MODULE:
            log_.modules.push_back({.path = std::exchange(text_, {}),
                                    .bias = record.value,
                                    .start = argument,
                                    .size = std::exchange(size_, 0)});
            if (news_.module) news_.module(log_.modules.back());
            break;
        case WHORL_MAIN:
            log_.mainStack = record.value;
            log_.mainEntry = argument;
            if (news_.main) news_.main();
            break;
        case WHORL_ON:
            log_.begun = log_.begun || part_ == Part::within;
            break;
        case WHORL_NOTE:
            return note(std::exchange(text_, {}));
        case WHORL_EXEC:
            log_.becameOther = record.value != 0;
            log_.becomes = std::exchange(text_, {});
            break;
        case WHORL_FORK:
            if (forks_) forks_(record.value);
            break;
        case WHORL_SPAWN:
            if (log_.spawned.size() < kMaxSpawned) {
                log_.spawned.emplace_back(static_cast<int>(record.value), std::exchange(text_, {}));
            }
            text_.clear();
            break;
        case WHORL_SWITCH:
            switchRecording(record.value != 0);
            break;
        case WHORL_OFF:
        case WHORL_STAMP:
            break;
        default:
            return false;
    }
    return true;
}

/// Stops the recording, or begins it. `isWithin`: the program's own requests, and the functions where recording begins
/// and ends, do not keep it off.
void RecordReader::switchRecording(bool isWithin) {
    ++switches_;
    const bool begins = !gate_.isOn() || !isWithin || part_ != Part::within;
    gate_.turn(begins);
    if (begins) part_ = Part::within;
    log_.begun = log_.begun || begins;
    builder_.mark(begins ? "recording began" : "recording stopped");
}

/// The number of the list of callers before a record.
std::uint32_t RecordReader::takenCallers() {
    const auto [known, isNew] = callerIds_.try_emplace(frames_, static_cast<std::uint32_t>(log_.callers.size()));
    if (isNew) log_.callers.push_back(frames_);
    frames_.clear();
    return known->second;
}

void RecordReader::keep(std::map<std::uint64_t, std::size_t>& live, const Allocation& made) {
    if (log_.allocations.size() >= kMaxAllocations) {
        ++log_.unnamedAllocations;
        return;
    }
    live[made.base.value] = log_.allocations.size();
    log_.allocations.push_back(made);
}

void RecordReader::allocated(ByteAddress base, std::uint64_t bytes) {
    const std::uint32_t callers = takenCallers();
    const std::uint64_t size = std::max<std::uint64_t>(bytes, 1);
    if (base.value > ~size) return;  // no such memory exists
    endWithin(pieces_, base.value, size);
    freed(base);
    const auto began = allocates_.find(thread_);
    const Tick born = began == allocates_.end() ? Tick{builder_.size()} : began->second;
    if (began != allocates_.end()) allocates_.erase(began);
    keep(live_, {.base = base, .size = size, .born = born, .callers = callers});
}

/// Memory within a block that the program hands out itself. What only passes on a whole block is no such piece.
void RecordReader::pieceOf(ByteAddress base, std::uint64_t bytes) {
    const std::uint32_t callers = takenCallers();
    if (bytes == 0 || base.value > ~bytes || live_.contains(base.value)) return;
    const auto above = live_.upper_bound(base.value);
    std::uint64_t size = bytes;
    if (above != live_.begin()) {
        const Allocation& around = log_.allocations[std::prev(above)->second];
        const std::uint64_t offset = base.value - around.base.value;
        if (offset < around.size) size = std::min(size, around.size - offset);
    }
    endWithin(pieces_, base.value, size);
    keep(pieces_, {.base = base, .size = size, .born = Tick{builder_.size()}, .callers = callers});
}

/// Ends what begins in a range.
void RecordReader::endWithin(std::map<std::uint64_t, std::size_t>& live, std::uint64_t from, std::uint64_t size) {
    const std::uint64_t end = from + std::min(size, ~from);
    for (auto at = live.lower_bound(from); at != live.end() && at->first < end;) {
        log_.allocations[at->second].died = Tick{builder_.size()};
        at = live.erase(at);
    }
}

void RecordReader::freed(ByteAddress base) {
    const auto entry = live_.find(base.value);
    if (entry == live_.end()) return;
    Allocation& block = log_.allocations[entry->second];
    endWithin(pieces_, base.value, block.size);
    block.died = Tick{builder_.size()};
    live_.erase(entry);
}

void RecordReader::unmapped(ByteAddress base, std::uint64_t bytes) {
    endWithin(pieces_, base.value, bytes);
    endWithin(live_, base.value, bytes);
}

/// A stack grows downward: calls that began at or below the stack pointer have ended, even without a return.
void RecordReader::enter(std::uint64_t stack, std::uint64_t entry) {
    endCalls(thread_, stack + 1);
    calls_[thread_].push_back({.stack = stack, .entry = entry, .born = Tick{builder_.size()}});
}

void RecordReader::endCalls(std::uint64_t thread, std::uint64_t belowStack) {
    const auto found = calls_.find(thread);
    if (found == calls_.end()) return;
    std::vector<StackFrame>& calls = found->second;
    for (; !calls.empty() && calls.back().stack < belowStack; calls.pop_back()) {
        calls.back().died = Tick{builder_.size()};
        if (calls.back().born == calls.back().died) continue;
        if (log_.frames.size() < kMaxStackFrames) {
            log_.frames.push_back(calls.back());
        } else {
            ++log_.unnamedFrames;
        }
    }
}

void RecordReader::finish() {
    // What was handed over to be packed may have found no room.
    const Tick end{builder_.size()};
    for (Allocation& a : log_.allocations) a.born = std::min(a.born, end);
    for (StackFrame& f : log_.frames) f.born = std::min(f.born, end);
    for (const auto& [thread, calls] : calls_) log_.frames.insert(log_.frames.end(), calls.begin(), calls.end());
    calls_.clear();
    log_.mergedCalls = stacks_.merged();
    if (news_.function) builder_.keep(stacks_.take());
}

void RecordReader::sync(std::uint8_t cpu, SyncKind kind, std::uint64_t object) {
    const auto number = static_cast<std::uint32_t>(syncObjects_.size());
    add({.at = Tick{builder_.size()},
         .cpu = cpu,
         .kind = kind,
         .object = syncObjects_.try_emplace(object, number).first->second});
}

void RecordReader::add(const Sync& sync) {
    if (log_.syncs.isFull()) {
        ++log_.unkeptSyncs;
    } else {
        log_.syncs.add(sync);
    }
}

/// Records a follow if another CPU made the last atomic change of this memory.
void RecordReader::handOver(std::uint64_t address) {
    if (threadsOnCpu_.size() < 2) return;
    if (atomics_.empty()) atomics_.resize(kAtomics);
    Atomic& last = atomics_[(address ^ address >> 16) % kAtomics];
    const Tick now{builder_.size()};
    const Atomic before = std::exchange(last, {address, {now, cpu_}});
    if (before.address == address && before.last.cpu != cpu_) add(Sync::after(before.last, now, cpu_));
}

void RecordReader::createThread(std::uint64_t number, std::uint64_t creator) {
    if (!beginThread(number) || creator == 0) return;
    // A value that is not the address of any object.
    const std::uint64_t beginning = ~number;
    sync(cpuOf(creator), SyncKind::signal, beginning);
    sync(cpuOf(number), SyncKind::wait, beginning);
}

void RecordReader::endThread(std::uint64_t number, std::uint64_t handle) {
    const auto thread = log_.threads.find(number);
    if (thread == log_.threads.end() || !std::exchange(thread->second.alive, false)) return;
    --threadsOnCpu_[thread->second.cpu];
    endCalls(number, ~std::uint64_t{0});
    stacks_.ended(number);
    if (handle != 0) sync(static_cast<std::uint8_t>(thread->second.cpu), SyncKind::signal, handle);
}

/// Assigns a CPU to a new thread: one of its own while there are any, then the one with the fewest live threads. False
/// if the thread has begun before.
bool RecordReader::beginThread(std::uint64_t number) {
    const auto [thread, isNew] = log_.threads.try_emplace(number);
    if (!isNew) return false;
    if (threadsOnCpu_.size() < kMaxCpus) {
        threadsOnCpu_.push_back(0);
        thread->second.cpu = static_cast<std::uint32_t>(threadsOnCpu_.size()) - 1;
    } else {
        const auto least = std::min_element(threadsOnCpu_.begin(), threadsOnCpu_.end());
        thread->second.cpu = static_cast<std::uint32_t>(least - threadsOnCpu_.begin());
    }
    ++threadsOnCpu_[thread->second.cpu];
    return true;
}

std::uint8_t RecordReader::cpuOf(std::uint64_t thread) {
    beginThread(thread);
    return static_cast<std::uint8_t>(log_.threads[thread].cpu);
}

}  // namespace whorl::sim
