// Leads a session through a tour without a window, by the functions that a window uses: what it shows of a scene at
// some second is what a window shows then. All runs are opened and built before they are shown, and kept.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "app/session/session.h"
#include "app/session/tour.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "sim/base/error.h"

namespace whorl::app {

class TourPlayer {
  public:
    /// Opens and builds a run. `known`: the trace of its input if that is in memory already; else null.
    using OpenRun = std::function<sim::Expected<Opened>(const OpenRequest&, std::shared_ptr<const sim::Trace> known)>;

    /// `session`: with the settings that all scenes start from, and nothing open.
    TourPlayer(Session session, const TourStart& tour, const sim::ReadOptions& reading, OpenRun open);

    /// As at first, but what was opened stays open.
    void startAgain() { session_ = first_; }
    /// Goes to a scene from what is shown now.
    sim::Expected<void> enter(std::size_t scene);
    /// Advances the scene to this many seconds after its beginning; never goes back.
    void passUntil(double seconds);
    /// Whether the scene asks a question that is not answered yet.
    bool asks() const { return session_.presentation->asks(); }
    /// Answers the scene's question, if it asks one.
    void answerQuestion();

    const Session& session() const { return session_; }
    const SceneTime& time() const { return session_.presentation->time; }
    /// The scene as it is said, with the numbers of its run.
    TourScene scene() const { return saidScene(*session_.presentation, session_.presentation->scene); }
    const Tour& tour() const { return *session_.presentation->tour; }

    /// Opens and builds a run, or gives the one that it has.
    sim::Expected<Opened> opened(const OpenRequest& request);

  private:
    Session session_;
    Session first_;  ///< as it was before any scene
    OpenRun open_;
    std::vector<Opened> runs_;  ///< all opened runs
};

}  // namespace whorl::app
