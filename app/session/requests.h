// What commands and transitions ask of the main loop: what takes long, or concerns files and the desktop. And the
// searches that a user can start.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/opened.h"
#include "sim/analysis/search.h"
#include "sim/replay/run.h"

namespace whorl::app {

struct TourWish;
struct Tour;

namespace request {

/// Opens it in place of the open run.
struct Open : OpenRequest {};
/// Opens it beside the open run, once there is one.
struct OpenCompared : OpenRequest {};
/// Stops what is being opened there.
struct DropCompared {};
/// Stops all background work.
struct Cancel {};
struct ReadTour {
    std::string tour;        ///< a built-in one, or a file
    std::string scene = {};  ///< the id of the scene that it is opened at; empty: the first
};
/// Writes a tour that was left with changes into a file of its own.
struct KeepTour {
    std::shared_ptr<const Tour> tour;
};
/// Writes the open tour into this file.
struct SaveTour {
    std::string file;
};
/// Puts it on the clipboard.
struct Copy {
    std::string text;
};
struct SavePicture {};
/// See Session::editor.
struct OpenLine {
    std::string editor;
    std::string file;  ///< an absolute path
    std::uint32_t line = 0;
};
struct MakeOfTour {
    std::shared_ptr<const TourWish> wish;
};
/// Ends the program. Nobody takes it.
struct Quit {};

}  // namespace request

using Request = std::variant<request::Open, request::OpenCompared, request::DropCompared, request::Cancel,
                             request::ReadTour, request::KeepTour, request::SaveTour, request::Copy,
                             request::SavePicture, request::OpenLine, request::MakeOfTour, request::Quit>;

/// Requests in the order in which they were made. R is one of the kinds of Request.
class Requests {
  public:
    /// Queues requests to open a run beside the first and to keep a tour; a request of any other kind replaces the
    /// pending one of its kind.
    template <class R>
    void add(R request) {
        constexpr bool kAdds = std::is_same_v<R, request::OpenCompared> || std::is_same_v<R, request::KeepTour>;
        if constexpr (!kAdds) withdraw<R>();
        all_.emplace_back(std::in_place_type<R>, std::move(request));
    }
    template <class R>
    void withdraw() {
        std::erase_if(all_, isOne<R>);
    }
    /// The first of a kind; null if there is none.
    template <class R>
    const R* next() const {
        const auto found = std::find_if(all_.begin(), all_.end(), isOne<R>);
        return found == all_.end() ? nullptr : &std::get<R>(*found);
    }
    template <class R>
    bool has() const {
        return next<R>() != nullptr;
    }
    /// Removes the first of a kind.
    template <class R>
    std::optional<R> take() {
        const auto found = std::find_if(all_.begin(), all_.end(), isOne<R>);
        if (found == all_.end()) return std::nullopt;
        std::optional<R> taken(std::get<R>(std::move(*found)));
        all_.erase(found);
        return taken;
    }

  private:
    template <class R>
    static bool isOne(const Request& request) {
        return std::holds_alternative<R>(request);
    }

    std::vector<Request> all_;
};

// The searches that the user can start.

enum class SearchKind : std::uint8_t {
    miss,
    regionMiss,
    eviction,
    conflict,
    transfer,
    pageFault,
    mark,
    watchedAccess,
    watchedFill,
    watchedLoss,
    blockAccess,  ///< access to the selected block
    blockMiss,
    regionAccess,  ///< access to the selected region, or to the region of the selected block
    regionEviction,
    lineAccess,  ///< access by the selected source line
    lineMiss,
    lineEviction,
    functionAccess,  ///< access by the function of the selected source line
};
inline constexpr std::size_t kSearchKinds = 18;

/// A requested search: the nearest access after `from`, or before it, that matches any of the queries.
struct Search {
    std::vector<sim::EventQuery> queries;
    sim::Direction direction = sim::Direction::forward;
    std::optional<sim::Tick> from;  ///< excluded from the search; none: the start of the trace
    std::uint32_t cpu = 0;          ///< CPU whose caches are currently shown
    std::string words;              ///< "miss in A"
    bool isSpan = false;            ///< instead of the nearest, the first and the last of all
};

/// The result: the access, and a CPU whose caches show the event.
struct SearchHit {
    sim::Tick tick;
    std::uint32_t cpu = 0;
    sim::Tick last;  ///< of a span
};

}  // namespace whorl::app
