// whorl life: who touched an object, on which CPUs, in which order, and what the moves of its blocks cost.
#include "sim/analysis/object_life.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "sim/analysis/place.h"
#include "sim/report/life_tables.h"

namespace whorl::app {

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
        "life", "Tell the life of an object or an array: who touched it, on which CPUs, and what its moves cost");
    addQueryOptions(command, *options, "moves in text; JSON has all");
    command.add("PLACE", options->place, "\"Quadrant 4\", B, B[3][4], heap+0x40, 0x1040, 0x1040+64 (bytes)",
                {.required = true, .kind = ValueKind::place});
    command.addFlag("--csv", options->answer.csv, "as CSV, a row for each function, or line, on each CPU");
    command.addExample("Which functions on which CPUs pass an array on", "whorl life vecadd ArrayC");
    answerBy(command, std::move(options), lifeOf);
}

}  // namespace whorl::app
