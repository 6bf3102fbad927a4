// All colours by role, in one table for both grounds, which of them can be chosen by hand, and what is made of them:
// names in a hue, colours of CPUs, scales, glows. Which region has which hue: region_looks.h; how a glyph is coloured:
// rings/glyph_style.h.
//
// Red is for misses, here and everywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "render/scene/scene.h"
#include "sim/replay/totals/miss_kind.h"

namespace whorl::sim {
class CycleClasses;
}

namespace whorl::scene {

/// Eight hues that stay apart under normal, protan, deutan and tritan vision; short prefixes are best.
inline constexpr std::size_t kHues = 8;

/// A scale of three colours, for values from -1 to 1.
struct ColourScale {
    Rgba low;
    Rgba middle;
    Rgba high;

    Rgba at(double value) const {
        return value < 0 ? mixed(middle, low, static_cast<float>(-value))
                         : mixed(middle, high, static_cast<float>(value));
    }
};

/// Chooses the colours of a ground, for the rows of Palette. A class of its own, which is complete where they use it.
class PaletteRows {
  protected:
    constexpr explicit PaletteRows(Ground on) : on_(on) {}

    template <class Value>
    constexpr Value either(Value dark, Value light) const {
        return on_ == Ground::dark ? dark : light;
    }
    constexpr Rgba row(std::uint32_t dark, std::uint32_t light) const { return hex(either(dark, light)); }
    template <std::size_t kCount>
    constexpr std::array<Rgba, kCount> rows(const std::array<std::uint32_t, kCount>& dark,
                                            const std::array<std::uint32_t, kCount>& light) const {
        std::array<Rgba, kCount> out;
        for (std::size_t i = 0; i < kCount; ++i) out[i] = row(dark[i], light[i]);
        return out;
    }

  private:
    Ground on_;
};

/// The colours on a ground. A row of the table is a role: its name, its colours on the dark and on the light ground,
/// and what it is used for.
class Palette : PaletteRows {
  public:
    constexpr explicit Palette(Ground on) : PaletteRows(on) {}

    // --- all pictures and the panels ---
    Rgba ground = row(0x0B0E14, 0xFAFAF7);     ///< behind everything
    Rgba text = row(0xE6E9EF, 0x1B1F27);       ///< also the more important of two values without a hue
    Rgba muted = row(0x9AA4B2, 0x4A525D);      ///< secondary text
    Rgba quiet = row(0x545A65, 0x959A9F);      ///< the less important of two values without a hue
    Rgba strongest = row(0xFFFFFF, 0x000000);  ///< the colour farthest from the ground: mixed into what stands for more
    Rgba accent = row(0xA9B8FF, 0x3D4FB8);     ///< measures that have no hue of their own

    // --- regions ---
    std::array<Rgba, kHues> hues =
        rows<kHues>({0xF3EF55, 0xC64C9A, 0x78FFFF, 0xC09CFE, 0xF69518, 0x307AED, 0x887B29, 0x18C59D},
                    {0xA88D1F, 0x630059, 0x2D9CC7, 0x8858F3, 0x924000, 0x280CA9, 0x2B2B00, 0x006969});
    Rgba scrap = row(0x61656B, 0x888C92);  ///< all inferred regions with few accesses

    // --- CPUs and classes: the first eight, found by a search. They are far from each other and from the hues of
    // regions under all four visions, and from each other also in the shade, since faces turned away from the headlight
    // are darker ---
    std::array<Rgba, kHues> cpus =
        rows<kHues>({0x8AB6D7, 0xC7DF00, 0xBD6CCB, 0x30E6B1, 0x915F3D, 0x5F54D9, 0x6A9A00, 0xBE009C},
                    {0x62A058, 0x4D06DD, 0xE060AE, 0x084735, 0xCE06A3, 0x8B644A, 0xB26CF0, 0x5C3375});
    std::array<Rgba, kHues> classes =
        rows<kHues>({0xF2BE83, 0x8A53B7, 0x83A966, 0xD5FFDA, 0xC18BB7, 0x008363, 0xB0CCFF, 0xD61CFA},
                    {0x5979CE, 0x693900, 0x8B0FB9, 0x7C8355, 0xAC3180, 0x481D3A, 0x7214FF, 0x222376});

