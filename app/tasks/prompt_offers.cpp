#include "app/tasks/prompt_offers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "app/tours/tour_catalogue.h"

namespace whorl::app {

namespace {

namespace fs = std::filesystem;

void readEntries(FolderListing& listing, sim::Progress& progress) {
    std::error_code error;
    fs::directory_iterator at(listing.folder, error);
    for (; !error && at != fs::directory_iterator() && !progress.cancelled(); at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (name.starts_with(".") || listing.entries.size() >= kMaxListed) continue;
        // What a link points to counts; of a broken one, nothing.
        std::error_code unknown;
        const bool isFolder = at->is_directory(unknown);
        if (!isFolder && !at->is_regular_file(unknown) && !at->is_fifo(unknown)) continue;
        const std::uint64_t bytes = at->is_regular_file(unknown) ? at->file_size(unknown) : 0;
        listing.entries.push_back({.name = name, .isFolder = isFolder, .bytes = unknown ? 0 : bytes});
    }
    if (error) {
        listing.fault = fmt::format("{} cannot be read: {}; type the path of another folder, or go up with Backspace.",
                                    listing.folder, error.message());
    }
}

}  // namespace

FolderListing listFolder(const std::string& folder, const std::vector<std::string>& recent, sim::Progress& progress) {
    FolderListing listing;
    listing.folder = folder;
    readEntries(listing, progress);
    std::sort(listing.entries.begin(), listing.entries.end(),
              [](const auto& a, const auto& b) { return a.isFolder != b.isFolder ? a.isFolder : a.name < b.name; });
    for (const std::string& input : recent) {
        std::error_code unknown;
        if (!isProgram(input) && !fs::exists(input, unknown)) listing.missing.insert(input);
    }
    return listing;
}

std::vector<NamedTour> builtInTours() {
    std::vector<NamedTour> tours;
    for (const std::string& name : tourNames()) {
        if (auto tour = tourFrom(name)) tours.push_back({name, *std::move(tour)});
    }
    return tours;
}

void PromptOffers::update(const Session& session) {
    if (listing_.update()) ++version_;
    if (tours_.update()) ++version_;
    const Prompt& prompt = session.prompt;
    if (asked_ != prompt.asks && prompt.asks == Asks::file) ++openings_;
    asked_ = prompt.asks;
    if (prompt.asks == Asks::command || prompt.asks == Asks::file) {
        tours_.ask(0, [](sim::Progress&) {
            return sim::Expected<std::shared_ptr<const std::vector<NamedTour>>>(
                std::make_shared<const std::vector<NamedTour>>(builtInTours()));
        });
    }
    if (prompt.asks == Asks::file) {
        listing_.ask({prompt.folder, openings_},
                     [folder = prompt.folder, recent = session.recentInputs](sim::Progress& progress) {
                         auto listing = std::make_shared<const FolderListing>(listFolder(folder, recent, progress));
                         return orCancelled(progress.cancelled() ? nullptr : std::move(listing));
                     });
    }
}

const std::vector<NamedTour>& PromptOffers::tours() const {
    static const std::vector<NamedTour> kNone;
    return tours_.answer() ? **tours_.answer() : kNone;
}

}  // namespace whorl::app
