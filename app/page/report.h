// What stands beside the pictures of a page, as JSON on one line: the words, the figures, the tour. The keys are those
// that app/page/web/page.js reads.
#pragma once

#include <cstddef>
#include <string>

namespace whorl::app {

class Page;

/// All that changes as the page is played: where the playhead is, the sentence, the figures, the tour.
std::string reportText(const Page& page);
/// The texts of the pictures, as {"ground": colour, "items": [[kind, text, x, y, size, colour, flags, centre x, y, clip
/// x, y, width, height], …]}: kind 0 along a circle, 1 centred, 2 with its upper left corner there; flags 1 without an
/// outline, 2 on a bed, 4 bold.
std::string labelsText(const Page& page);
/// The keys that are bound now: {"Space": "play or pause", …}.
std::string keysText(const Page& page);
/// The text of a source file: {"file", "path", "lines", "note"}.
std::string sourceText(const Page& page, std::size_t file);
/// The hit rates of each level along the time that is seen, in so many columns: {"from", "to", "rows": [{"name",
/// "values"}]}; -1 where the level was not asked.
std::string stripText(const Page& page, int columns);
/// What the cache with that index among all stores holds now: {"title", "stores", "columns", "rows"}.
std::string contentsText(const Page& page, std::size_t store);
/// The rings as numbers, for tests: {"glyphs": [[x, y, radius, …], …], …}.
std::string sceneText(const Page& page);

}  // namespace whorl::app
