#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/page/page.h"
#include "app/session/words.h"
#include "app/tours/tour_json.h"
#include "sim/base/json_rows.h"

namespace whorl::app {

namespace {

namespace row = sim::row;

/// The keys of a request.
std::vector<sim::Field<OpenRequest>> requestFields() {
    return {row::text("input", &OpenRequest::input, "", "the file or program that is opened"),
            row::text("machine", &OpenRequest::machine), row::texts("settings", &OpenRequest::settings, {})};
}

/// The start as its file has it.
struct StartFile {
    std::vector<OpenRequest> runs;  ///< the first, then those beside it
    std::string lock = std::string(wordOf(TimeLock::access));
    std::string order = std::string(wordOf(sim::AccessOrder::automatic));  ///< of several CPUs, in all runs
    std::string tour;
    std::uint64_t scene = 0;
    bool paused = false;
    std::vector<std::string> commands;
    bool figure = false;
};

const std::vector<sim::Field<StartFile>>& fields() {
    static const std::vector<sim::Field<StartFile>> kFields{
        row::objects("runs", &StartFile::runs, requestFields(), "runs are objects with an input"),
        row::text("lock", &StartFile::lock),
        row::text("order", &StartFile::order),
        row::text("tour", &StartFile::tour),
        row::number("scene", &StartFile::scene, {.least = 0, .most = 1e6, .what = "the index of a scene"}),
        row::flag("paused", &StartFile::paused),
        row::texts("commands", &StartFile::commands, {}),
        row::flag("figure", &StartFile::figure)};
    return kFields;
}

constexpr const char* kFile = "the page";

template <class E>
sim::Expected<E> valueNamed(const char* key, const std::string& word) {
    const auto found = std::find(kWords<E>.begin(), kWords<E>.end(), word);
    if (found == kWords<E>.end()) return sim::fail(kFile, std::string(key) + ": there is no " + word);
    return static_cast<E>(found - kWords<E>.begin());
}

}  // namespace

sim::Expected<PageStart> pageStart(std::string_view json) {
    StartFile file;
    const auto read = [&](const sim::JsonPlace& place) { sim::readObject(place, fields(), file); };
    auto errors = sim::jsonFileErrors(json, kFile, "the start of a page", "an object with runs", read);
    if (!errors.empty()) return tl::unexpected(std::move(errors.front()));
    PageStart start{.session = {}, .commands = file.commands, .trace = {}, .isFigure = file.figure};
    SessionStart& session = start.session;
    session.paused = file.paused;
    session.lock = WHORL_TRY(valueNamed<TimeLock>("lock", file.lock));
    const auto order = WHORL_TRY(valueNamed<sim::AccessOrder>("order", file.order));
    for (OpenRequest& run : file.runs) run.reading.order = order;
    if (!file.tour.empty()) {
        auto tour = WHORL_TRY(parseTour(file.tour, kFile));
        const std::size_t scene = std::min<std::size_t>(file.scene, tour.scenes.size() - 1);
        session.tour = TourStart{.tour = std::move(tour), .file = {}, .scene = scene};
    }
    if (file.runs.empty() && !session.tour) return sim::fail(kFile, "runs and tour are missing");
    if (!file.runs.empty()) {
        session.request = file.runs.front();
        session.compared.assign(file.runs.begin() + 1, file.runs.end());
    }
    return start;
}

std::string pageStartText(const PageStart& start, const std::string& tour) {
    StartFile file{.runs = {},
                   .lock = std::string(wordOf(start.session.lock)),
                   .order = std::string(wordOf(start.session.request.reading.order)),
                   .tour = tour,
                   .scene = start.session.tour ? start.session.tour->scene : 0,
                   .paused = start.session.paused,
                   .commands = start.commands,
                   .figure = start.isFigure};
    if (!start.session.request.input.empty()) {
        file.runs.push_back(start.session.request);
        file.runs.insert(file.runs.end(), start.session.compared.begin(), start.session.compared.end());
    }
    return sim::written(fields(), file).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace whorl::app
