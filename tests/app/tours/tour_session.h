// A session in which a tour is open, and what the main loop does for it, at once.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "app/commands/commands.h"
#include "app/session/transitions.h"
#include "app/tasks/opening.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_json.h"
#include "support/sessions.h"

namespace whorl::app {

/// Opens whatever the session asks for.
inline void openAll(Session& session) {
    sim::Progress progress;
    if (auto request = session.requests.take<request::Open>()) {
        const bool isSame = session.opened.run && isSameTrace(session.opened.request, *request);
        auto opened = open(*request, isSame ? session.opened.run->sharedTrace() : nullptr, progress);
        ASSERT_TRUE(opened) << opened.error().sentence();
        opened->run->build(progress);
        enterRun(session, *std::move(opened));
    }
    while (auto request = takeComparedRequest(session)) {
        auto opened = open(*request, nullptr, progress);
        ASSERT_TRUE(opened) << opened.error().sentence();
        opened->run->build(progress);
        enterCompared(session, {.opened = *std::move(opened)});
    }
    if (const auto untold = untoldScene(session)) takeTold(session, untold->index, told(*untold, progress).value());
}

inline void begin(Session& session, const Tour& tour, std::size_t scene = 0) {
    beginTour(session, tour, "", scene, {});
    goToScene(session, scene);
    openAll(session);
}

inline void begin(Session& session, const std::string& json) {
    const auto tour = parseTour(json, "t.json");
    ASSERT_TRUE(tour) << tour.error().sentence();
    begin(session, *tour);
}

/// A key press, and what it opens.
inline void pressKey(Session& session, std::string_view chord) {
    press(session, chord);
    openAll(session);
}

/// So many seconds pass, in frames.
inline void pass(Session& session, double seconds) {
    constexpr int kFrames = 30;  // a second
    for (int i = 0; i < static_cast<int>(seconds * kFrames + 0.5); ++i) {
        passTime(session, 1.0 / kFrames);
        openAll(session);
    }
}

}  // namespace whorl::app
