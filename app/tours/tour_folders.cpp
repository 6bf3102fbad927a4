#include "app/tours/tour_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/text.h"
#include "sim/programs/program.h"

namespace whorl::app {

TourFolders::TourFolders(const std::string& tour, const std::vector<std::string>& sources) {
    const std::filesystem::path folder = std::filesystem::path(tour).parent_path();
    std::error_code error;
    here_ = std::filesystem::canonical(folder.empty() ? "." : folder, error);
    add(folder.string());
    for (const std::string& more : sources) add(more);
}

void TourFolders::add(const std::string& folder) {
    if (auto root = sim::FolderRoot::open(folder)) folders_.push_back({folder, *std::move(root)});
}

sim::Expected<std::string> TourFolders::pathOf(const std::string& named) const {
    std::string missing;
    const std::string whole = (here_ / named).lexically_normal().string();
    for (const Folder& folder : folders_) {
        const std::string below = (std::filesystem::path(folder.path) / named).string();
        // The first is relative to this folder, the other one to that of the tour.
        for (const auto& [asked, path] : {std::pair(named, below), std::pair(whole, whole)}) {
            const auto outcome = folder.root.find(asked).outcome;
            if (outcome == sim::FolderRoot::Outcome::found) return path;
            if (outcome == sim::FolderRoot::Outcome::missing && missing.empty()) missing = path;
        }
    }
    if (!missing.empty()) return missing;
    return sim::fail({}, fmt::format("{} is not a file beside the tour or below", sim::quotedText(named)),
                     "put it there, or name the folder that it is in with --sources");
}

bool TourFolders::isFile(const std::string& input) const {
    if (sim::programNamed(input.substr(0, input.find(':'))) != nullptr) return false;
    return input.find_first_of("/.") != std::string::npos ||
           std::any_of(folders_.begin(), folders_.end(), [&](const Folder& folder) {
               return folder.root.find(input).outcome == sim::FolderRoot::Outcome::found;
           });
}

}  // namespace whorl::app