    // --- rings ---
    Rgba line = row(0x3A4352, 0xB4B8BF);   ///< the edges of rings
    Rgba ring = row(0x121824, 0xEDF0F4);   ///< the inside of a cache's ring
    Rgba core = row(0xF4F7FF, 0x3A4150);   ///< the CPU
    Rgba flash = row(0xFF7A66, 0xE0301E);  ///< a miss
    Rgba dirty = row(0xFFFFFF, 0x10131A);  ///< data that is written back
    Rgba mark = row(0xFFFFFF, 0x10131A);   ///< the ring around the element under the pointer
    Rgba watch = row(0x9BE15D, 0x2E7D0E);  ///< the ring around watched blocks
    /// By sim::MissKind: reds that differ in lightness.
    std::array<Rgba, sim::kMissKinds> missKinds = rows<sim::kMissKinds>(
        {0xFFE2DB, 0xFFB3A3, 0xFF7A66, 0xDB3B2E, 0x99231B}, {0xF5BDB1, 0xEA8674, 0xD94A38, 0xA01D12, 0x5E0A05});
    float ghostFill = either(0.16f, 0.14f);  ///< the opacity of a ghost's inside and rim
    float ghostRim = either(0.50f, 0.55f);
    /// From many misses (cold) to many hits (hot): dim, so that the colours of glyphs keep their contrast.
    ColourScale temperatureFill{row(0x0F2E57, 0xDAE9F8), row(0x10151F, 0xF3F4F3), row(0x3F2A05, 0xF8E6BE)};
    /// … bright: it carries the value.
    ColourScale temperatureRim{row(0x5AA9FF, 0x2166AC), row(0x8A93A3, 0xB9BDC3), row(0xFFB93C, 0xB97800)};

    // --- cells ---
    Rgba untouched = row(0x161B24, 0xE9E9E4);  ///< memory that exists but was never accessed; an empty way
    Rgba boundary = row(0x6F7B8E, 0x000000);   ///< boundary of one way of L1
    Rgba boundary2 = row(0xFFDE9C, 0x5A3CC9);  ///< boundary of one way of L2
    Rgba page = row(0x8C96A8, 0x6E747E);       ///< boundary of pages of unknown state
    Rgba pageInTlb = row(0xA8F0C9, 0x3C663F);  ///< … of pages by where they are
    Rgba pageInMemory = row(0x7EA2E7, 0x4B60A5);
    Rgba pageOnDisk = row(0x725442, 0x9A5B2F);
    Rgba outline = row(0xC9D1DC, 0x3A3F47);   ///< around a region or an object
    Rgba hit = row(0x2A62FF, 0x1565E0);       ///< the light of a hit
    Rgba miss = row(0xFF3020, 0xD11507);      ///< the light of a miss
    Rgba conflict = row(0xFFD166, 0x4B3300);  ///< a line of conflict
    Rgba lead = row(0x5B626D, 0x8C9198);      ///< the line from a name to its column of a matrix
    Rgba noMisses = row(0x2A2527, 0xF7DED6);  ///< no misses, and nothing of another number, where there were accesses
    Rgba nothing = row(0x222C3D, 0xD2E3E0);
    /// Stops of scales at even distances, mixed in OKLab between them: of misses, of other numbers, of levels. The
    /// first has a contrast of 3 to the ground and to untouched memory: few are seen too.
    std::array<Rgba, 3> missStops = rows<3>({0xC43A2E, 0xFF6A54, 0xFFD9D0}, {0xD35F4E, 0xA8241A, 0x5E0606});
    std::array<Rgba, 3> neutralStops = rows<3>({0x38749C, 0x47AFA2, 0xF2F0B0}, {0x3F918C, 0x2A6A8C, 0x14265A});
    std::array<Rgba, 4> levelStops =
        rows<4>({0x5A90ED, 0x51AE96, 0xDEC651, 0xE48448}, {0x2163DE, 0x098469, 0x9F7500, 0xC66642});

    // --- what CPUs spend their cycles on: found by a search, far from each other, from the colours of the levels and
    // from red under all four visions. Memory has a colour of its own, because red means misses, not time ---
    Rgba work = row(0xBADADA, 0x6EA686);
    Rgba memory = row(0x887322, 0x793918);
    Rgba coherence = row(0xC54AAC, 0xFF69FF);
    Rgba overhead = row(0x9D01B6, 0x00D25A);
    Rgba locks = row(0x3EC1FE, 0x0F4B85);
    Rgba barriers = row(0x4948FF, 0x8B7ABB);
    Rgba otherWaits = row(0x56606E, 0xAEB5BE);
    Rgba criticalPath = row(0xFFFFFF, 0x000000);  ///< also where its parts are lit

