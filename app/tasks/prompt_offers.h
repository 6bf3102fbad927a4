// What is offered while something is typed and takes time to find out: the contents of the folder, the tours.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/palette.h"
#include "app/tasks/task.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// The files and folders in a folder, without hidden ones, at most kMaxListed; FolderListing::fault if the folder
/// cannot be read. Also finds the recent inputs whose files are missing. Takes time on slow disks: call it in a task.
FolderListing listFolder(const std::string& folder, const std::vector<std::string>& recent, sim::Progress& progress);
inline constexpr std::size_t kMaxListed = 20'000;

/// The built-in tours.
std::vector<NamedTour> builtInTours();

class PromptOffers {
  public:
    explicit PromptOffers(TaskRunner& runner) : listing_(runner), tours_(runner) {}

    /// Once per frame: takes what has arrived, and asks for what the session's prompt needs.
    void update(const Session& session);
    bool working() const { return listing_.working() || tours_.working(); }

    /// Null until the folder has been read.
    const FolderListing* listing() const { return listing_.answer() ? listing_.answer()->get() : nullptr; }
    const std::vector<NamedTour>& tours() const;
    /// Changes whenever the listing or the tours change.
    std::uint64_t version() const { return version_; }

  private:
    /// A folder, and how often the dialog was opened: it is read again each time.
    using Key = std::pair<std::string, std::uint64_t>;

    LatestTask<Key, std::shared_ptr<const FolderListing>> listing_;
    LatestTask<int, std::shared_ptr<const std::vector<NamedTour>>> tours_;
    Asks asked_ = Asks::nothing;
    std::uint64_t openings_ = 0;
    std::uint64_t version_ = 0;
};

}  // namespace whorl::app
