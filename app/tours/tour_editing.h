// Editing the open tour: each change makes a new tour, and the old one is kept to undo it. And writing tours into
// files.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"
#include "app/tours/tour_json.h"
#include "sim/base/error.h"

namespace whorl::app {

/// Adds this moment of the open run after the scene that is shown; it becomes the scene that is shown. Without a tour
/// it begins one.
void addMoment(Session& session, TourScene moment);
/// The scene that is shown becomes this moment; what is said, claimed and asked stays, and so does where it plays to if
/// that is still to come. Nothing without a tour.
void setMoment(Session& session, TourScene moment);

// Nothing where the scene is not there, or where it is the last one.
void removeScene(Session& session, std::size_t scene);
void moveScene(Session& session, std::size_t scene, std::size_t to);

/// Sets a row of the tour's form (app/tours/tour_form.h), of this scene or of the tour. Text that the tour's file must
/// not have is an error of the session.
void sayInTour(Session& session, std::size_t scene, std::string_view key, const std::string& text);

void undoEdit(Session& session);
void redoEdit(Session& session);

/// This tour was written to this file.
void tourIsSaved(Session& session, const std::shared_ptr<const Tour>& tour, const std::string& file);

/// What a check of this tour has found, a line each: "scenes[1].words: …".
void tourIsChecked(Session& session, const std::shared_ptr<const Tour>& tour, std::string findings);

// Writes tours into files, whose text is tourText().

/// The paths of files that a tour in this folder must not name, since they lie elsewhere (see TourFolders).
std::vector<std::string> filesElsewhere(const Tour& tour, const std::string& folder);

/// Writes the text of a tour into a file. An existing file may be replaced only if it is `own`, the file that this tour
/// was read from; another file is an error.
sim::Expected<void> writeTour(const Tour& tour, const std::string& path, const std::string& own);

}  // namespace whorl::app
