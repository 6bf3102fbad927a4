// One HTML file in which a run, or a tour, plays in any browser: the shell (app/page/web), the player compiled to
// WebAssembly, and what it plays.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"

namespace whorl::app {

struct PageFile {
    std::string title;
    std::string about;        ///< a few words about it, for a gallery; may be empty
    std::string picture;      ///< the first moment as SVG, shown before any script has run
    std::string words;        ///< of that moment, as HTML
    std::string thumbnail;    ///< a telling moment as PNG, for a gallery
    std::string start;        ///< pageStartText()
    bool hasAllViews = true;  ///< it has more than the rings and the tables of the caches
    std::vector<std::pair<std::string, std::string>> files;  ///< what the player opens, by name: bytes
};

/// An error if this Whorl was built without the player, and how to build one with it.
sim::Expected<void> checkPlayer();

/// The bytes of the file.
sim::Expected<std::string> pageHtml(const PageFile& page);

/// Whether a file begins as pages and galleries do.
bool isOwnPage(std::string_view beginning);

/// A page that a gallery leads to: NAME.html, and NAME.png that shows it.
struct GalleryItem {
    std::string name;
    std::string title;
    std::string about;
};
/// The page that leads to them.
std::string galleryHtml(const std::vector<GalleryItem>& items);

/// Text that HTML shows as it is.
std::string htmlText(std::string_view text);

}  // namespace whorl::app
