// The output of DynamoRIO's tool "view" for a trace of drmemtrace, one record per line: its number, the number of
// instructions so far, the thread, and the record. Older versions omit the second number or both, and write T before
// the thread.
//
//      12           5:     1284372 ifetch       3 byte(s) @ 0x00007f1fe8a7a0d0 48 89 e7             mov    %rsp, %rdi
//      13           5:     1284372 read         8 byte(s) @ 0x00007ffd1fded688 by PC 0x00007f1fe8a7a0d0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/trace_formats.h"

namespace whorl::sim {
namespace {

constexpr std::string_view kViewExample =
    "expected for example \"12 5: 1284372 read 8 byte(s) @ 0x7ffd10 by PC 0x4004f6\"";
constexpr std::string_view kNotFetched = "non-fetched instruction";

/// A line without the numbers that come first.
struct ViewRecord {
    std::string_view thread;  ///< "1284372", "T1284372" or, with the number of a program, "W0.T1284372"
    std::string_view kind;    ///< "ifetch", "read", "write", "<marker:", …
    std::string_view rest;
};

bool isOrdinal(std::string_view word) {
    return decimalNumber(word).has_value();
}

/// Removes a number followed by a colon, and a number before it, from the front of a line, if present.
void dropOrdinals(std::string_view& line) {
    std::string_view rest = line;
    std::string_view word = takeWord(rest);
    if (isOrdinal(word)) word = takeWord(rest);
    if (!word.ends_with(':')) return;
    word.remove_suffix(1);
    if (isOrdinal(word)) line = rest;
}

/// The number of the thread; nothing if the word is none.
std::optional<std::uint64_t> threadIn(std::string_view word) {
    constexpr unsigned kProgramBits = 40;
    std::uint64_t program = 0;
    if (const std::size_t dot = word.find(".T"); word.starts_with('W') && dot != std::string_view::npos) {
        const auto number = decimalNumber(word.substr(1, dot - 1));
        if (!number) return std::nullopt;
        program = *number + 1;
        word.remove_prefix(dot + 1);
    }
    if (word.starts_with('T')) word.remove_prefix(1);
    const auto thread = decimalNumber(word);
    if (!thread) return std::nullopt;
    return program << kProgramBits ^ *thread;
}

/// Whether a line continues the bytes of the instruction above: "00 00 c3", or "00000026".
bool isEncoding(std::string_view text) {
    std::string_view word = takeWord(text);
    if (word.empty()) return false;
    for (; !word.empty(); word = takeWord(text)) {
        if ((word.size() != 2 && word.size() != 8) || !hexNumber(word)) return false;
    }
    return true;
}

/// Whether a line is not a record: the heading, the line between threads, the count at the end; in older versions also
/// the bytes that do not fit into the line of an instruction, far to the right.
bool isDecoration(std::string_view line) {
    constexpr std::size_t kFarRight = 20;
    const std::string_view text = withoutBlanks(line);
    return text.empty() || text.starts_with("----") || text.starts_with('<') || text == "Output format:" ||
           text == "View tool results:" || text.ends_with(" : total instructions") ||
           (line.size() - text.size() >= kFarRight && isEncoding(text));
}

ViewRecord viewRecordIn(std::string_view line) {
    dropOrdinals(line);
    ViewRecord record;
    record.thread = takeWord(line);
    record.kind = takeWord(line);
    record.rest = line;
    return record;
}

/// Assigns threads to CPUs in order of appearance. Threads beyond the last CPU share the CPU with the fewest accesses.
class ThreadPlaces {
  public:
    /// The maximum number of threads, which bounds memory.
    static constexpr std::size_t kMaxThreads = std::size_t{1} << 20;

    /// The CPU for the next access of a thread; nothing if there are too many threads.
    std::optional<std::uint8_t> cpuOf(std::uint64_t thread) {
        if (thread != last_ || cpus_.empty()) {
            auto known = cpus_.find(thread);
            if (known == cpus_.end()) {
                if (cpus_.size() == kMaxThreads) return std::nullopt;
                known = cpus_.emplace(thread, nextCpu()).first;
            }
            last_ = thread;
            cpu_ = known->second;
        }
        ++accesses_[cpu_];
        return cpu_;
    }
    /// The number of threads so far.
    std::size_t threads() const { return cpus_.size(); }

  private:
    std::unordered_map<std::uint64_t, std::uint8_t> cpus_;
    std::array<std::uint64_t, kMaxCpus> accesses_{};  ///< so far, by CPU
    std::uint64_t last_ = 0;                          ///< the thread of the last access
    std::uint8_t cpu_ = 0;                            ///< CPU of that thread

