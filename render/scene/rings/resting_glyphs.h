// What rests, as glyphs and cells in their places. Kept from frame to frame and mended where something changed; what
// comes out is the same as when all is made anew.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "render/scene/rings/glyph_style.h"
#include "render/scene/rings/lens.h"
#include "render/scene/rings/occupancy.h"
#include "render/scene/scene.h"

namespace whorl::scene {

class RestingGlyphs {
  public:
    RestingGlyphs(const Subject& subject, const RingLayout& layout, const Occupancy& occupancy)
        : subject_(subject), layout_(layout), occupancy_(occupancy) {}

    /// Brings the resting glyphs and cells of a scene, which must be the same scene every time, up to date. Sets that
    /// are `lively` are drawn by someone else; of homes none are.
    void update(Scene& scene, const View& view, const std::vector<SetAt>& movingSets);

    Tier tier(std::size_t level, const Lens& lens) const {
        return tierFor(layout_.levels[level].room() * lens.zoom / layout_.detail);
    }
    /// The radius of a glyph of a level, or of memory, as it rests.
    float radius(std::size_t level, const Lens& lens) const;
    float slotRadius(const Lens& lens) const;

  private:
    static constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

    /// Some of many, each once.
    class StaleCells {
      public:
        void resize(std::size_t size) {
            marked_.assign(size, 0);
            list_.clear();
        }
        void add(std::uint32_t i) {
            if (std::exchange(marked_[i], std::uint8_t{1}) == 0) list_.push_back(i);
        }
        /// Calls `use` with each, and forgets them.
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

    struct LevelPart {
        bool cells = false;
        LevelRing::Cells size;
        std::vector<LevelRing::Cell> all;    ///< kept for the size
        std::vector<std::uint32_t> drawnAs;  ///< by glyph, or by cell: which resting glyph or cell of the scene
        std::vector<std::uint32_t> cellOf;   ///< by slot
        StaleCells stale;                    ///< cells to be written
    };
    struct MemoryPart {
        std::uint32_t side = 1;
        std::vector<MemoryRing::Cell> cells;    ///< those that are seen
        std::vector<std::uint32_t> firstOfArc;  ///< into drawnAs
        std::vector<std::uint32_t> drawnAs;     ///< by arc, column and row of cells
        std::uint32_t first = 0;                ///< resting glyph of the first cell
        StaleCells stale;                       ///< cells to be written
    };

    void makeAll(Scene& scene, const GlyphStyle& style);
    void makeLevel(Scene& scene, std::size_t level);
    void makeCells(Scene& scene, std::size_t level);
    void makeMemory(Scene& scene);
    void writeSet(Scene& scene, const GlyphStyle& style, const SetAt& set);
    void writeCell(Scene& scene, const GlyphStyle& style, std::size_t level, std::uint32_t cell);
    void writeMemory(Scene& scene, const GlyphStyle& style, std::uint32_t cell);
    std::uint32_t cellOfSlot(std::uint32_t slot, std::uint32_t part) const;
    bool isMoving(const SetAt& set) const;
    void setMoving(const std::vector<SetAt>& movingSets, std::uint8_t value);

    const Subject& subject_;
    const RingLayout& layout_;
    const Occupancy& occupancy_;

    // What it was made for.
    std::optional<Lens> lens_;
    Ground ground_ = Ground::dark;
    std::map<std::size_t, Rgba> hues_;

    std::vector<LevelPart> levels_;
    MemoryPart memory_;
    std::vector<std::vector<std::uint8_t>> isMoving_;  ///< by level and set, shown caches in a row
    std::vector<SetAt> movingSets_;
    std::vector<std::uint16_t> regions_;  ///< of the blocks of a cell: only while it is written
};

}  // namespace whorl::scene
