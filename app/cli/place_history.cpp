// whorl history: every access to some memory, or to a cell of a cache, and what lived there.
#include "sim/analysis/place_history.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "sim/analysis/place.h"
#include "sim/report/place_tables.h"

namespace whorl::app {

namespace {

struct PlaceOptions : QueryOptions {
    std::string place;
};

sim::Expected<sim::Document> placeHistoryFor(const PlaceOptions& options, const OptionParser& command) {
    sim::Place place;
    const auto find = [&](const sim::Trace& trace, const sim::MachineConfig& machine) {
        return sim::placeNamed(options.place, trace, machine).map([&](const sim::Place& named) { place = named; });
    };
    auto query = WHORL_TRY(queriedBy(options, command, find));
    auto history = inProgress("looking back", [&](sim::Progress& progress) {
        return sim::placeHistoryOf(*query.run, place, query.range, progress);
    });
    if (!history) return tl::unexpected(history.error());
    if ((*history)->leftOut > 0 && (options.answer.json || options.answer.csv)) {
        fmt::print(stderr, "whorl: {}: the last {} accesses are left out: choose a range with --from and --to\n",
                   options.place, sim::grouped((*history)->leftOut));
    }
    return sim::placeDocument(*history, query.run);
}

}  // namespace

void addHistoryCommand(OptionParser& program) {
    auto options = std::make_shared<PlaceOptions>();
    OptionParser& command =
        program.addCommand("history", "List the accesses to a variable, an address or a cell of a cache, in order");
    addQueryOptions(command, *options, "rows of each table in text; JSON and CSV have all");
    command.add("PLACE", options->place,
                "B, B[3][4], heap+0x40, 0x1040, 0x1040+64 (bytes), L1:3:0 (set and way), L1@2:3:0 (of CPU 2's cache)",
                {.required = true, .kind = ValueKind::placeOrCell});
    command.addFlag("--csv", options->answer.csv, "as CSV, a row for each access");
    command.addExample("Every access to one element", "whorl history matmul:n=16 \"B[3][4]\"");
    command.addExample("What lived in way 0 of set 5 of the cache of CPU 2", "whorl history vecadd L1@2:5:0");
    answerBy(command, std::move(options), placeHistoryFor);
}

}  // namespace whorl::app
