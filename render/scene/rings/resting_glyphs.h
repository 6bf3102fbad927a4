// The glyphs and cells that rest in their places. They are kept from frame to frame; only those whose contents changed
// are rewritten. The result is the same as if all were rewritten.
//
// Three parties share the work of a frame in which little changes, each with knowledge of its own:
//   Occupancy          compares the caches with their last state, and lists the sets and memory slots that changed;
//   RestingGlyphs      knows the elements of the scene in which these are drawn, and writes them;
//   gl::RestingLayer   compares the elements with those that it has painted, and repaints the tiles where they differ.
// The layer gets no list of changes, so that the painter depends on the scene alone; comparing 30 000 elements takes
// 0.03 ms. Rewriting all elements in every frame, which would need no list of changes, costs little on small machines,
// but 4.5 ms with a million blocks of memory, where a whole frame takes 10 ms.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "render/scene/rings/glyph_style.h"
#include "render/scene/rings/memory_ring.h"
#include "render/scene/rings/occupancy.h"
#include "render/scene/scene.h"

namespace whorl::scene {

class RestingGlyphs {
  public:
    RestingGlyphs(const Subject& subject, const RingLayout& layout, const Occupancy& occupancy)
        : subject_(subject), layout_(layout), occupancy_(occupancy) {}

    /// Brings the resting glyphs and cells of a scene up to date after Occupancy::follow. It must be the same scene
    /// every time. Blocks of `movingSets` are not shown: they are drawn as moving glyphs.
    /// `plain`: by level, see plainnessOf.
    void update(Scene& scene, const View& view, const std::vector<SetAt>& movingSets, const std::vector<float>& plain);

    /// How the blocks of a level are drawn.
    Tier tier(std::size_t level, const Lens& lens) const {
        return tierFor(layout_.levels[level].room() * lens.zoom / layout_.detail);
    }
    /// Whether several blocks of a level share a cell.
    bool shares(std::size_t level) const {
        const LevelPart& part = levels_[level];
        return part.cells && part.size.ranks * part.size.arms > 1;
    }
    /// How plain the glyphs of a level are.
    float plain(std::size_t level) const { return plain_[level]; }
    /// The radius of a resting glyph of a level, or of a memory slot; pixels.
    float radius(std::size_t level, const Lens& lens) const;
    float slotRadius(const Lens& lens) const;

  private:
    static constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

    /// Cells to rewrite, each once.
    class StaleCells {
      public:
        void resize(std::size_t size) {
            marked_.assign(size, 0);
            list_.clear();
        }
        void add(std::uint32_t i) {
            if (std::exchange(marked_[i], std::uint8_t{1}) == 0) list_.push_back(i);
        }
        /// Calls `use` with the index of each cell, and empties the list.
        template <class F>
        void empty(F&& use) {
            for (const std::uint32_t i : list_) {
                marked_[i] = 0;
                use(i);
            }
            list_.clear();
        }

      private:
        std::vector<std::uint8_t> marked_;
        std::vector<std::uint32_t> list_;
    };

    /// Where the blocks of a level are drawn: each as glyphs, or several in a cell.
    struct LevelPart {
        bool cells = false;
        LevelRing::Cells size;
        std::vector<LevelRing::Cell> all;    ///< cells of that size
        std::vector<std::uint32_t> drawnAs;  ///< by glyph, or by cell: index of the scene's resting glyph or cell
        std::vector<std::uint32_t> cellOf;   ///< by slot
        StaleCells stale;                    ///< cells whose contents changed
    };
    /// Where memory slots are drawn: one or several in a cell, which is one glyph.
    struct MemoryPart {
        std::uint32_t side = 1;
        std::vector<MemoryRing::Cell> cells;    ///< those in the picture
        std::vector<std::uint32_t> firstOfArc;  ///< index into drawnAs of each arc's first cell
        std::vector<std::uint32_t> drawnAs;     ///< by arc, column and row of cells: index into cells
        std::uint32_t first = 0;                ///< index of the scene's resting glyph of the first cell
        StaleCells stale;                       ///< cells whose contents changed
    };

    void placeAll(Scene& scene, const GlyphStyle& style);
    void placeGlyphs(Scene& scene, std::size_t level);
    void placeCells(Scene& scene, std::size_t level);
    void placeMemory(Scene& scene);
    void writeSet(Scene& scene, const GlyphStyle& style, const SetAt& set);
    void writeCell(Scene& scene, const GlyphStyle& style, std::size_t level, std::uint32_t cell);
    void writeMemory(Scene& scene, const GlyphStyle& style, std::uint32_t cell);
    float cellWidth(const LevelRing::Cell& cell) const;
    std::uint32_t cellOfSlot(std::uint32_t slot, std::uint32_t part) const;
    bool isMoving(const SetAt& set) const;
    void setMoving(const std::vector<SetAt>& movingSets, std::uint8_t value);

    const Subject& subject_;
    const RingLayout& layout_;
    const Occupancy& occupancy_;

    // The input for which the elements were placed.
    std::optional<Lens> lens_;
    Ground ground_ = Ground::dark;
    std::map<std::size_t, Rgba> hues_;
    std::optional<PickedBytes> picked_;
    std::vector<float> plain_;

    std::vector<LevelPart> levels_;
    MemoryPart memory_;
    std::vector<std::vector<std::uint8_t>> isMoving_;  ///< by level and set, shown caches in a row
    std::vector<SetAt> movingSets_;
    std::vector<std::uint16_t> regions_;  ///< regions of the blocks of a cell, while the cell is written
};

}  // namespace whorl::scene
