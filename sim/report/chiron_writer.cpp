#include "sim/report/chiron_writer.h"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <new>
#include <optional>
#include <span>

#include "sim/base/byte_sink.h"
#include "sim/cache/cost.h"
#include "sim/cache/event.h"
#include "sim/replay/clock.h"
#include "sim/replay/replay.h"
#include "sim/replay/simulator.h"
#include "sim/trace/access.h"
#include "sim/trace/formats/chiron_format.h"
#include "sim/trace/formats/text_words.h"
#include "sim/trace/timing.h"
#include "sim/trace/writer.h"

namespace whorl::sim {

namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;
constexpr std::uint64_t kStride = 4096;  ///< accesses between checks of the buffer

/// The machine as it will play the trace; an error if the format cannot express it.
Expected<MachineConfig> expressible(const MachineConfig& machine, const Trace& trace, const std::string& path) {
    constexpr std::string_view kHint = "name a machine of the kind with --machine; paradigm is one";
    auto grown = checked(withCpus(machine, trace.cpus()), {});
    if (!grown) return grown;
    if (grown->cpus < trace.cpus()) return fail(path, "the trace has more CPUs than the machine can have");
    if (grown->levels.size() != 2) {
        return fail(
            path, fmt::format("a Chiron trace has two levels of caches, and the machine has {}", grown->levels.size()),
            std::string(kHint));
    }
    if (grown->caches(0) != grown->cpus) {
        return fail(path,
                    fmt::format("in a Chiron trace each CPU has an L1 cache, and here {} CPUs have {}", grown->cpus,
                                grown->caches(0)),
                    std::string(kHint));
    }
    if (grown->levels[1].inclusion == Inclusion::exclusive) {
        return fail(path, "a Chiron trace cannot describe exclusive levels", std::string(kHint));
    }
    return grown;
}

/// The numbers of source lines in a Chiron trace; 0 for those without one.
std::vector<std::uint64_t> sourcesOf(const Trace& trace) {
    std::vector<std::uint64_t> sources;
    sources.reserve(trace.sites().size());
    for (const Site& site : trace.sites()) {
        const bool hasNumber = site.line > 0 && site.line < kChironLines;
        sources.push_back(hasNumber ? (site.file + std::uint64_t{1}) * kChironLines + site.line : 0);
    }
    return sources;
}

/// A JSON text on one line: line ends in it can only be whitespace.
std::string inOneLine(const std::string& json) {
    std::string line;
    bool atStart = false;
    for (const char c : json) {
        if (c == '\n' || (atStart && c == ' ')) {
            atStart = true;
        } else {
            if (atStart && !line.empty()) line += ' ';
            line += c;
            atStart = false;
        }
    }
    return line;
}

class ChironWriter final : public Observer {
  public:
    ChironWriter(const Trace& trace, const MachineConfig& machine, const Future& future, ByteSink& sink,
                 Progress& progress)
        : trace_(trace),
          machine_(machine),
          sink_(sink),
          progress_(progress),
          simulator_(machine, future),
          clock_(trace, machine.cpus),
          sources_(sourcesOf(trace)),
          markers_(markersOf(trace)) {}

    Expected<void> write() {
        progress_.start(trace_.size());
        appendHeader();
        for (std::uint64_t from = 0; from < trace_.size(); from += kStride) {
            const Range range{Tick{from}, Tick{std::min(from + kStride, trace_.size())}};
            if (!replay(trace_, simulator_, range, *this, progress_)) return tl::unexpected(Error::byUser());
            if (buffer_.size() < kBuffer) continue;
            if (auto written = flush(); !written) return written;
        }
        appendMarkers(Tick{trace_.size()});
        append("# time {} {}\n", begin_, clock_.elapsed());
        return flush();
    }

    Wants wants() const override { return Wants::oneByOne; }
    void take(const Batch& batch) override;

  private:
    const Trace& trace_;
    const MachineConfig& machine_;
    ByteSink& sink_;
    Progress& progress_;
    Simulator simulator_;
    Clock clock_;
    std::vector<std::uint64_t> sources_;  ///< by site
    std::vector<TimedMarker> markers_;
    std::size_t nextMarker_ = 0;
    Cycles begin_ = 0;  ///< the earliest start of an access
    std::string buffer_;

    Expected<void> flush() {
        auto written = sink_.write(buffer_);
        buffer_.clear();
        return written;
    }

    template <class... Parts>
    void append(fmt::format_string<Parts...> form, Parts&&... parts) {
        fmt::format_to(std::back_inserter(buffer_), form, std::forward<Parts>(parts)...);
    }

