// whorl contents: what the caches, the TLBs and bounded memory hold at a moment.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/values.h"
#include "sim/report/contents_report.h"

namespace whorl::app {

namespace {

struct ContentsOptions : QueryOptions {
    std::string at = "end";
    std::vector<std::string> of;
};

sim::Expected<sim::Document> contentsFor(const ContentsOptions& options, const OptionParser& command) {
    sim::Tick at;
    std::vector<sim::Store> stores;
    const auto find = [&](const sim::Trace& trace, const sim::MachineConfig& machine) -> sim::Expected<void> {
        at = WHORL_TRY(parseTick("--at", options.at, trace.size()));
        for (const std::string& word : options.of) stores.push_back(WHORL_TRY(sim::storeNamed(word, machine)));
        if (options.of.empty()) stores = sim::storesOf(machine);
        return {};
    };
    auto query = WHORL_TRY(queriedBy(options, command, find));
    return sim::contentsDocument({.trace = query.run->sharedTrace(),
                                  .now = std::make_shared<const sim::Simulator>(query.run->stateAt(at)),
                                  .stores = std::move(stores)});
}

}  // namespace

void addContentsCommand(OptionParser& program) {
    auto options = std::make_shared<ContentsOptions>();
    OptionParser& command = program.addCommand(
        "contents", "Print what each set of the caches, the TLBs and bounded memory holds at a moment");
    addInputOptions(command, options->input, true);
    command.add("--at", options->at, "after so many accesses: a number, a share such as 50%, or end",
                {.showDefault = true, .among = {"end"}});
    command.add("--of", options->of,
                "a level, tlb or pages, of the first CPU, or of another one: L1@2; may be given several times; without "
                "it, all",
                {.kind = ValueKind::level, .among = {"tlb", "pages"}});
    command.addFlag("--json", options->answer.json, "as JSON, with the empty sets");
    command.addFlag("--csv", options->answer.csv, "as CSV, with the empty sets");
    addOutputOption(command, options->answer.output);
    command.addExample("The sets of the first cache after a hundred accesses",
                       "whorl contents matmul:n=16 --at 100 --of L1");
    answerBy(command, std::move(options), contentsFor);
}

}  // namespace whorl::app
