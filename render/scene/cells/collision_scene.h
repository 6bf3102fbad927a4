// The matrix of the collisions of a level: a row for each region, object or class whose accesses evict, a column for
// each whose blocks are evicted; the frequency as intensity and as a number. The most frequent ones come first, up to
// the available room. Of one of them, two lists instead: what evicts it, and what it evicts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/cells/chart.h"
#include "sim/analysis/collisions.h"

namespace whorl::scene {

/// Indices into Collisions::names.
struct CollisionPair {
    std::uint32_t evictor = 0;
    std::uint32_t victim = 0;
    bool operator==(const CollisionPair&) const = default;
};

struct CollisionSubject {
    const sim::Collisions& collisions;
    std::size_t level = 0;
    std::string levelName;
    std::string range = {};                  ///< ", accesses 10 – 20 (10)"; empty: all
    std::optional<std::uint32_t> only = {};  ///< only the collisions of this one: index into Collisions::names

    bool shows(const sim::Collision& c) const {
        return c.level == level && (!only || c.evictor == *only || c.victim == *only);
    }
};

/// A part of the matrix, chosen by hand. Rows are about half as high as columns are wide.
struct MatrixSight {
    static constexpr float kMin = 1;
    static constexpr float kMax = 400;

    float cell = 20;     ///< pixels from a row to the next one
    glm::vec2 first{0};  ///< the column and row in the upper left corner; their fractions are not shown
    bool operator==(const MatrixSight&) const = default;
};

struct CollisionLook : ChartLook {
    std::optional<MatrixSight> sight;     ///< none: as large as numbers need
    std::optional<CollisionPair> chosen;  ///< outlined
    bool operator==(const CollisionLook&) const = default;
};

/// Where everything is. Refers to the collisions of the subject.
struct CollisionFrame : ChartFrame {
    /// A name beside its row, or above its column.
    struct Name {
        std::string words;  ///< the name, or as much of it as fits
        int left = 0;       ///< names of columns: pixels from the left edge of the cells
        int tier = 0;       ///< names of columns: lines of text between the name and the column
    };

    std::vector<Name> rows;  ///< without names for lists
    std::vector<Name> columns;
    /// Row by row; null where nothing collides. Two lists: what evicts on the left, what is evicted on the right.
    std::vector<const sim::Collision*> pairs;
    PixelBox cells;
    glm::ivec2 pitch{1};      ///< distance from a cell to the next one, pixels
    glm::ivec2 first{0};      ///< the first column and row of all that are shown
    glm::ivec2 all{0};        ///< columns and rows, shown or not
    std::uint64_t total = 0;  ///< evictions, shown or not
    std::uint64_t most = 0;   ///< most evictions of a pair, shown or not; with several runs, of any pair of any run
    std::size_t shown = 0;    ///< pairs in the picture
    std::size_t hidden = 0;   ///< pairs without room in the picture

    /// The box of a cell, without the gap to the next cells.
    PixelBox boxOf(std::size_t row, std::size_t column) const;
};
/// The evictions of the most frequent pair, shown or not.
std::uint64_t mostCollisions(const CollisionSubject& subject);
CollisionFrame collisionFrame(const CollisionSubject& subject, const CollisionLook& look);

/// The sight of a frame after zooming by a factor about a pixel, and after moving it by pixels.
MatrixSight zoomedAt(const CollisionFrame& frame, const CollisionLook& look, glm::ivec2 at, float factor);
MatrixSight movedBy(const CollisionFrame& frame, const CollisionLook& look, glm::ivec2 pixels);

/// The picture; `frame` is that of the same subject and look.
FlatScene collisionScene(const CollisionSubject& subject, const CollisionLook& look, const CollisionFrame& frame);

struct CollisionUnder {
    const sim::Collision& collision;
    PixelBox box;
};
/// The pair at a pixel; nothing where nothing collides.
std::optional<CollisionUnder> collisionAt(const CollisionFrame& frame, glm::ivec2 at);

}  // namespace whorl::scene
