// The key of a picture of cells: what its colours mean, with numbers and units.
#pragma once

#include <string>
#include <vector>

#include "render/scene/cells/cell_metric.h"
#include "render/scene/flat_scene.h"

namespace whorl::scene {

struct CellKey {
    /// A sign with its name: a colour of cells, or of a line.
    struct Sign {
        std::string words;
        Ink colour;
        bool isLine = false;
        bool operator==(const Sign&) const = default;
    };

    CellScaling scaling = CellScaling::number;
    std::string most;  ///< at the bright end of the ramp: "1 204"
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

}  // namespace whorl::scene
