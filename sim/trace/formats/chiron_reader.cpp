// Reads Chiron's trace files (format: docs/traces.md): a header, objects, accesses, and the events of a simulated
// memory system, which become the trace's recording.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/input_file.h"
#include "sim/base/text.h"
#include "sim/machine/machine_config.h"
#include "sim/machine/validation.h"
#include "sim/trace/formats/chiron_format.h"
#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/text_words.h"
#include "sim/trace/formats/trace_formats.h"
#include "sim/trace/timing.h"

namespace whorl::sim {
namespace {

constexpr unsigned kHeaderLines = 4;
constexpr std::string_view kHeaderForm =
    "a Chiron trace begins with four lines \"i NUMBER\": the block sizes of L1 and L2, and how many L1 and L2 caches "
    "there are";

std::string listOf(std::uint64_t count, std::string_view thing) {
    return count == 1 ? fmt::format("there is one {}", thing)
                      : fmt::format("there are {} {}s, 0 to {}", count, thing, count - 1);
}

/// The paths in a list of source files; empty if `path` is empty.
Expected<std::vector<std::string>> sourcesIn(const std::string& path) {
    constexpr std::uint64_t kMax = std::uint64_t{64} << 20;
    if (path.empty()) return std::vector<std::string>{};
    const auto list = WHORL_TRY(readSmallFile(path, kMax, "a list of source files"));
    return chironSources(list);
}

/// The whole text of a Chiron trace: the meaning of its first line may depend on its last.
struct WholeText {
    std::string text;
    std::map<std::size_t, std::uint64_t> truncated;  ///< by position of a line in the text: bytes missing from it

    Expected<std::uint64_t> lengthOf(std::string_view line) const {
        const auto found = truncated.find(static_cast<std::size_t>(line.data() - text.data()));
        return line.size() + (found == truncated.end() ? 0 : found->second);
    }
};

/// Reads lines to the end; `begun` is the block already read.
Expected<WholeText> wholeText(const Reading& reading, std::string_view begun, LineSource& lines) {
    WholeText whole;
    for (std::string_view block = begun; !block.empty();) {
        if (!reading.budget.take(block.size())) return tl::unexpected(reading.budget.error(reading.name));
        const auto lacks = WHORL_TRY(lines.truncated(reading.progress));
        if (lacks > 0) whole.truncated.emplace(whole.text.size(), lacks);
        whole.text += block;
        const auto next = WHORL_TRY(lines.next());
        if (reading.progress.cancelled()) return tl::unexpected(Error::byUser());
        block = next;
    }
    return whole;
}

class ChironReader : public LineReader {
  public:
    /// `scan` is the result of scanChiron for the text. `sources` are the paths of the source files in the order of
    /// their numbers.
    ChironReader(TraceBuilder& builder, const ChironScan& text, std::vector<std::string> sources);

    std::size_t read(std::string_view block) override;
    /// Adds the recording and the machine to the builder, after all lines are read.
    void finish() override;

  private:
    /// The last access that a CPU has begun.
    struct Begun {
        Tick tick;
        std::uint64_t address = 0;
        bool isWrite = false;
        bool isOpen = false;
        bool any = false;
    };
    /// The cache at which an event happens.
    struct Spot {
        std::uint8_t level = 0;
        std::uint8_t cache = 0;
    };
    /// Indices of recorded events whose access is not known yet.
    using Waiting = std::vector<std::size_t>;
    struct RecentSource {
        std::uint64_t source = 0;  ///< 0: none
        SiteId site;
    };

    bool readLine(std::string_view line);
    bool readFields(char letter, std::string_view line);
    void readComment(std::string_view line);
    void readTime(std::string_view words);
    bool readHeader();
    bool readObject(std::string_view line);
    bool readDeath();
    bool readBlockEvent(char letter);
    bool readAccessStart(char letter);
    bool readCompletion(char letter);

    bool spotOf(Spot& spot);
    bool isCpu(std::uint64_t cpu);
    bool isLevel(std::uint64_t level);
    bool timeGoesOn(Spot spot, std::uint64_t time);
    bool moveBlocks(char letter, Spot spot);
    void record(RecordedEvent event);
    void claim(Waiting& waiting, Tick access);
    SiteId siteOf(std::uint64_t source);
    std::uint64_t blockOf(std::uint64_t address, Spot spot) const { return address / recording_.blockSize[spot.level]; }
    std::string machine() const;
    bool refuseLine(std::string what, std::string hint = {}) { return refuse(std::move(what), std::move(hint), true); }

