// Editing the open tour: each change makes a new tour, and the old one is kept to undo it. And writing tours into
// files.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/tours/tour_json.h"
#include "sim/base/error.h"

namespace whorl::app {

/// Adds this moment of the open run after the scene that is shown; it becomes the scene that is shown. Without a tour
/// it begins one.
void addMoment(Session& session, TourScene moment);
/// The scene that is shown becomes this moment; its words, notes and question stay. Nothing without a tour.
void setMoment(Session& session, TourScene moment);

// Nothing where the scene is not there, or where it is the last one.
void removeScene(Session& session, std::size_t scene);
void moveScene(Session& session, std::size_t scene, std::size_t to);

/// An empty title, or empty words, are not taken: a scene has both.
void sayInScene(Session& session, std::size_t scene, SceneText what, const std::string& text);
/// The scene that is shown plays to this position; none: it stands still.
void playInScene(Session& session, std::optional<double> to);

void undoEdit(Session& session);
void redoEdit(Session& session);

/// This tour was written to this file.
void tourIsSaved(Session& session, const std::shared_ptr<const Tour>& tour, const std::string& file);

// Writes tours into files, whose text is tourText().

/// The paths of files that a tour in this folder must not name, since they lie elsewhere (see TourFolders).
std::vector<std::string> filesElsewhere(const Tour& tour, const std::string& folder);

/// Writes the text of a tour into a file. An existing file may be replaced only if it is `own`, the file that this tour
/// was read from; another file is an error.
sim::Expected<void> writeTour(const Tour& tour, const std::string& path, const std::string& own);

}  // namespace whorl::app