    void appendHeader() {
        append("# name {}\n", asWord(trace_.name()));
        append("# machine {}\n", inOneLine(machineAsJson(machine_)));
        append("i {}\ni {}\n", machine_.blockBytes(), machine_.levels[1].block);
        append("i {}\ni {}\n", machine_.caches(0), machine_.caches(1));
        for (const Region& r : trace_.regions()) {
            if (r.origin == RegionOrigin::declared) append("# {}", asTextLine(r));
        }
    }

    void appendMarkers(Tick t) {
        for (; nextMarker_ < markers_.size() && markers_[nextMarker_].at <= t; ++nextMarker_) {
            append(markers_[nextMarker_]);
        }
    }

    void append(const TimedMarker& marker) {
        if (marker.kind == TimedMarker::Kind::mark) {
            append("# {}", asTextLine(trace_.marks()[marker.index]));
            return;
        }
        const Object& o = trace_.objects()[marker.index];
        if (marker.kind != TimedMarker::Kind::death) {  // its creator is not known
            append("c {} {:o} {:o} 0", asWord(o.name), o.base.value, o.size);
            if (o.className != o.name) append(" {}", asWord(o.className));
            buffer_ += '\n';
        }
        if (marker.kind != TimedMarker::Kind::birth) append("d {:o} 0\n", o.base.value);
    }

    void append(const RecordedEvent& e, std::uint64_t source) {
        append("{} {:o} {} {} {} {}", letterOf(e), e.address.value, e.cache, e.level + 1, source, e.cycles);
        if (e.kind == RecordedEvent::Kind::replace) append(" {:o}", e.other.value);
        buffer_ += '\n';
    }

    static char letterOf(const RecordedEvent& e) {
        switch (e.kind) {
            case RecordedEvent::Kind::load:
                return e.privately ? 'h' : 'g';
            case RecordedEvent::Kind::replace:
                return e.privately ? 'a' : 'b';
            case RecordedEvent::Kind::invalidate:
                return e.privately ? 'e' : 'f';
            case RecordedEvent::Kind::protect:
                return 'p';
            case RecordedEvent::Kind::wait:
                break;
        }
        return e.privately ? 'W' : 'R';
    }
};

/// Converts the events of one access that the simulator has just played to those of a recording: with times, and with
/// the requested addresses. Takes the events in order.
class EventNarrator {
  public:
    /// `start` is when the access began; all three must outlive it.
    EventNarrator(const Simulator& after, const Access& access, std::span<const Event> events, Tick tick, Cycles start)
        : after_(after), access_(access), events_(events), tick_(tick), start_(start) {}

    /// The next event in recorded form; empty when it has none: for hits, misses, write-backs and the like.
    std::optional<RecordedEvent> take(std::size_t event);
    /// The access's total access cycles, once every event is taken; empty when there are none.
    std::optional<RecordedEvent> wait() const;
    /// The access cycles up to the events taken so far.
    Cycles waited() const { return waited_; }

  private:
    /// The first byte of a block that the access requests; the block's own first byte if it requests none.
    ByteAddress askedFor(const Event& e) const;
    ByteAddress addressOf(const Event& e) const;
    ByteAddress replacing(std::size_t eviction) const;
    bool isPrivate(const Event& fill) const;