    std::uint8_t nextCpu() const {
        if (cpus_.size() < kMaxCpus) return static_cast<std::uint8_t>(cpus_.size());
        return static_cast<std::uint8_t>(std::min_element(accesses_.begin(), accesses_.end()) - accesses_.begin());
    }
};

class DrcachesimReader : public LineReader {
  public:
    DrcachesimReader(TraceBuilder& builder, bool instructions) : builder_(builder), instructions_(instructions) {}

    std::size_t read(std::string_view block) override {
        return readEach(block, [this](std::string_view line) { return readLine(line); });
    }

  private:
    TraceBuilder& builder_;
    bool instructions_;
    ThreadPlaces places_;
    std::uint64_t fetchedBy_ = 0;  ///< the thread of the last instruction
    ByteAddress fetched_;          ///< address of that instruction

    bool readLine(std::string_view line) {
        if (isDecoration(line)) return true;
        const ViewRecord record = viewRecordIn(line);
        const auto thread = threadIn(record.thread);
        if (!thread) return refuse("not a record of drmemtrace", std::string(kViewExample), true);
        if (record.kind.starts_with('<')) return true;
        const bool isData = record.kind == "read" || record.kind == "write";
        if (record.kind == "ifetch" || isData) return readReference(record, *thread, isData);
        // Prefetches and cache flushes are not accesses.
        if (record.kind.starts_with("pref") || record.kind == "iflush" || record.kind == "dflush") return true;
        if (isEncoding(record.kind) && (withoutBlanks(record.rest).empty() || isEncoding(record.rest))) return true;
        return refuse(fmt::format("\"{}\" is not a kind of record", shown(record.kind)),
                      "expected ifetch, read, write or a <marker>", true);
    }

    bool readReference(const ViewRecord& record, std::uint64_t thread, bool isData) {
        std::string_view rest = record.rest;
        const std::string_view bytes = takeWord(rest);
        const auto size = decimalNumber(bytes);
        if (!size) {
            return refuse(fmt::format("\"{}\" is not a size", shown(bytes)),
                          "expected for example \"8 byte(s) @ 0x7ffd10\"", true);
        }
        const bool isMarked = takeWord(rest) == "byte(s)" && takeWord(rest) == "@";
        const auto address = isMarked ? prefixedHexNumber(takeWord(rest)) : std::nullopt;
        if (!address) return refuse("no address", "expected \"byte(s) @ 0x\" and hex digits", true);
        if (!possible(*address, *size)) return false;
        const Op op = record.kind == "write" ? Op::write : Op::read;
        if (isData) return addData(thread, accessOf(op, *address, *size), rest);
        fetchedBy_ = thread;
        fetched_ = ByteAddress{*address};
        // Another round of an instruction that repeats itself.
        if (rest.ends_with(kNotFetched)) return true;
        builder_.instructions(1);
        return !instructions_ || add(thread, accessOf(Op::read, *address, *size), fetched_);
    }

    /// Adds a load or store. `rest` follows the address: "by PC" and the instruction's address, or nothing for the
    /// preceding instruction.
    bool addData(std::uint64_t thread, const Access& access, std::string_view rest) {
        if (withoutBlanks(rest).empty()) return add(thread, access, thread == fetchedBy_ ? fetched_ : ByteAddress{});
        const bool isMarked = takeWord(rest) == "by" && takeWord(rest) == "PC";
        const auto pc = isMarked ? prefixedHexNumber(takeWord(rest)) : std::nullopt;
        if (pc && withoutBlanks(rest).empty()) return add(thread, access, ByteAddress{*pc});
        return refuse("what follows the address is not the instruction", "expected \"by PC 0x\" and hex digits", true);
    }

    bool add(std::uint64_t thread, Access access, ByteAddress pc) {
        const std::size_t had = places_.threads();
        const auto cpu = places_.cpuOf(thread);
        if (!cpu) return refuse(fmt::format("there are more than {} threads", ThreadPlaces::kMaxThreads));
        if (had == kMaxCpus && places_.threads() > had) {
            builder_.lost(
                fmt::format("it has more than {} threads: each further one is put on the CPU with the fewest "
                            "accesses so far",
                            kMaxCpus));
        }
        access.cpu = *cpu;
        access.site = builder_.siteAt(pc);
        builder_.add(access);
        return true;
    }
};

}  // namespace

std::unique_ptr<LineReader> drcachesimReader(TraceBuilder& builder, bool instructions) {
    return std::make_unique<DrcachesimReader>(builder, instructions);
}

int likeDrcachesim(std::string_view line) {
    const ViewRecord record = viewRecordIn(line);
    if (!threadIn(record.thread)) return 0;
    if (record.kind.starts_with("<marker")) return 2;
    return record.rest.find(" byte(s) @ 0x") != std::string_view::npos ? 2 : 0;
}

}  // namespace whorl::sim
