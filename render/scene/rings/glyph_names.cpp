#include "render/scene/rings/glyph_names.h"

#include <algorithm>
#include <string>

#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

constexpr float kLeastWidth = 24.0f;   ///< of a glyph with a name, pixels of a picture 720 high
constexpr float kLeastText = 9.0f;     ///< the height of the smallest name, likewise
constexpr std::size_t kMost = 600;     ///< names in a picture
constexpr float kRoom = 2.0f;          ///< the width of a name at most, in radii: neighbours are 2.5 apart
constexpr std::uint8_t kOpaque = 140;  ///< a name on a fill this dense is written in black or white

}  // namespace

void addGlyphNames(LabelSpace& space, const Scene& scene, const FrameContext& frame) {
    const float detail = frame.layout.detail;
    std::size_t named = 0;
    const auto name = [&](const Glyph& glyph, const Target& target) {
        const bool isBlock = target.kind == Target::Kind::line || target.kind == Target::Kind::slot;
        // What is lit is not covered.
        if (!isBlock || glyph.glow > 0 || 2 * glyph.radius < kLeastWidth * detail || named >= kMost) return;
        const sim::ByteAddress first{target.address.value + std::uint64_t{target.part} * frame.layout.elementSize};
        const std::string words = frame.subject.trace.placeOf(first, frame.snapshot.begun());
        const float size = std::min(kRoom * glyph.radius / widthOf(words, 1), frame.layout.text);
        if (size < kLeastText * detail || !frame.lens.sees(glyph.at, -0.6f * size)) return;
        const bool dense = glyph.fill.a >= kOpaque;
        const Rgba colour = dense ? readableOn(glyph.fill) : frame.style.palette().text;
        if (space.addOn(glyph, words, size, colour, dense, target)) ++named;
    };
    for (std::size_t i = 0; i < scene.resting.size(); ++i) name(scene.resting[i], scene.restingTargets[i]);
    for (std::size_t i = 0; i < scene.moving.size(); ++i) name(scene.moving[i], scene.movingTargets[i]);
}

}  // namespace whorl::scene
