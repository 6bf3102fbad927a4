#include "sim/trace/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>

#include "sim/base/byte_source.h"
#include "sim/base/folder_root.h"
#include "sim/base/text.h"
#include "sim/trace/formats/chiron_format.h"
#include "sim/trace/formats/chiron_reader.h"
#include "sim/trace/formats/line_formats.h"
#include "sim/trace/formats/line_reader.h"
#include "sim/trace/formats/line_source.h"
#include "sim/trace/formats/whorl_file.h"
#include "sim/trace/source_lookup.h"

namespace whorl::sim {
namespace {

constexpr std::size_t kLinesLookedAt = 1000;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// The format that most of the first lines match, strong matches counting first; nothing if none match.
std::optional<TraceFormat> detect(std::string_view text) {
    if (likeChiron(text)) return TraceFormat::chiron;
    const std::span<const LineFormat> formats = lineFormats();
    std::vector<std::pair<int, int>> likeness(formats.size());
    for (std::size_t n = 0; n < kLinesLookedAt && !text.empty();) {
        const std::string_view line = firstLine(text);
        n += withoutBlanks(line).empty() ? 0 : 1;
        for (std::size_t f = 0; f < formats.size() && line.size() <= kMaxLine; ++f) {
            const int like = formats[f].like(line);
            likeness[f].first += like > 1 ? 1 : 0;
            likeness[f].second += like;
        }
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    const auto best = std::max_element(likeness.begin(), likeness.end());
    if (best->second == 0) return std::nullopt;
    return formats[static_cast<std::size_t>(best - likeness.begin())].format;
}

Error lineError(const std::string& name, const LineReader& reader, std::string_view line) {
    const Malformed& why = reader.malformed();
    std::string hint = why.hint;
    if (why.noise) hint += fmt::format("{}--lenient skips such lines", hint.empty() ? "" : "; ");
    return {.where = fmt::format("{}:{}", name, reader.lines() + 1),
            .what = fmt::format("{}: \"{}\"", why.what, shown(line)),
            .hint = std::move(hint)};
}

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

/// Adds a block of lines, skipping malformed ones if `lenient`.
Expected<void> takeBlock(std::string_view block, LineReader& reader, TraceBuilder& builder, const std::string& name,
                         bool lenient) {
    while (true) {
        block.remove_prefix(reader.read(block));
        if (block.empty()) return {};
        if (!lenient) return tl::unexpected(lineError(name, reader, firstLine(block)));
        builder.lineSkipped();
        reader.skipLine();
        block.remove_prefix(block.find('\n') + 1);
    }
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

/// A source with its basic type detected.
struct OpenedInput {
    std::unique_ptr<ByteSource> lines;  ///< text; null for a .whorl file
    std::string whorl;                  ///< the whole content of a .whorl file
};

/// Detects by the first bytes whether a source is a .whorl file, and reads it if so.
Expected<OpenedInput> inputFrom(std::unique_ptr<ByteSource> source, const ReadOptions& options,
                                const Progress& progress) {
    constexpr std::size_t kMagic = 8;
    OpenedInput input;
    if (auto read = readUpTo(kMagic, input.whorl, *source, progress); !read) return tl::unexpected(read.error());
    const bool binary = likeWhorl(input.whorl);
    if (!binary || options.format.value_or(TraceFormat::whorl) != TraceFormat::whorl) {
        input.lines = std::make_unique<BegunSource>(std::move(input.whorl), std::move(source));
        return input;
    }
    auto read = readUpTo(~std::size_t{0}, input.whorl, *source, progress);
    if (!read) return tl::unexpected(read.error());
    return input;
}

/// The paths in a list of source files; empty if `path` is empty.
Expected<std::vector<std::string>> sourcesIn(const std::string& path) {
    constexpr std::size_t kMost = std::size_t{64} << 20;
    if (path.empty()) return std::vector<std::string>{};
    Progress progress;
    auto file = openFile(path, progress);
    if (!file) return tl::unexpected(file.error());
    std::string list;
    if (auto read = readUpTo(kMost, list, **file, progress); !read) return tl::unexpected(read.error());
    return chironSources(list);
}

/// Reads a Chiron trace whose first lines, `begun`, have been read. The whole text is scanned once before it is parsed.
Expected<void> readChiron(TraceBuilder& builder, std::string_view begun, LineSource& lines, const std::string& name,
                          const ReadOptions& options, const Progress& progress) {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    auto sources = sourcesIn(options.chironSources);
    if (!sources) return tl::unexpected(sources.error());
    std::string text(begun);
    while (true) {
        if (progress.cancelled()) return tl::unexpected(Error::byUser());
        const auto block = lines.next();
        if (!block) return tl::unexpected(block.error());
        if (block->empty()) break;
        text += *block;
    }
    const auto reader = std::make_unique<ChironReader>(builder, scanChiron(text), *std::move(sources));
    for (std::string_view rest = text; !rest.empty();) {
        if (progress.cancelled()) return tl::unexpected(Error::byUser());
        const std::size_t end = rest.find('\n', std::min(kStep, rest.size() - 1)) + 1;
        if (auto taken = takeBlock(rest.substr(0, end), *reader, builder, name, options.lenient); !taken) return taken;
        rest.remove_prefix(end);
    }
    reader->finish();
    if (builder.size() == 0) return tl::unexpected(nothingIn(name, builder, false));
    return {};
}

/// Reads a whole source into a builder. `name` is the file in error messages.
Expected<void> readInto(TraceBuilder& builder, std::unique_ptr<ByteSource> bytes, const std::string& name,
                        const ReadOptions& options, const Progress& progress) {
    LineSource lines(std::move(bytes));
    auto block = lines.next();
    if (!block) return tl::unexpected(block.error());
    if (block->empty()) return fail(name, "the file is empty", "expected a trace");
    if (block->starts_with(kByteOrderMark)) block->remove_prefix(kByteOrderMark.size());
    const auto format = options.format ? options.format : detect(*block);
    if (!format) {
        return fail(name, fmt::format("no line of it looks like a trace in {}", joinNames(formatNames(), "or")),
                    "use --format to force one of them");
    }
    if (*format == TraceFormat::chiron) return readChiron(builder, *block, lines, name, options, progress);
    const LineFormat* const form = lineFormat(*format);
    // Binary traces are recognized before their lines are asked for.
    if (form == nullptr) return fail(name, "this is not a .whorl file", "omit --format to detect the format");
    const auto reader = form->reader(builder, options.instructions);
    while (!block->empty()) {
        if (progress.cancelled()) return tl::unexpected(Error::byUser());
        if (auto taken = takeBlock(*block, *reader, builder, name, options.lenient); !taken) return taken;
        block = lines.next();
        if (!block) return tl::unexpected(block.error());
    }
    if (builder.size() == 0)
        return tl::unexpected(nothingIn(name, builder, form->hasInstructions && !options.instructions));
    return {};
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

tl::unexpected<Error> outOfMemory(const std::string& name) {
    return fail(name, "the trace does not fit into memory", "record less of the program");
}

Expected<StreamedTrace> streamFrom(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                   const ReadOptions& options, AccessConsumer consumer, const Progress& progress) {
    if (options.only.needsTrace()) {
        return fail(name, "a streamed trace cannot be filtered by regions or source files",
                    "filter by CPU or addresses");
    }
    auto input = inputFrom(std::move(bytes), options, progress);
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
    if (input->lines == nullptr) {
        auto losses = streamWhorl(input->whorl, name, builder, progress);
        if (!losses) return tl::unexpected(losses.error());
        streamed.losses = std::move(*losses);
    } else {
        const auto read = readInto(builder, std::move(input->lines), name, options, progress);
        if (!read) return tl::unexpected(read.error());
    }
    builder.flush();
    chosen.flush();
    const TraceBuilder& last = options.only.wantsAll() ? builder : chosen;
    streamed.accesses = last.size();
    streamed.writes = last.writes();
    streamed.cpus = last.cpus();
    streamed.hasTiming = !builder.timing().empty();
    streamed.skippedLines = builder.skippedLines();
    streamed.accessesOff = builder.accessesOff() + chosen.accessesOff();
    if (options.only.wantsAll()) streamed.instructions = builder.instructions();
    return streamed;
}

/// Reads a whole trace without filtering, and without looking for source texts.
Expected<Trace> readAll(std::unique_ptr<ByteSource> bytes, const std::string& name, const std::string& traceName,
                        const ReadOptions& options, const Progress& progress) {
    auto input = inputFrom(std::move(bytes), options, progress);
    if (!input) return tl::unexpected(input.error());
    if (input->lines == nullptr) return traceOf(input->whorl, name);
    TraceBuilder builder(traceName);
    if (options.only.unwanted == Unwanted::simulate) builder.keepUnrecorded();
    const auto read = readInto(builder, std::move(input->lines), name, options, progress);
    if (!read) return tl::unexpected(read.error());
    return builder.finish();
}

/// Reads a trace, with the source texts that are found in `folder` (if given) or elsewhere, and applies the filter,
/// which may need regions and source files and so the complete trace.
Expected<Trace> readFrom(std::unique_ptr<ByteSource> bytes, const std::string& name, const std::string& traceName,
                         const std::optional<std::filesystem::path>& folder, const ReadOptions& options,
                         const Progress& progress) {
    auto trace = readAll(std::move(bytes), name, traceName, options, progress);
    if (!trace) return trace;
    trace = options.sources.none ? withoutSourceTexts(*std::move(trace))
                                 : withSourceTexts(*std::move(trace), options.sources, folder, progress);
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
                        optionsFor(path, options), progress);
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
        return streamFrom(std::move(*bytes), name, options, std::move(consumer), progress);
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
        return streamFrom(openMemory(text), name, options, std::move(consumer), Progress{});
    } catch (const std::bad_alloc&) {
        return outOfMemory(name);
    }
}

Expected<Trace> parseTrace(std::string_view text, const std::string& name, const ReadOptions& options) {
    try {
        return readFrom(openMemory(text), name, name, std::nullopt, options, Progress{});
    } catch (const std::bad_alloc&) {
        return outOfMemory(name);
    }
}

}  // namespace whorl::sim