    TraceBuilder& builder_;
    ChironScan text_;
    std::vector<std::string> sources_;
    ChironFieldReader fields_;
    std::unique_ptr<LineReader> plainText_;  ///< parses comments that contain lines of Whorl's text format
    unsigned headerLines_ = 0;
    std::string machine_;  ///< from a comment
    Recording recording_;
    std::array<ChironOccupancy, 2> occupancy_;
    std::array<std::uint64_t, kMaxCpus> lastTime_{};  ///< by L1 cache

    std::array<Begun, kMaxCpus> begun_{};        ///< by CPU
    Tick goingOn_;                               ///< the access begun last by any CPU
    std::array<Waiting, kMaxCpus> waitingNear_;  ///< events of L1, by cache
    std::array<Waiting, kMaxCpus> waitingFar_;   ///< events of L2, by cache
    Waiting waitingAny_;
    std::array<RecentSource, 4096> recentSources_{};
};

}  // namespace

ChironReader::ChironReader(TraceBuilder& builder, const ChironScan& text, std::vector<std::string> sources)
    : builder_(builder),
      text_(text),
      sources_(std::move(sources)),
      fields_(text.base),
      plainText_(textReader(builder, false)) {
    if (!builder_.streams()) recording_.events.reserve(text.lines);
    if (!text.doubt.empty()) builder_.lost(text.doubt);
}

std::size_t ChironReader::read(std::string_view block) {
    return readEach(block, [this](std::string_view line) { return readLine(withoutBlanks(line)); });
}

bool ChironReader::readLine(std::string_view line) {
    if (line.empty()) return true;
    const char letter = line[0];
    if (letter == '#') {
        readComment(line.substr(1));
        return true;
    }
    const bool alone = line.size() == 1 || isBlank(line[1]);
    if (!alone || (letter != 'c' && chironFields(letter).empty())) {
        return refuseLine(fmt::format("\"{}\" is not known", shown(takeWord(line))),
                          "a line begins with one of the letters i c d r w m g h b a f e p R W, or with #");
    }
    if (letter != 'i' && headerLines_ < kHeaderLines) {
        return refuse(
            fmt::format("the header is not complete: {} of its {} lines are there", headerLines_, kHeaderLines),
            std::string(kHeaderForm));
    }
    if (letter == 'c') return readObject(line.substr(1));
    const bool isCompletion = text_.lowerCase && (letter == 'r' || letter == 'w') && hasFourNumbers(line);
    return readFields(isCompletion ? (letter == 'r' ? 'R' : 'W') : letter, line);
}

/// Reads a line whose letter may have had its case restored.
bool ChironReader::readFields(char letter, std::string_view line) {
    if (!fields_.read(letter, line.substr(1))) {
        malformed_ = fields_.malformed();
        return false;
    }
    switch (letter) {
        case 'i':
            return readHeader();
        case 'd':
            return readDeath();
        case 'r':
        case 'w':
            return readAccessStart(letter);
        case 'R':
        case 'W':
            return readCompletion(letter);
        case 'm':
            return isCpu(fields_[1]) && isLevel(fields_[2]);
        default:
            return readBlockEvent(letter);
    }
}

/// Comments may contain information written by Whorl; all others are ignored.
void ChironReader::readComment(std::string_view line) {
    const std::string_view whole = withoutBlanks(line);
    const std::string_view first = takeWord(line);
    line = withoutBlanks(line);
    if (first == "name") {
        const auto words = splitWords(line);
        if (words && words->size() == 1) builder_.name(words->front().text);
    } else if (first == "machine" && line.starts_with('{')) {
        machine_ = line;
    } else if (first == "time") {
        readTime(line);
    } else if (first == "region" || first == "mark") {
        plainText_->read(std::string(whole) + "\n");
    }
}

/// "# time 1 85509": begin and end of the recording in cycles.
void ChironReader::readTime(std::string_view words) {
    const auto begin = wholeNumber(takeWord(words));
    const auto end = wholeNumber(withoutBlanks(words));
    if (!begin || !end || *end < *begin) return;
    recording_.begin = *begin;
    recording_.end = *end;
}

bool ChironReader::readHeader() {
    const std::uint64_t n = fields_[0];
    if (headerLines_ == kHeaderLines) return refuse("the header has a fifth line", std::string(kHeaderForm));
    const unsigned level = headerLines_ % 2;
    if (headerLines_ < 2) {
        if (!isPowerOfTwo(n) || n > kMaxBlockSize) {
            return refuse(fmt::format("the blocks of L{} have {} bytes", level + 1, n),
                          fmt::format("a block is a power of two from 1 to {} bytes", kMaxBlockSize));
        }
        if (level == 1 && n < recording_.blockSize[0]) {
            return refuse(
                fmt::format("the blocks of L2 ({}) are smaller than those of L1 ({})", n, recording_.blockSize[0]),
                "they stay the same or grow from the CPU outward");
        }
        recording_.blockSize[level] = static_cast<std::uint32_t>(n);
    } else {
        if (n == 0 || n > kMaxCpus) {
            return refuse(fmt::format("{} L{} caches", n, level + 1), fmt::format("there are 1 to {}", kMaxCpus));
        }
        if (level == 1 && (n > recording_.caches[0] || recording_.caches[0] % n != 0)) {
            return refuse(fmt::format("{} L1 caches cannot share {} L2 caches evenly", recording_.caches[0], n),
                          "each L2 cache serves as many L1 caches as any other");
        }
        recording_.caches[level] = static_cast<std::uint32_t>(n);
    }
    ++headerLines_;
    return true;
}

bool ChironReader::readObject(std::string_view line) {
    constexpr std::size_t kNeeded = 4;
    const auto words = splitWords(line);
    if (!words) return refuseLine("the quotes are not valid", chironForm('c'));
    if (words->size() < kNeeded)
        return refuseLine("an object needs a name, an address, a size and a CPU", chironForm('c'));
    if (words->size() > kNeeded + 1) {
        return refuseLine(fmt::format("\"{}\" is unexpected", shown((*words)[kNeeded + 1].text)), chironForm('c'));
    }
    Object object;
    object.name = (*words)[0].text;
    object.className = words->size() > kNeeded ? (*words)[kNeeded].text : object.name;
    std::uint64_t cpu = 0;
    if (!fields_.readNumber('a', (*words)[1].text, object.base.value) ||
        !fields_.readNumber('z', (*words)[2].text, object.size) || !fields_.readNumber('p', (*words)[3].text, cpu)) {
        malformed_ = fields_.malformed();
        return false;
    }
    if (!isCpu(cpu)) return false;
    if (!endsWithinMemory(object.base.value, object.size)) {
        return refuseLine("it does not end before the last byte of the address space");
    }
    return builder_.newObject(std::move(object)) ||
           refuseLine("an object is still alive there", "a d line ends its lifetime");
}

bool ChironReader::readDeath() {
    if (!isCpu(fields_[1])) return false;
    return builder_.deleteObject(ByteAddress{fields_[0]}) ||
           refuseLine("no object that is alive starts there", "it was never created, or has been deleted before");
}

bool ChironReader::isCpu(std::uint64_t cpu) {
    return cpu < recording_.caches[0] ||
           refuseLine(fmt::format("there is no CPU {}", cpu), listOf(recording_.caches[0], "CPU"));
}

bool ChironReader::isLevel(std::uint64_t level) {
    return level == 1 || level == 2 || refuseLine(fmt::format("there is no level {}", level), "it is 1 or 2");
}

bool ChironReader::spotOf(Spot& spot) {
    const std::uint64_t level = fields_[2];
    if (!isLevel(level)) return false;
    const std::uint32_t caches = recording_.caches[level - 1];
    if (fields_[1] >= caches) {
        return refuseLine(fmt::format("there is no L{} cache {}", level, fields_[1]),
                          listOf(caches, fmt::format("L{} cache", level)));
    }
    spot = {.level = static_cast<std::uint8_t>(level - 1), .cache = static_cast<std::uint8_t>(fields_[1])};
    return true;
}

/// Whether the times of events that an L1 cache makes for its own CPU do not decrease. An L2 cache serves several CPUs,
/// whose accesses may overlap, and an invalidation has the time of the CPU that caused it.
bool ChironReader::timeGoesOn(Spot spot, std::uint64_t time) {
    if (spot.level != 0) return true;
    std::uint64_t& last = lastTime_[spot.cache];
    if (time < last) {
        return refuseLine(fmt::format("the time goes back from {} to {} in L1 cache {}", last, time, spot.cache),
                          "what one L1 cache loads and replaces comes in the order of time");
    }
    return true;
}

bool ChironReader::moveBlocks(char letter, Spot spot) {
    ChironOccupancy& occupancy = occupancy_[spot.level];
    const auto refuseAt = [&](std::string_view what) {
        return refuseLine(fmt::format("the block is {} in L{} cache {}", what, spot.level + 1, spot.cache));
    };
    if (letter == 'g' || letter == 'h') {
        return occupancy.enter(blockOf(fields_[0], spot), spot.cache) || refuseAt("already");
    }
    if (letter == 'p') return true;
    const std::uint64_t leaving = letter == 'a' || letter == 'b' ? fields_[5] : fields_[0];
    return occupancy.leave(blockOf(leaving, spot), spot.cache) || refuseAt("no longer");
}

bool ChironReader::readBlockEvent(char letter) {
    const bool replaces = letter == 'a' || letter == 'b';
    const bool invalidates = letter == 'e' || letter == 'f';
    Spot spot;
    if (!spotOf(spot)) return false;
    if (!invalidates && !timeGoesOn(spot, fields_[4])) return false;
    if (!moveBlocks(letter, spot)) return false;
    if (!invalidates && spot.level == 0) lastTime_[spot.cache] = fields_[4];
    using Kind = RecordedEvent::Kind;
    RecordedEvent event;
    event.kind = replaces ? Kind::replace : invalidates ? Kind::invalidate : letter == 'p' ? Kind::protect : Kind::load;
    event.level = spot.level;
    event.cache = spot.cache;
    event.privately = letter == 'h' || letter == 'a' || letter == 'e';
    event.cycles = fields_[4];
    event.address = ByteAddress{fields_[0]};
    if (replaces) event.other = ByteAddress{fields_[5]};
    record(event);
    return true;
}

/// Attributes an event to an access: events of an L1 cache for its CPU to that CPU's access, all others to the access
/// in progress. If the file has only completions, the event belongs to the next completed access; for L2, to the next
/// one of a CPU that it serves.
void ChironReader::record(RecordedEvent event) {
    if (builder_.streams()) return;
    const bool own = event.kind != RecordedEvent::Kind::invalidate;
    if (text_.starts) {
        const Begun& begun = begun_[event.cache];
        event.access = own && event.level == 0 && begun.any ? begun.tick : goingOn_;
    } else {
        Waiting& waiting = !own ? waitingAny_ : event.level == 0 ? waitingNear_[event.cache] : waitingFar_[event.cache];
        waiting.push_back(recording_.events.size());
    }
    recording_.events.push_back(event);
}

void ChironReader::claim(Waiting& waiting, Tick access) {
    for (const std::size_t index : waiting) recording_.events[index].access = access;
    waiting.clear();
}

SiteId ChironReader::siteOf(std::uint64_t source) {
    if (source % kChironLines == 0 || !builder_.numbersSites()) return {};
    RecentSource& recent = recentSources_[source % recentSources_.size()];
    if (recent.source == source) return recent.site;
    const std::uint64_t file = source / kChironLines;
    const auto line = static_cast<std::uint32_t>(source % kChironLines);
    const bool named = file > 0 && file <= sources_.size();
    recent = {.source = source, .site = builder_.site(named ? sources_[file - 1] : fmt::format("file {}", file), line)};
    return recent.site;
}

bool ChironReader::readAccessStart(char letter) {
    const std::uint64_t size = fields_.hasSize() ? fields_[3] : kDefaultAccessSize;
    if (!isCpu(fields_[1]) || !possible(fields_[0], size)) return false;
    Access access = accessOf(letter == 'w' ? Op::write : Op::read, fields_[0], size);
    access.cpu = static_cast<std::uint8_t>(fields_[1]);
    access.site = siteOf(fields_[2]);
    access.modify = fields_.isModify();
    goingOn_ = Tick{builder_.size()};
    begun_[access.cpu] = {
        .tick = goingOn_, .address = fields_[0], .isWrite = access.isWrite(), .isOpen = true, .any = true};
    builder_.add(access);
    return true;
}

bool ChironReader::readCompletion(char letter) {
    if (!isCpu(fields_[1])) return false;
    const auto cpu = static_cast<std::uint8_t>(fields_[1]);
    RecordedEvent event{.kind = RecordedEvent::Kind::wait, .level = 0, .cache = cpu, .privately = letter == 'W'};
    event.cycles = fields_[3];
    event.address = ByteAddress{fields_[0]};
    if (text_.starts) {
        Begun& begun = begun_[cpu];
        if (!begun.isOpen || begun.address != fields_[0] || begun.isWrite != event.privately) {
            return refuseLine(fmt::format("CPU {} has not begun this access", cpu),
                              fmt::format("expected a line {} with this address before it", letter == 'W' ? 'w' : 'r'));
        }
        begun.isOpen = false;
        event.access = begun.tick;
    } else {
        if (!possible(fields_[0], kDefaultAccessSize)) return false;
        event.access = Tick{builder_.size()};
        claim(waitingNear_[cpu], event.access);
        claim(waitingFar_[cpu / (recording_.caches[0] / recording_.caches[1])], event.access);
        claim(waitingAny_, event.access);
        Access access = accessOf(event.privately ? Op::write : Op::read, fields_[0], kDefaultAccessSize);
        access.cpu = cpu;
        access.site = siteOf(fields_[2]);
        builder_.add(access);
    }
    if (!builder_.streams()) recording_.events.push_back(event);
    return true;
}

/// A machine with the caches of the header. The file does not contain their sizes: they hold the maximum number of
/// blocks seen in them, and at least the 64 blocks of the smallest example in the thesis. The latencies are those of
/// its example trace, in which an access waits 20 cycles for an L2 cache and 57 for memory.
std::string ChironReader::machine() const {
    constexpr std::uint64_t kFewest = 64;
    MachineConfig machine;
    machine.name = "chiron";
    machine.cpus = recording_.caches[0];
    machine.memoryLatency = 37;
    for (std::size_t l = 0; l < 2; ++l) {
        const std::uint64_t most = std::bit_floor(kMaxBlocksPerLevel / recording_.caches[l]);
        LevelConfig level;
        level.name = fmt::format("L{}", l + 1);
        level.block = recording_.blockSize[l];
        level.size = std::clamp(std::bit_ceil(occupancy_[l].most()), kFewest, most) * level.block;
        level.ways = l == 0 ? 2 : 4;
        level.sharedBy = recording_.caches[0] / recording_.caches[l];
        level.latency = l == 0 ? 0 : 20;
        machine.levels.push_back(level);
    }
    return machineAsJson(machine);
}

void ChironReader::finish() {
    if (headerLines_ < kHeaderLines || builder_.size() == 0) return;
    const Tick last{builder_.size() - 1};
    claim(waitingAny_, last);
    for (Waiting& waiting : waitingNear_) claim(waiting, last);
    for (Waiting& waiting : waitingFar_) claim(waiting, last);
    builder_.machine(machine_.empty() ? machine() : machine_);
    if (!builder_.streams()) builder_.keep(std::move(recording_));
}

bool likeChiron(std::string_view text) {
    while (!text.empty()) {
        std::string_view line = firstLine(text);
        const std::string_view first = takeWord(line);
        if (first.empty() || first[0] == '#') {
            text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
            continue;
        }
        const bool isHeader = first == "i" && decimalNumber(takeWord(line));
        return isHeader && withoutBlanks(line).empty();
    }
    return false;
}

/// Scans the whole text once before parsing it.
Expected<void> readChiron(const Reading& reading, std::string_view begun, LineSource& lines) {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    auto sources = WHORL_TRY(sourcesIn(reading.chironSources));
    const auto whole = WHORL_TRY(wholeText(reading, begun, lines));
    const ChironScan scan = scanChiron(whole.text);
    if (!reading.builder.streams() && !reading.budget.take(scan.lines, sizeof(RecordedEvent))) {
        return tl::unexpected(reading.budget.error(reading.name));
    }
    reading.builder.limitMemory(reading.budget.left());
    const auto reader = std::make_unique<ChironReader>(reading.builder, scan, std::move(sources));
    for (std::string_view rest = whole.text; !rest.empty();) {
        const std::size_t end = rest.find('\n', std::min(kStep, rest.size() - 1)) + 1;
        const auto lengthOf = [&](std::string_view line) { return whole.lengthOf(line); };
        WHORL_TRY(takeBlock(reading, rest.substr(0, end), *reader, lengthOf));
        rest.remove_prefix(end);
    }
    reader->finish();
    return finish(reading, false);
}

}  // namespace whorl::sim
