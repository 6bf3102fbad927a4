#include "app/tours/tour_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/session/opened.h"
#include "sim/base/byte_sink.h"
#include "sim/machine/machine_config.h"

namespace whorl::app {

std::vector<std::string> filesElsewhere(const Tour& tour, const std::string& folder) {
    std::vector<std::string> found;
    const auto check = [&](const std::string& path) {
        const std::filesystem::path relative = std::filesystem::absolute(path).lexically_relative(folder);
        const bool isElsewhere = relative.empty() || *relative.begin() == "..";
        if (isElsewhere && std::find(found.begin(), found.end(), path) == found.end()) found.push_back(path);
    };
    for (const TourScene& scene : tour.scenes) {
        for (const std::string* input : {&scene.input, &scene.with}) {
            if (!input->empty() && !namesProgram(*input)) check(*input);
        }
        for (const std::string* machine : {&scene.machine, &scene.withMachine}) {
            if (!machine->empty() && sim::namesMachineFile(*machine)) check(*machine);
        }
    }
    return found;
}

sim::Expected<void> writeTour(const Tour& tour, const std::string& path, const std::string& own) {
    namespace fs = std::filesystem;
    std::error_code unknown;
    if (fs::exists(path, unknown) && !fs::equivalent(path, own, unknown)) {
        return sim::fail(path, "there is a file of this name already", "choose another name");
    }
    const std::string folder = fs::absolute(path, unknown).lexically_normal().parent_path().string();
    if (const auto elsewhere = filesElsewhere(tour, folder); !elsewhere.empty()) {
        return sim::fail(path,
                         fmt::format("a tour names only files beside it, and {} lies elsewhere", elsewhere.front()),
                         "save the tour in the folder of its traces and machines, or in one above");
    }
    return sim::writeText(tourText(tour, folder), path);
}

}  // namespace whorl::app
