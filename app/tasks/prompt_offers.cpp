#include "app/tasks/prompt_offers.h"

#include "app/tasks/folder_listing.h"

namespace whorl::app {

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