    // --- pictures in space ---
    Rgba node = row(0x3FAE5A, 0x3C9D54);       ///< nodes of a folded graph, and marks without a colour of their own
    Rgba source = row(0xF65DEA, 0xFF0FDB);     ///< a chosen source line, and the objects that go with it
    Rgba object = row(0x4BFF7B, 0x0057D8);     ///< a chosen object, and the source lines that go with it
    Rgba plate = row(0x1A2130, 0xE3E6EA);      ///< cells without a node
    Rgba axis = row(0x4A5568, 0x9AA1AB);       ///< edges of planes, axes
    Rgba faintAxis = row(0x222833, 0xD3D6D8);  ///< lines between rows
    Rgba lens = row(0xD1AF78, 0x054C5A);
    Rgba playhead = row(0xE6E9EF, 0x1B1F27);
    Rgba picked = row(0xFFFFFF, 0x10131A);
    Rgba several = row(0xAEB6C6, 0x525C70);  ///< marks of several CPUs, states or classes at once
    /// By sim::Holding.
    std::array<Rgba, 3> holding = rows<3>({0x3BD1D4, 0x9E87F9, 0xE2F6A3}, {0x8842BE, 0x4A0F8A, 0x1900F2});
    /// The ambient share of the headlight: dark colours on a light ground need more of it.
    float ambient = either(0.34F, 0.6F);

    // --- panels ---
    Rgba panel = row(0x12161F, 0xFFFFFF);  ///< behind text
    Rgba field = row(0x1C222D, 0xF0F2F4);  ///< fields and sliders
    Rgba fieldHovered = row(0x262E3B, 0xE5E9ED);
    Rgba fieldActive = row(0x2F3947, 0xD7DDE3);
    Rgba border = row(0x2A313C, 0xD9DCE1);
    Rgba control = row(0x6FD6D9, 0x0B6B7A);   ///< what is selected, moved or ticked; also legible as text on a panel
    Rgba selected = row(0x1F3D45, 0xCFE9EC);  ///< behind selected text
    Rgba warning = row(0xFF8F7F, 0xB3261E);   ///< text on a panel about a problem
};

const Palette& paletteFor(Ground ground);

// Colours chosen by hand. A set of them is made once, and from then on is a value of Ground: pictures on equal grounds
// have equal colours.

/// A role whose colour can be chosen. Regions and classes are not roles: each has its own colour.
struct ColourRole {
    std::string name;                       ///< "cpu-3", "state-shared"
    std::string words;                      ///< what has that colour
    std::optional<std::uint32_t> cpu = {};  ///< where it is of one
};
std::span<const ColourRole> colourRoles();
/// By the index of the role.
Rgba roleColour(Ground ground, std::size_t role);

struct ChosenColour {
    std::size_t role = 0;  ///< index into colourRoles()
    Rgba colour;
    bool operator==(const ChosenColour&) const = default;
};
/// The chosen colours of a ground, by role.
std::span<const ChosenColour> chosenColours(Ground ground);
/// The ground on which the colour of a role is this one; none: its usual one.
Ground withColour(Ground ground, std::size_t role, std::optional<Rgba> colour);
/// Dark or light as `ground` is, with the chosen colours of `colours`.
Ground withColours(Ground ground, Ground colours);

/// A name in a hue: as near to the hue as text can be that is read on the ground, with a contrast of 4.5.
Rgba nameColour(Rgba hue, Ground ground);

/// The mark of a dirty block on its hue, with a contrast of at least 3: the colour of the ground where that suffices.
Rgba dirtyMark(Rgba hue, Ground ground);

/// Distinct colours for 64 CPUs and for 64 classes, which repeat after that. The first eight of each are easy to
/// distinguish, in the shade too. No colour equals one of a region, of a miss, or of the other kind: all of them may be
/// on one screen.
Rgba cpuColour(Ground ground, std::uint32_t cpu);
Rgba classColour(Ground ground, std::uint32_t number);

/// Red means misses and nothing else; other numbers are on a neutral scale of even steps.
enum class CellRamp : std::uint8_t { misses, neutral };

/// The colour of a share, 0 to 1, of the scale's length. At 0 a cell still differs from an untouched one; above, it has
/// a contrast of 3 at least.
Rgba rampColour(Ground ground, CellRamp ramp, float share);

/// The colour of the level that served an access: the nearest is blue as a hit, memory red as a miss of all.
/// `level` = `levels` is memory.
Rgba servedColour(Ground ground, std::size_t level, std::size_t levels);

/// The glow of a cell whose hits and misses, each decayed since, have these sums. Light is added on the dark ground; on
/// the light one it is taken away, as ink does. Both sums saturate: 1 is bright, 3 hardly brighter than 4.
Rgba glowColour(Ground ground, Rgba cell, float hits, float misses);

/// The colour of a class of cycles, an index of `classes`. The levels have those of other views of cells; waits are
/// striped.
Ink cycleInk(Ground ground, const sim::CycleClasses& classes, std::size_t what);

}  // namespace whorl::scene
