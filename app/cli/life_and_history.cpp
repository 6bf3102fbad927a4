// whorl life and whorl history: what happened to one object, or to one place.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "sim/analysis/object_life.h"
#include "sim/analysis/place.h"
#include "sim/analysis/place_history.h"
#include "sim/report/place_tables.h"

namespace whorl::app {

// whorl life: who touched an object, on which CPUs, in which order, and what the moves of its blocks cost.

namespace {

struct LifeOptions : QueryOptions {
    std::string place;
};

sim::Expected<sim::Document> lifeOf(const LifeOptions& options, const OptionParser& command) {
    sim::Place place;
    const auto find = [&](const sim::Trace& trace, const sim::MachineConfig& machine) -> sim::Expected<void> {
        const auto named = WHORL_TRY(sim::placeNamed(options.place, trace, machine));
        if (named.kind != sim::Place::Kind::memory) {
            return sim::fail("", fmt::format("\"{}\" is a cell of a cache: it has no life of its own", options.place),
                             "name an object, a region, a place such as B[3], or an address; whorl history lists what "
                             "lived in a cell");
        }
        place = named;
        return {};
    };
    auto query = WHORL_TRY(queriedBy(options, command, find));
    const sim::LifeSubject subject = lifeSubjectOf(place, query.run->trace(), query.range);
    return inProgress("looking back",
                      [&](sim::Progress& progress) { return objectLifeOf(*query.run, subject, progress); })
        .map([&](const std::shared_ptr<const sim::ObjectLife>& life) { return sim::lifeDocument(life, query.run); });
}

}  // namespace

void addLifeCommand(OptionParser& program) {
    auto options = std::make_shared<LifeOptions>();
    OptionParser& command = program.addCommand(
        "life", "Report the life of an object or an array: who touched it, on which CPUs, and what its moves cost");
    addQueryOptions(command, *options, "moves in text; JSON has all");
    command.add("PLACE", options->place, "\"Quadrant 4\", B, B[3][4], heap+0x40, 0x1040, 0x1040+64 (bytes)",
                {.required = true, .kind = ValueKind::place});
    command.addFlag("--csv", options->answer.csv, "as CSV, a row for each function, or line, on each CPU");
    command.addExample("The functions and CPUs that pass an array on", "whorl life vecadd ArrayC");
    answerBy(command, std::move(options), lifeOf);
}

// whorl history: every access to some memory, or to a cell of a cache, and what lived there.

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
    const auto history = WHORL_TRY(inProgress("looking back", [&](sim::Progress& progress) {
        return sim::placeHistoryOf(*query.run, place, query.range, progress);
    }));
    if (history->leftOut > 0 && (options.answer.json || options.answer.csv)) {
        fmt::print(stderr, "whorl: {}: the last {} accesses are left out: choose a range with --from and --to\n",
                   options.place, sim::grouped(history->leftOut));
    }
    return sim::placeDocument(history, query.run);
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
