#include "sim/trace/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <new>
#include <span>
#include <utility>

#include "sim/base/byte_source.h"
#include "sim/base/folder_root.h"
#include "sim/base/memory_budget.h"
#include "sim/trace/formats/foreign_content.h"
#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/trace_formats.h"
#include "sim/trace/formats/whorl_format.h"
#include "sim/trace/formats/whorl_sections.h"
#include "sim/trace/region_file.h"
#include "sim/trace/source_lookup.h"

namespace whorl::sim {
namespace {

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

/// Reads a whole source; detects the format if `format` is null.
Expected<void> readSource(const Reading& reading, const KnownFormat* format, std::unique_ptr<ByteSource> bytes) {
    if (reading.columns != nullptr) return readText(reading, nullptr, std::move(bytes));
    // A format known only by its file name may have any content.
    if (format != nullptr && format->named != nullptr) return format->readBytes(reading, *bytes);
    std::string begin;
    WHORL_TRY(readUpTo(kForeignSample, begin, *bytes, reading.progress));
    if (auto foreign = foreignContent(begin, reading.name)) return tl::unexpected(*std::move(foreign));
    const auto binary = std::find_if(knownFormats().begin(), knownFormats().end(), [&](const KnownFormat& f) {
        return f.readBytes != nullptr && f.begins != nullptr && f.begins(begin) && (format == nullptr || format == &f);
    });
    auto whole = std::make_unique<BegunSource>(std::move(begin), std::move(bytes));
    return binary != knownFormats().end() ? binary->readBytes(reading, *whole)
                                          : readText(reading, format, std::move(whole));
}

/// Reads into a builder; returns the trace instead if the format yields it as a whole.
Expected<std::optional<Trace>> readInto(TraceBuilder& builder, std::unique_ptr<ByteSource> bytes,
                                        const std::string& name, const ReadOptions& options, Progress& progress) {
    MemoryBudget budget(options.memory);
    builder.limitMemory(budget.left());
    if (options.ignoresSizes) builder.ignoreSizes();
    std::optional<Trace> whole;
    const Reading reading{.name = name,
                          .lenient = options.lenient,
                          .instructions = options.instructions,
                          .chironSources = options.chironSources,
                          .columns = options.columns ? &*options.columns : nullptr,
                          .builder = builder,
                          .budget = budget,
                          .progress = progress,
                          .whole = whole};
    WHORL_TRY(readSource(reading, options.format ? &known(*options.format) : nullptr, std::move(bytes)));
    if (whole && options.ignoresSizes) {
        return fail(name, "the sizes of a trace of this format cannot be left out",
                    "write it as text first, with whorl trace");
    }
    return whole;
}

std::string nameOf(const std::string& path) {
    return path == "-" ? "standard input" : path;
}

/// Whether a path leads to a regular file, with links resolved only within its folder.
bool isRegularFile(const std::filesystem::path& path) {
    const auto folder = FolderRoot::open(path.parent_path().string());
    return folder && folder->find(path.filename().string()).outcome == FolderRoot::Outcome::found;
}

/// The options for a file, with the list of source files beside it unless one is given.
ReadOptions optionsFor(const std::string& path, ReadOptions options) {
    const std::string list = path + ".files";
    if (!options.chironSources.empty() || path == "-" || !isRegularFile(list)) return options;
    options.chironSources = list;
    return options;
}

/// The options for a file, with the format that its name implies unless one is given.
ReadOptions withFormat(const std::string& path, ReadOptions options) {
    for (const KnownFormat& format : knownFormats()) {
        if (!options.format && format.named != nullptr && format.named(path)) options.format = format.format;
    }
    return options;
}

/// The result of reading a trace, or an error if it does not fit into memory.
template <class F>
auto unlessFull(const std::string& name, F&& read) -> decltype(read()) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        return fail(name, "the trace does not fit into memory", "record less of the program");
    }
}

Expected<std::unique_ptr<ByteSource>> openTrace(const std::string& path, Progress& progress) {
    return openFile(path, progress).and_then([&](auto file) { return decompressed(std::move(file), nameOf(path)); });
}

Expected<StreamedTrace> streamFrom(std::unique_ptr<ByteSource> bytes, const std::string& name,
                                   const ReadOptions& options, AccessConsumer consumer, Progress& progress) {
    if (!options.regions.empty()) {
        return fail(name, "a streamed trace has no regions to which others could be added", "read it whole");
    }
    if (options.naming) return fail(name, "a streamed trace cannot be given names", "read it whole");
    if (options.order == AccessOrder::virtualTime) {
        return fail(name, "a streamed trace has the order in which it was recorded", "read it whole");
    }
    if (options.only.needsTrace()) {
        return fail(name, "a streamed trace cannot be filtered by regions or source files",
                    "filter by CPU or addresses");
    }
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
    WHORL_TRY(readInto(builder, std::move(bytes), name, options, progress));
    builder.flush();
    chosen.flush();
    const TraceBuilder& last = options.only.wantsAll() ? builder : chosen;
    StreamedTrace streamed;
    streamed.accesses = last.size();
    streamed.writes = last.writes();
    streamed.cpus = last.cpus();
    streamed.hasTimes = builder.hasTimes();
    streamed.skippedLines = builder.skippedLines();
    streamed.accessesOff = builder.accessesOff() + chosen.accessesOff();
    streamed.losses = builder.losses();
    if (options.only.wantsAll()) streamed.instructions = builder.instructions();
    return streamed;
}