    const Simulator& after_;
    const Access& access_;
    std::span<const Event> events_;
    Tick tick_;
    Cycles start_;
    Cycles waited_ = 0;
};

ByteAddress EventNarrator::addressOf(const Event& e) const {
    return after_.hierarchy().cache(e.level).addressOf(e.block);
}

ByteAddress EventNarrator::askedFor(const Event& e) const {
    const std::uint64_t first = addressOf(e).value;
    const std::uint64_t from = access_.address.value;
    const std::uint64_t block = after_.machine().levels[e.level].block;
    if (from - first < block) return access_.address;
    return ByteAddress{first};
}

/// The address requested when a block had to be evicted: that of the next block filled into that cache.
ByteAddress EventNarrator::replacing(std::size_t eviction) const {
    const Event& gone = events_[eviction];
    for (std::size_t i = eviction + 1; i < events_.size(); ++i) {
        const Event& e = events_[i];
        if (e.kind == EventKind::fill && e.level == gone.level && e.cache == gone.cache) return askedFor(e);
    }
    return access_.address;
}

/// Whether no other cache of the level can hold the block.
bool EventNarrator::isPrivate(const Event& fill) const {
    const MachineConfig& machine = after_.machine();
    if (machine.protocol == Protocol::none || machine.caches(fill.level) == 1) return machine.caches(fill.level) == 1;
    const Cache& cache = after_.hierarchy().cache(fill.level, fill.cache);
    const std::uint32_t way = cache.find(fill.block);
    return way != Cache::kNoWay && cache.has(fill.set, WayIndex{way}, Cache::owned);
}

std::optional<RecordedEvent> EventNarrator::take(std::size_t event) {
    using Kind = RecordedEvent::Kind;
    const Event& e = events_[event];
    if (!access_.unrecorded) waited_ += costOf(e, after_.machine());
    RecordedEvent recorded;
    recorded.level = e.level;
    recorded.cache = e.cache;
    recorded.access = tick_;
    recorded.cycles = start_ + waited_;
    switch (e.kind) {
        case EventKind::fill:
            recorded.kind = Kind::load;
            recorded.privately = isPrivate(e);
            recorded.address = askedFor(e);
            return recorded;
        case EventKind::eviction:
            recorded.kind = Kind::replace;
            recorded.privately = e.dirty;
            recorded.address = replacing(event);
            recorded.other = addressOf(e);
            return recorded;
        case EventKind::invalidation:
            recorded.kind = Kind::invalidate;
            recorded.privately = e.dirty;
            recorded.address = addressOf(e);
            return recorded;
        case EventKind::upgrade:
            recorded.kind = Kind::protect;
            recorded.address = askedFor(e);
            return recorded;
        default:
            return std::nullopt;
    }
}

std::optional<RecordedEvent> EventNarrator::wait() const {
    if (waited_ == 0) return std::nullopt;
    return RecordedEvent{.kind = RecordedEvent::Kind::wait,
                         .level = 0,
                         .cache = access_.cpu,
                         .privately = access_.isWrite(),
                         .access = tick_,
                         .cycles = waited_,
                         .address = access_.address};
}

void ChironWriter::take(const Batch& batch) {
    const Tick t = batch.first;
    const Access a = batch.accesses.front().unpack();
    const std::span<const Event> events(batch.events.begin(), batch.events.end());
    appendMarkers(t);
    const Cycles at = clock_.take(t, a.cpu, a.unrecorded ? 0 : costOf(events, machine_));
    begin_ = t.value == 0 ? at : std::min(begin_, at);
    EventNarrator narrator(batch.machine, a, events, t, at);
    const std::uint64_t source = sources_[a.site.value];
    if (!a.unrecorded) {
        append("{} {:o} {} {} {:o}{}\n", a.isWrite() ? 'w' : 'r', a.address.value, a.cpu, source, a.size,
               a.modify ? " m" : "");
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto recorded = narrator.take(i);
        if (recorded) {
            append(*recorded, source);
        } else if (const Event& e = events[i]; e.kind == EventKind::miss && e.demand && !a.unrecorded) {
            append("m {:o} {} {} {}\n", a.address.value, a.cpu, e.level + 1, source);
        }
    }
    if (const auto waited = narrator.wait()) {
        append("{} {:o} {} {} {}\n", a.isWrite() ? 'W' : 'R', a.address.value, a.cpu, source, waited->cycles);
    }
}

/// The file for the list of sources; null if none is to be written: for a trace without sources, or a destination that
/// no file can be placed beside.
Expected<std::unique_ptr<ByteSink>> openList(const Trace& trace, const std::string& path) {
    std::error_code unknown;
    const auto there = std::filesystem::status(path, unknown);
    const bool elsewhere = path == "-" || (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there));
    if (trace.files().empty() || elsewhere) return std::unique_ptr<ByteSink>();
    const std::string name = path + ".files";
    if (!std::filesystem::exists(there) && std::filesystem::exists(std::filesystem::symlink_status(name, unknown))) {
        return fail(name, "this file is there already, and the list of source files would replace it",
                    "choose another name for the trace");
    }
    auto file = createFile(name);
    if (!file) return file;
    std::string list;
    for (const SourceFile& source : trace.files()) list += asChironSource(source.path) + "\n";
    WHORL_TRY((*file)->write(list));
    return file;
}

}  // namespace

Expected<void> writeChiron(const Trace& trace, const MachineConfig& machine, const std::string& path,
                           Progress& progress) {
    try {
        const auto played = WHORL_TRY(expressible(machine, trace, path));
        const auto future = futureOf(played, trace, progress);
        if (!future) return tl::unexpected(Error::byUser());
        auto sink = WHORL_TRY(createFile(path));
        auto list = WHORL_TRY(openList(trace, path));
        auto written = ChironWriter(trace, played, *future, *sink, progress).write();
        if (!written) return written;
        if (list != nullptr) written = (list)->close();
        return written ? (sink)->close() : written;
    } catch (const std::bad_alloc&) {
        return fail(path, "there is not enough memory to write it");
    }
}

}  // namespace whorl::sim
