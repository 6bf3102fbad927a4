#include "app/cli/sweep_options.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "app/tasks/opening.h"

namespace whorl::app {

sim::Expected<sim::Sweep> sweepOf(const std::vector<std::string>& words, const OpenRequest& request,
                                  const sim::Trace* trace) {
    auto machine = WHORL_TRY(machineOf(request, trace));
    std::vector<sim::Axis> axes;
    axes.reserve(words.size());
    for (const std::string& axisWords : words) axes.push_back(WHORL_TRY(sim::axisOf(axisWords)));
    return sim::Sweep::of(std::move(machine), std::move(axes));
}

sim::Expected<std::vector<OpenRequest>> requestsOf(const std::vector<std::string>& words, const OpenRequest& request,
                                                   std::uint64_t most) {
    const sim::Sweep sweep = WHORL_TRY(sweepOf(words, request, nullptr));
    if (sweep.points() > most) {
        return sim::fail("", fmt::format("--sweep has {} machines, and a picture room for {}", sweep.points(), most),
                         "give fewer values, or use whorl stats --sweep");
    }
    std::vector<OpenRequest> requests;
    for (std::uint64_t point = 0; point < sweep.points(); ++point) {
        WHORL_TRY(sweep.machineAt(point));
        OpenRequest& of = requests.emplace_back(request);
        const std::vector<std::string> values = sweep.valuesAt(point);
        for (std::size_t i = 0; i < values.size(); ++i) {
            of.settings.push_back(fmt::format("{}={}", sweep.axes()[i].key, values[i]));
        }
    }
    return requests;
}

}  // namespace whorl::app
