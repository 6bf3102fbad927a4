// The available tours: the built-in ones, and tours in files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/session/tour.h"
#include "sim/base/error.h"

namespace whorl::app {

/// The built-in tour of that name, or the one in the JSON file at that path. That one may name files at or below its
/// own folder and the folders in `sources`; its inputs and machines are then paths that can be opened.
sim::Expected<Tour> tourFrom(const std::string& words, const std::vector<std::string>& sources = {});

/// A tour, and the scene that it is opened at.
struct TourStart {
    Tour tour;
    std::string file;  ///< where it was read from; empty: it is built in
    std::size_t scene = 0;
};
/// The tour of tourFrom(), at its first scene.
sim::Expected<TourStart> tourStart(const std::string& words, const std::vector<std::string>& sources = {});

/// The names of the built-in tours, sorted.
std::vector<std::string> tourNames();

/// The default tour.
inline constexpr const char* kStandardTour = "rings";
/// The tour for beginners.
inline constexpr const char* kFirstTour = "five-minutes";

/// Whether an input is a tour by its name, NAME.tour.json: desktops open files by their names alone.
bool namesTourFile(const std::string& input);
/// The tour to open: the input if it is a tour, else the --tour argument, else the default. Either text may be empty.
std::string tourWords(const std::string& input, const std::string& tour);

}  // namespace whorl::app
