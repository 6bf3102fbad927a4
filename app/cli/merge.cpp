// whorl merge: merges the shards of a sweep.
#include <fmt/format.h>
#include <sys/stat.h>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "sim/base/byte_sink.h"
#include "sim/base/byte_source.h"
#include "sim/base/file_kind.h"
#include "sim/base/memory_budget.h"
#include "sim/base/output_target.h"
#include "sim/base/text.h"
#include "sim/report/merge.h"

namespace whorl::app {

namespace {

struct MergeOptions {
    std::vector<std::string> inputs;
    std::string output = "-";
};

/// Fails for what cannot have a part: a folder, or a device, which has no end.
sim::Expected<void> checkKind(const std::string& path) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0 || S_ISFIFO(info.st_mode)) return {};
    const std::string_view kind = sim::fileKind(info.st_mode);
    if (kind.empty()) return {};
    return sim::fail(path, fmt::format("this is {}", kind),
                     "expected what whorl stats --sweep … --json or --csv writes");
}

/// The text of a part, which may come from a pipe.
sim::Expected<std::string> textOf(const std::string& path, sim::MemoryBudget& budget, sim::Progress& progress) {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    constexpr std::size_t kBegin = std::size_t{1} << 10;
    WHORL_TRY(checkKind(path));
    auto file = WHORL_TRY(sim::openFile(path, progress));
    std::string text;
    while (true) {
        if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
        if (text.size() >= kBegin) {
            WHORL_TRY(sim::checkPart(path, std::string_view(text).substr(0, kBegin)));
        }
        const std::size_t had = text.size();
        text.resize(had + kStep);
        const auto n = file->read(std::span(text).subspan(had));
        text.resize(had + n.value_or(0));
        if (!n) return tl::unexpected(n.error());
        if (*n == 0) return text;
        if (!budget.take(*n)) {
            return sim::fail(path, "the parts are too long to be merged",
                             fmt::format("{} is the most here", sim::bytesInWords(budget.most())));
        }
    }
}

sim::Expected<std::string> mergedFiles(const std::vector<std::string>& paths, sim::Progress& progress) {
    std::vector<sim::SweepPart> parts;
    parts.reserve(paths.size());
    sim::MemoryBudget budget;
    for (const std::string& path : paths) {
        progress.startPart(parts.size(), paths.size());
        auto text = textOf(path, budget, progress);
        if (!text) return tl::unexpected(text.error());
        parts.push_back({path, *std::move(text)});
    }
    return sim::merged(parts);
}

sim::Expected<void> mergeCommand(const MergeOptions& options) {
    if (auto checked = sim::checkOutput(options.output, options.inputs); !checked) return checked;
    return inProgress("merging", [&](sim::Progress& progress) { return mergedFiles(options.inputs, progress); })
        .and_then([&](const std::string& text) { return sim::writeText(text, options.output); });
}

}  // namespace

void addMergeCommand(OptionParser& program) {
    auto options = std::make_shared<MergeOptions>();
    OptionParser& command = program.addCommand("merge", "Merge the shards of a sweep (see stats --shard)");
    command.add("PARTS", options->inputs, "what whorl stats --sweep … --shard i/n wrote as JSON or as CSV",
                {.required = true, .kind = ValueKind::file});
    addOutputOption(command, options->output);
    command.addExample("Three parts of a sweep, which whorl stats has measured on three computers",
                       "whorl merge part1.json part2.json part3.json -o sweep.json");
    command.onRun([options] { return mergeCommand(*options); });
}

}  // namespace whorl::app
