#include "sim/trace/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <new>
#include <utility>

#include "sim/base/byte_source.h"
#include "sim/base/folder_root.h"
#include "sim/base/memory_budget.h"
#include "sim/base/small_file.h"
#include "sim/base/text.h"
#include "sim/trace/formats/champsim_reader.h"
#include "sim/trace/formats/chiron_format.h"
#include "sim/trace/formats/chiron_reader.h"
#include "sim/trace/formats/foreign_content.h"
#include "sim/trace/formats/line_formats.h"
#include "sim/trace/formats/line_reader.h"
#include "sim/trace/formats/line_source.h"
#include "sim/trace/formats/whorl_file.h"
#include "sim/trace/region_file.h"
#include "sim/trace/source_lookup.h"

namespace whorl::sim {
namespace {

constexpr std::size_t kLinesLookedAt = 1000;

tl::unexpected<Error> baseIsOpen(const std::string& name, std::string_view line) {
    return fail(name, fmt::format("the address in \"{}\" may be hex or decimal, and no line tells which", shown(line)),
                "--format din takes all as hex, --format text as decimal unless 0x is before it");
}

/// The format that most of the first lines match, strong matches counting first; nothing if none match.
Expected<std::optional<TraceFormat>> detect(std::string_view text, const std::string& name) {
    if (likeChiron(text)) return TraceFormat::chiron;
    const std::span<const LineFormat> formats = lineFormats();
    std::vector<std::pair<int, int>> likeness(formats.size());
    const std::string_view first = firstLine(text);
    std::string_view open;  // the first line that hasBaseOpen()
    bool isOwnText = false;
    for (std::size_t n = 0; n < kLinesLookedAt && !text.empty();) {
        const std::string_view line = firstLine(text);
        n += withoutBlanks(line).empty() ? 0 : 1;
        for (std::size_t f = 0; f < formats.size() && line.size() <= kMaxLine; ++f) {
            const int like = formats[f].like(line);
            likeness[f].first += like > 1 ? 1 : 0;
            likeness[f].second += like;
        }
        const bool isOpen = hasBaseOpen(line);
        if (isOpen && open.empty()) open = line;
        isOwnText |= !isOpen && !withoutBlanks(line).starts_with('#') && likeText(line) > 0;
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    const auto best = std::max_element(likeness.begin(), likeness.end());
    if (best->second == 0) return std::nullopt;
    const TraceFormat format = formats[static_cast<std::size_t>(best - likeness.begin())].format;
    if (format != TraceFormat::text || isOwnText) return format;
    if (!open.empty()) return baseIsOpen(name, open);
    // What is behind # are comments, unless another tool writes its records so.
    return inOwnText(first).empty() ? std::optional(format) : std::nullopt;
}

/// The length in bytes of the line at the start of a block, the rest of which may not be in the block.
using LineLength = std::function<Expected<std::uint64_t>(std::string_view line)>;

Error nothingIn(const std::string& name, const TraceBuilder& builder, bool fetchesLeftOut) {
    std::string hint;
    if (builder.skippedLines() > 0) {
        hint = fmt::format("{} lines were malformed and skipped", builder.skippedLines());
    } else if (builder.accessesOff() > 0) {
        hint = fmt::format("{} accesses come after \"off\" and before \"on\"", builder.accessesOff());
    } else if (fetchesLeftOut) {
        hint = "instruction fetches are skipped; --instructions counts them as reads";
    }
    return {.where = name, .what = "there are no accesses in it", .hint = std::move(hint)};
}

void skip(LineReader& reader, TraceBuilder& builder, std::string_view line, std::uint64_t length) {
    constexpr std::size_t kMostTold = 8;
    if (isTooLong(line) && builder.losses().size() < kMostTold) {
        builder.lost(fmt::format("line {} is left out: it has {} bytes, and a line at most {}", reader.lines() + 1,
                                 length, kMaxLine));
    }
    builder.lineSkipped();
    reader.skipLine();
}

/// What the readers of lines share.
struct Reading {
    const std::string& name;
    const ReadOptions& options;
    TraceBuilder& builder;
    MemoryBudget& budget;
    Progress& progress;
};

Expected<void> checkMemory(const Reading& reading) {
    if (!reading.builder.isBeyondMemory()) return {};
    reading.budget.take(reading.builder.bytes());
    return tl::unexpected(reading.budget.error(reading.name));
}

/// Adds a block of lines, skipping malformed ones if that is wanted.
Expected<void> takeBlock(const Reading& reading, std::string_view block, LineReader& reader,
                         const LineLength& lengthOf) {
    if (reading.progress.cancelled()) return tl::unexpected(Error::byUser());
    while (true) {
        block.remove_prefix(reader.read(block));
        if (block.empty()) break;
        const std::string_view line = firstLine(block);
        const auto length = isTooLong(line) ? lengthOf(line) : line.size();
        if (!length) return tl::unexpected(length.error());
        if (!reading.options.lenient) {
            return tl::unexpected(lineError(reading.name, reader.lines() + 1, line, *length, reader.malformed()));
        }
        skip(reader, reading.builder, line, *length);
        block.remove_prefix(block.find('\n') + 1);
    }
    reading.progress.setAccesses(reading.builder.size());
    return checkMemory(reading);
}

/// To be called at the end of a trace.
Expected<void> finish(const Reading& reading, bool fetchesLeftOut) {
    if (reading.builder.size() == 0) return tl::unexpected(nothingIn(reading.name, reading.builder, fetchesLeftOut));
    reading.builder.flush();
    return checkMemory(reading);
}

/// A source whose first bytes have already been read.
class BegunSource : public ByteSource {
  public:
    BegunSource(std::string begun, std::unique_ptr<ByteSource> rest)
        : begun_(std::move(begun)), rest_(std::move(rest)) {}

    Expected<std::size_t> read(std::span<char> to) override {
        if (taken_ == begun_.size()) return rest_->read(to);
        const std::size_t n = std::string_view(begun_).substr(taken_).copy(to.data(), to.size());
        taken_ += n;
        return n;
    }

  private:
    std::string begun_;
    std::size_t taken_ = 0;
    std::unique_ptr<ByteSource> rest_;
};

/// Appends the content of a source, up to `most` bytes in all.
Expected<void> readUpTo(std::size_t most, std::string& bytes, ByteSource& source, const Progress& progress) {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    while (bytes.size() < most) {
        if (progress.cancelled()) return tl::unexpected(Error::byUser());
        const std::size_t had = bytes.size();
        bytes.resize(std::min(most, had + kStep));
        const auto n = source.read(std::span(bytes).subspan(had));
        bytes.resize(had + n.value_or(0));
        if (!n) return tl::unexpected(n.error());
        if (*n == 0) break;
    }
    return {};
}

/// Appends the rest of a source, which must fit into memory.
Expected<void> readRest(std::string& bytes, ByteSource& source, const std::string& name, MemoryBudget& budget,
                        const Progress& progress) {
    constexpr std::size_t kPart = std::size_t{16} << 20;
    while (true) {
        const std::size_t had = bytes.size();
        if (auto read = readUpTo(had + kPart, bytes, source, progress); !read) return read;
        if (bytes.size() == had) return {};
        if (!budget.take(bytes.size() - had)) return tl::unexpected(budget.error(name));
    }
}

/// A source with its basic type detected.
struct OpenedInput {
    std::unique_ptr<ByteSource> bytes;  ///< null for a .whorl file
    std::string whorl;                  ///< the whole content of a .whorl file
};

/// Detects by the first bytes whether a source is a .whorl file, and reads it if so.
Expected<OpenedInput> inputFrom(std::unique_ptr<ByteSource> source, const std::string& name, const ReadOptions& options,
                                MemoryBudget& budget, const Progress& progress) {
    OpenedInput input;
    if (options.format == TraceFormat::champsim) {
        // Its records may look like anything.
        input.bytes = std::move(source);
        return input;
    }
    auto read = readUpTo(kForeignLookedAt, input.whorl, *source, progress);
    if (!read) return tl::unexpected(read.error());
    if (auto foreign = foreignContent(input.whorl, name)) return tl::unexpected(*std::move(foreign));
    const bool binary = likeWhorl(input.whorl);
    if (!binary || options.format.value_or(TraceFormat::whorl) != TraceFormat::whorl) {
        input.bytes = std::make_unique<BegunSource>(std::move(input.whorl), std::move(source));
        return input;
    }
    read = readRest(input.whorl, *source, name, budget, progress);
    if (!read) return tl::unexpected(read.error());
    return input;
}

/// The paths in a list of source files; empty if `path` is empty.
Expected<std::vector<std::string>> sourcesIn(const std::string& path) {
    constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
    if (path.empty()) return std::vector<std::string>{};
    const auto list = readSmallFile(path, kMost, "a list of source files");
    if (!list) return tl::unexpected(list.error());
    return chironSources(*list);
}

/// The text of a Chiron trace: what its first line means may follow from its last.
struct WholeText {
    std::string text;
    std::map<std::size_t, std::uint64_t> truncated;  ///< by the place of a line in the text: the bytes that it lacks

    Expected<std::uint64_t> lengthOf(std::string_view line) const {
        const auto found = truncated.find(static_cast<std::size_t>(line.data() - text.data()));
        return line.size() + (found == truncated.end() ? 0 : found->second);
    }
};

/// Reads lines to the end; `begun` is the block that has been read.
Expected<WholeText> wholeText(const Reading& reading, std::string_view begun, LineSource& lines) {
    WholeText whole;
    for (std::string_view block = begun; !block.empty();) {
        if (!reading.budget.take(block.size())) return tl::unexpected(reading.budget.error(reading.name));
        const auto lacks = lines.truncated(reading.progress);
        if (!lacks) return tl::unexpected(lacks.error());
        if (*lacks > 0) whole.truncated.emplace(whole.text.size(), *lacks);
        whole.text += block;
        const auto next = lines.next();
        if (!next) return tl::unexpected(next.error());
        if (reading.progress.cancelled()) return tl::unexpected(Error::byUser());
        block = *next;
    }
    return whole;
}

/// Reads a Chiron trace whose first lines, `begun`, have been read. The whole text is scanned once before it is parsed.
Expected<void> readChiron(const Reading& reading, std::string_view begun, LineSource& lines) {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    auto sources = sourcesIn(reading.options.chironSources);
    if (!sources) return tl::unexpected(sources.error());
    const auto whole = wholeText(reading, begun, lines);
    if (!whole) return tl::unexpected(whole.error());
    const ChironScan scan = scanChiron(whole->text);
    if (!reading.builder.streams() && !reading.budget.take(scan.lines, sizeof(RecordedEvent))) {
        return tl::unexpected(reading.budget.error(reading.name));
    }
    reading.builder.limitMemory(reading.budget.left());
    const auto reader = std::make_unique<ChironReader>(reading.builder, scan, *std::move(sources));
    for (std::string_view rest = whole->text; !rest.empty();) {
        const std::size_t end = rest.find('\n', std::min(kStep, rest.size() - 1)) + 1;
        const auto lengthOf = [&](std::string_view line) { return whole->lengthOf(line); };
        if (auto taken = takeBlock(reading, rest.substr(0, end), *reader, lengthOf); !taken) return taken;
        rest.remove_prefix(end);
    }
    reader->finish();
    return finish(reading, false);
}

Error recordError(const std::string& name, const Malformed& why, std::uint64_t at) {
    return {.where = fmt::format("{}, byte {}", name, at),
            .what = why.what,
            .hint = why.hint + "; --lenient skips such records"};
}

/// Reads a ChampSim trace: records of one size, without anything between them.
Expected<void> readChampsim(const Reading& reading, ByteSource& source) {
    constexpr std::size_t kStep = (std::size_t{1} << 14) * kChampsimRecord;
    ChampsimReader reader(reading.builder, reading.options.instructions);
    std::uint64_t skipped = 0;
    std::string bytes;
    for (std::uint64_t at = 0;; at += bytes.size()) {
        bytes.clear();
        if (auto read = readUpTo(kStep, bytes, source, reading.progress); !read) return read;
        if (bytes.empty()) break;
        std::string_view rest = bytes;
        for (rest.remove_prefix(reader.read(rest)); !rest.empty(); rest.remove_prefix(reader.read(rest))) {
            const std::uint64_t from = at + (bytes.size() - rest.size());
            if (!reading.options.lenient) {
                return tl::unexpected(recordError(reading.name, reader.malformed(), from));
            }
            ++skipped;
            rest.remove_prefix(std::min(rest.size(), kChampsimRecord));
        }
        reading.progress.setAccesses(reading.builder.size());
        if (auto fits = checkMemory(reading); !fits) return fits;
    }
    if (skipped > 0) reading.builder.lost(fmt::format("{} malformed records were left out", skipped));
    return finish(reading, false);
}

/// Reads everything in a source into a builder.
Expected<void> readInto(const Reading& reading, std::unique_ptr<ByteSource> bytes) {
    const std::string& name = reading.name;
    const ReadOptions& options = reading.options;
    reading.builder.limitMemory(reading.budget.left());
    if (options.format == TraceFormat::champsim) return readChampsim(reading, *bytes);
    LineSource lines(std::move(bytes));
    auto block = lines.next();
    if (!block) return tl::unexpected(block.error());
    if (block->empty()) return fail(name, "the file is empty", "expected a trace");
    block = withoutByteOrderMark(*block);
    const auto detected = options.format ? options.format : detect(*block, name);
    if (!detected) return tl::unexpected(detected.error());
    const std::optional<TraceFormat> format = *detected;
    if (!format) {
        const auto lacks = lines.truncated(reading.progress);
        return tl::unexpected(lacks ? noTraceIn(*block, name, *lacks) : lacks.error());
    }
    if (*format == TraceFormat::chiron) return readChiron(reading, *block, lines);
    const LineFormat* const form = lineFormat(*format);
    // Binary traces are recognized before their lines are asked for.
    if (form == nullptr) return fail(name, "this is not a .whorl file", "omit --format to detect the format");
    const auto reader = form->reader(reading.builder, options.instructions);
    const auto lengthOf = [&](std::string_view line) {
        return lines.truncated(reading.progress).map([&](std::uint64_t lacks) { return line.size() + lacks; });
    };
    while (!block->empty()) {
        if (auto taken = takeBlock(reading, *block, *reader, lengthOf); !taken) return taken;
        block = lines.next();
        if (!block) return tl::unexpected(block.error());
    }
    reader->finish();
    return finish(reading, form->hasInstructions && !options.instructions);
}

/// Whether a path is that of a regular file, links resolved within its folder.
bool liesBeside(const std::filesystem::path& path) {
    const auto folder = FolderRoot::open(path.parent_path().string());
    return folder && folder->find(path.filename().string()).outcome == FolderRoot::Outcome::found;
}

/// The options for a file, with the list of source files beside it if none was given.
ReadOptions optionsFor(const std::string& path, ReadOptions options) {
    const std::string list = path + ".files";
    if (!options.chironSources.empty() || path == "-" || !liesBeside(list)) return options;
    options.chironSources = list;
    return options;
}

/// The options for a file, with the format that its name tells if none was given.
ReadOptions withFormat(const std::string& path, ReadOptions options) {
    if (!options.format && namesChampsim(path)) options.format = TraceFormat::champsim;
    return options;
}

tl::unexpected<Error> outOfMemory(const std::string& name) {
    return fail(name, "the trace does not fit into memory", "record less of the program");
}

Expected<StreamedTrace> streamFrom(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                   const ReadOptions& options, AccessConsumer consumer, Progress& progress) {
    if (!options.regions.empty()) {
        return fail(name, "a streamed trace has no regions to which others could be added", "read it whole");
    }
    if (options.naming) return fail(name, "a streamed trace cannot be given names", "read it whole");
    if (options.order != AccessOrder::recorded) {
        return fail(name, "a streamed trace has the order in which it was recorded", "read it whole");
    }
    if (options.only.needsTrace()) {
        return fail(name, "a streamed trace cannot be filtered by regions or source files",
                    "filter by CPU or addresses");
    }
    MemoryBudget budget(options.memory);
    auto input = inputFrom(std::move(bytes), name, options, budget, progress);
    if (!input) return tl::unexpected(input.error());
    TraceBuilder chosen(consumer, options.sites);
    const bool simulate = options.only.unwanted == Unwanted::simulate;
    if (simulate) chosen.keepUnrecorded();
    if (!options.only.wantsAll()) {
        consumer = [&](std::span<const PackedAccess> some) {
            for (const PackedAccess& a : some) {
                chosen.recording(options.only.wants(a.unpack()));
                chosen.add(a);
            }
        };
    }
    TraceBuilder builder(std::move(consumer), options.sites);
    if (simulate) builder.keepUnrecorded();
    StreamedTrace streamed;
    if (input->bytes == nullptr) {
        auto losses = streamWhorl(input->whorl, name, builder, budget, progress);
        if (!losses) return tl::unexpected(losses.error());
        streamed.losses = std::move(*losses);
    } else {
        const auto read = readInto({name, options, builder, budget, progress}, std::move(input->bytes));
        if (!read) return tl::unexpected(read.error());
        streamed.losses = builder.losses();
    }
    builder.flush();
    chosen.flush();
    const TraceBuilder& last = options.only.wantsAll() ? builder : chosen;
    streamed.accesses = last.size();
    streamed.writes = last.writes();
    streamed.cpus = last.cpus();
    streamed.hasTimes = builder.hasTimes();
    streamed.skippedLines = builder.skippedLines();
    streamed.accessesOff = builder.accessesOff() + chosen.accessesOff();
    if (options.only.wantsAll()) streamed.instructions = builder.instructions();
    return streamed;
}

/// Reads a whole trace without filtering, and without looking for source texts.
Expected<Trace> readAll(std::unique_ptr<ByteSource> bytes, const std::string& name, const std::string& traceName,
                        const ReadOptions& options, Progress& progress) {
    MemoryBudget budget(options.memory);
    auto input = inputFrom(std::move(bytes), name, options, budget, progress);
    if (!input) return tl::unexpected(input.error());
    if (input->bytes == nullptr) return traceOf(input->whorl, name, budget, progress);
    TraceBuilder builder(traceName);
    if (options.only.unwanted == Unwanted::simulate) builder.keepUnrecorded();
    const auto read = readInto({name, options, builder, budget, progress}, std::move(input->bytes));
    if (!read) return tl::unexpected(read.error());
    return builder.finish();
}

/// Reads a trace, with the source texts that are found in `folder` (if given) or elsewhere, and applies the filter,
/// which may need regions and source files and so the complete trace.
Expected<Trace> readFrom(std::unique_ptr<ByteSource> bytes, const std::string& name, const std::string& traceName,
                         const std::optional<std::filesystem::path>& folder, const ReadOptions& options,
                         Progress& progress) {
    std::vector<Region> named;
    if (!options.regions.empty()) {
        auto read = readRegions(options.regions);
        if (!read) return tl::unexpected(read.error());
        named = *std::move(read);
    }
    auto trace = readAll(std::move(bytes), name, traceName, options, progress);
    if (trace && !named.empty()) trace = withRegions(*std::move(trace), std::move(named), options.regions);
    if (!trace) return trace;
    trace = options.sources.none ? withoutSourceTexts(*std::move(trace))
                                 : withSourceTexts(*std::move(trace), options.sources, folder, progress);
    if (trace && options.naming) trace = options.naming(*std::move(trace));
    if (trace && options.order == AccessOrder::virtualTime) trace = inVirtualTime(*trace, name, progress);
    if (!trace || options.only.wantsAll()) return trace;
    return filtered(*trace, options.only, name);
}

}  // namespace

Expected<Trace> readTrace(const std::string& path, const ReadOptions& options, Progress& progress) {
    const std::string name = path == "-" ? "standard input" : path;
    try {
        auto file = openFile(path, progress);
        if (!file) return tl::unexpected(file.error());
        auto bytes = decompressed(std::move(*file), name);
        if (!bytes) return tl::unexpected(bytes.error());
        if (path == "-") return readFrom(std::move(*bytes), name, name, std::nullopt, options, progress);
        const std::filesystem::path where(path);
        return readFrom(std::move(*bytes), name, where.filename().string(), where.parent_path(),
                        optionsFor(path, withFormat(path, options)), progress);
    } catch (const std::bad_alloc&) {
        return outOfMemory(name);
    }
}

Expected<StreamedTrace> streamTrace(const std::string& path, const ReadOptions& options, AccessConsumer consumer,
                                    Progress& progress) {
    const std::string name = path == "-" ? "standard input" : path;
    try {
        auto file = openFile(path, progress);
        if (!file) return tl::unexpected(file.error());
        auto bytes = decompressed(std::move(*file), name);
        if (!bytes) return tl::unexpected(bytes.error());
        return streamFrom(std::move(*bytes), name, withFormat(path, options), std::move(consumer), progress);
    } catch (const std::bad_alloc&) {
        return outOfMemory(name);
    }
}

bool mayBringMachine(const std::string& path, const ReadOptions& options) {
    if (options.format) return *options.format == TraceFormat::chiron || *options.format == TraceFormat::whorl;
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown)) return false;
    try {
        Progress progress;
        auto file = openFile(path, progress);
        if (!file) return false;
        auto bytes = decompressed(std::move(*file), path);
        if (!bytes) return false;
        std::string begin;
        if (!readUpTo(kMaxLine, begin, **bytes, progress)) return false;
        return likeWhorl(begin) || likeChiron(begin);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

Expected<StreamedTrace> streamText(std::string_view text, const std::string& name, const ReadOptions& options,
                                   AccessConsumer consumer) {
    try {
        Progress progress;
        return streamFrom(openMemory(text), name, options, std::move(consumer), progress);
    } catch (const std::bad_alloc&) {
        return outOfMemory(name);
    }
}

Expected<Trace> parseTrace(std::string_view text, const std::string& name, const ReadOptions& options) {
    try {
        Progress progress;
        return readFrom(openMemory(text), name, name, std::nullopt, options, progress);
    } catch (const std::bad_alloc&) {
        return outOfMemory(name);
    }
}

}  // namespace whorl::sim