/// Reads a whole trace without filtering it or looking up source texts.
Expected<Trace> readAll(std::unique_ptr<ByteSource> bytes, const std::string& name, const std::string& traceName,
                        const ReadOptions& options, Progress& progress) {
    TraceBuilder builder(traceName);
    if (options.only.unwanted == Unwanted::simulate) builder.keepUnrecorded();
    auto whole = WHORL_TRY(readInto(builder, std::move(bytes), name, options, progress));
    if (whole) return *std::move(whole);
    return builder.finish();
}

/// Reads a trace, adds the source texts found in `folder` (if given) or elsewhere, and applies the filter, which may
/// need regions and source files and therefore the complete trace.
Expected<Trace> readFrom(std::unique_ptr<ByteSource> bytes, const std::string& name, const std::string& traceName,
                         const std::optional<std::filesystem::path>& folder, const ReadOptions& options,
                         Progress& progress) {
    std::vector<Region> named;
    if (!options.regions.empty()) named = WHORL_TRY(readRegions(options.regions));
    auto trace = readAll(std::move(bytes), name, traceName, options, progress);
    if (trace && !named.empty()) trace = withRegions(*std::move(trace), std::move(named), options.regions);
    if (!trace) return trace;
    trace = options.sources.none ? withoutSourceTexts(*std::move(trace))
                                 : withSourceTexts(*std::move(trace), options.sources, folder, progress);
    if (trace && options.naming) trace = options.naming(*std::move(trace));
    if (trace) trace = inOrder(*std::move(trace), options.order, name, progress, options.memory);
    if (!trace || options.only.wantsAll()) return trace;
    return filtered(*trace, options.only, name);
}

}  // namespace

Expected<Trace> readTrace(const std::string& path, const ReadOptions& options, Progress& progress) {
    const std::string name = nameOf(path);
    return unlessFull(name, [&]() -> Expected<Trace> {
        auto bytes = WHORL_TRY(openTrace(path, progress));
        if (path == "-") return readFrom(std::move(bytes), name, name, std::nullopt, options, progress);
        const std::filesystem::path where(path);
        return readFrom(std::move(bytes), name, where.filename().string(), where.parent_path(),
                        optionsFor(path, withFormat(path, options)), progress);
    });
}

Expected<StreamedTrace> streamTrace(const std::string& path, const ReadOptions& options, AccessConsumer consumer,
                                    Progress& progress) {
    const std::string name = nameOf(path);
    return unlessFull(name, [&]() -> Expected<StreamedTrace> {
        auto bytes = WHORL_TRY(openTrace(path, progress));
        return streamFrom(std::move(bytes), name, withFormat(path, options), std::move(consumer), progress);
    });
}

namespace {

/// Whether the format of a file has something; nothing if that cannot be told without reading all of it.
std::optional<bool> formatHas(bool KnownFormat::*what, const std::string& path, const ReadOptions& options) {
    if (options.format) return known(*options.format).*what;
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown)) return std::nullopt;
    try {
        Progress progress;
        auto bytes = openTrace(path, progress);
        if (!bytes) return std::nullopt;
        std::string begin;
        if (!readUpTo(kMaxLine, begin, **bytes, progress)) return std::nullopt;
        return std::any_of(knownFormats().begin(), knownFormats().end(),
                           [&](const KnownFormat& f) { return f.*what && f.begins(begin); });
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
}

}  // namespace

bool mayBringMachine(const std::string& path, const ReadOptions& options) {
    return formatHas(&KnownFormat::bringsMachine, path, options).value_or(false);
}

bool mayBringSyncs(const std::string& path, const ReadOptions& options) {
    return formatHas(&KnownFormat::hasSyncs, path, options).value_or(true);
}

bool isPartial(const std::string& path) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown)) return false;
    FileHead head;
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return false;
    const bool isRead = std::fread(&head, sizeof head, 1, file) == 1;
    std::fclose(file);
    return isRead && std::string_view(head.magic.data(), head.magic.size()) == kWhorlMagic &&
           (head.extras & (sectionOf(BlockKind::windows).bit | sectionOf(BlockKind::excerpt).bit)) != 0;
}

Expected<StreamedTrace> streamText(std::string_view text, const std::string& name, const ReadOptions& options,
                                   AccessConsumer consumer) {
    Progress progress;
    return unlessFull(name, [&] { return streamFrom(openMemory(text), name, options, std::move(consumer), progress); });
}

Expected<Trace> parseTrace(std::string_view text, const std::string& name, const ReadOptions& options) {
    Progress progress;
    return unlessFull(name, [&] { return readFrom(openMemory(text), name, name, std::nullopt, options, progress); });
}

}  // namespace whorl::sim
