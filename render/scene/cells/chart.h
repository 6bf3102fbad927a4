// The frame of all flat pictures: title and note above, room for controls under them, a key at the foot, and between
// them the body, which is what the picture shows; names beside its rows. Along the time a ruler, the chosen range and
// the playhead.
#pragma once

#include <cstddef>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/cells/cell_metric.h"
#include "render/scene/flat_scene.h"
#include "render/scene/time_axis.h"

namespace whorl::scene {

// The key of a picture of cells: what its colours mean, with numbers and units.

struct CellKey {
    /// A sign with its name: a colour of cells, or of a line.
    struct Sign {
        std::string words;
        Ink colour;
        bool isLine = false;
        bool operator==(const Sign&) const = default;
    };

    CellScaling scaling = CellScaling::number;
    std::string most;         ///< at the strong end of the ramp: "1 204"
    std::string least = "0";  ///< … and at the other
    bool logarithmic = false;
    std::vector<Sign> signs;  ///< after the ramp
    std::string note;         ///< what is folded, or estimated
    bool operator==(const CellKey&) const = default;
};

/// Adds to the note, after a semicolon.
void addNote(CellKey& key, const std::string& words);

/// How high the key is in a picture of this width, pixels.
int keyHeight(const CellKey& key, int width, float text);

/// Paints the key into a box of that height.
void paintKey(FlatScene& scene, const CellKey& key, const PixelBox& where, float text);

// The scale that pictures of several runs have in common, so that equal numbers look the same in all of them; or that
// of one beside others, if each is to have its own.

struct CommonScale {
    double most = 0;       ///< the largest number in all of them
    std::size_t runs = 2;  ///< that have this scale; 1: each run has its own
    bool operator==(const CommonScale&) const = default;
};

/// "one scale for both runs", "a scale for each run": for a key.
inline std::string commonScaleInWords(std::size_t runs) {
    if (runs == 1) return "a scale for each run";
    return runs == 2 ? "one scale for both runs" : "one scale for all " + std::to_string(runs) + " runs";
}

/// How a flat picture looks, whatever it shows.
struct ChartLook {
    glm::ivec2 size{0};
    Ground ground = Ground::dark;
    float text = 14;                         ///< the height of text, pixels
    int controls = 0;                        ///< room kept under the title, pixels
    std::string note = {};                   ///< text beside the title
    std::optional<CommonScale> common = {};  ///< the scale of runs beside each other
    bool operator==(const ChartLook&) const = default;

    /// A length in heights of the text, whole pixels.
    int em(float share) const;
    /// Distance from a line of text to the next one, pixels.
    int line() const;
    /// Margin around the picture, and between its parts, pixels.
    int margin() const;
    float widthInside() const { return static_cast<float>(size.x - 2 * margin()); }
};

/// Where the parts of a chart are.
struct ChartFrame {
    PixelBox body = {};
    PixelBox key = {};
};
/// `key`: its height, pixels.
ChartFrame chartFrame(const ChartLook& look, int key);
ChartFrame chartFrame(const ChartLook& look, const CellKey& key);

/// A chart along the time. The body ends above the ruler.
struct TimeFrame : ChartFrame {
    TimeAxis axis;
    PixelBox ruler = {};
    PixelBox all = {};  ///< body and ruler
};
/// `before` and `after`: pixels of the body's width that are left to names and tables; `seen`, `end`: as of a TimeAxis.
TimeFrame timeFrame(const ChartFrame& frame, const ChartLook& look, int before, int after, TimeSpan seen, double end);

/// Rows of the same height, from the top of a body.
struct ChartRows {
    PixelBox box = {};      ///< the box of all rows
    int height = 1;         ///< distance from one row to the next, pixels
    int gap = 0;            ///< gap under each row, pixels
    std::size_t count = 1;  ///< rows that have room

    PixelBox boxOf(std::size_t row) const;
    /// The row at a pixel, with its gap.
    std::optional<std::size_t> rowAt(glm::ivec2 at) const;
};

/// Names beside rows: one for each row, or for every n-th where rows are lower than the text.
struct RowNames {
    std::function<std::string(std::size_t)> name;
    std::function<Rgba(std::size_t)> colour;
    bool isNumber = false;  ///< aligned to the right
    /// Where rows are low, names are smaller rather than fewer; where they would be smaller than this share of the
    /// text, there are none.
    std::optional<float> smallest = {};
};
void addRowNames(FlatScene& scene, const ChartLook& look, const ChartRows& rows, const RowNames& names);

/// The empty picture. Strokes are kept to the clip.
FlatScene chartScene(const ChartLook& look, const PixelBox& clip);
/// Title and note, as much of them as has room.
void addTitle(FlatScene& scene, const ChartLook& look, const std::string& title);
/// A line of text under the title, in the place of a body.
void addSentence(FlatScene& scene, const ChartLook& look, const std::string& words);

/// The playhead, as a line over the whole height.
std::vector<Stroke> playheadStrokes(const TimeFrame& frame, double t, Ground ground);
/// Numbers and ticks along the time axis, and a line above them.
void paintRuler(FlatScene& scene, const TimeFrame& frame, float text);
/// Dims the part of a box outside of the chosen range, and marks the edges of the range.
void paintChosen(FlatScene& scene, const TimeAxis& axis, const PixelBox& where, const TimeSpan& chosen);

}  // namespace whorl::scene
