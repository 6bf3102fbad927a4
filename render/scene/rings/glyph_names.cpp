#include "render/scene/rings/glyph_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/vec2.hpp>
#include <string>

#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

constexpr float kLeastWidth = 24.0f;           ///< of a glyph with a name, pixels of a picture 720 high
constexpr float kLeastText = 9.0f;             ///< the height of the smallest name, likewise
constexpr float kLeastOnStage = 14.0f / 1.5f;  ///< likewise, before an audience: 14 of a picture 1080 high
constexpr float kReadOnStage = 20.0f / 1.5f;   ///< likewise, where something shorter is written in larger letters
constexpr std::size_t kMost = 600;             ///< names in a picture
constexpr float kRoom = 1.0f;                  ///< how far a name may reach from the middle, in radii
constexpr float kDigits = 0.36f;               ///< half of the height of digits and capitals, of a text's
constexpr std::uint8_t kOpaque = 140;          ///< a name on a fill this dense is written in black or white

struct NamePlace {
    glm::vec2 at{0};
    float size = 0;  ///< the height of the text
};

/// "10,4" of "B[10][4]"; empty where a name has no indices.
std::string indicesIn(const std::string& name) {
    const std::size_t from = name.find('[');
    if (from == std::string::npos || !name.ends_with(']')) return {};
    std::string indices = name.substr(from + 1, name.size() - from - 2);
    for (std::size_t at = indices.find("]["); at != std::string::npos; at = indices.find("]["))
        indices.replace(at, 2, ",");
    return indices;
}

/// "GS" of "Global.GS", "+0x10" of "Global.GS+0x10".
std::string endOf(const std::string& name) {
    const std::size_t plus = name.find('+');
    const std::size_t from = plus == std::string::npos ? name.rfind('.') + 1 : plus;
    return from > 0 ? name.substr(from) : std::string();
}

/// The tag of a block in its cache, as hexadecimal digits.
std::string tagOf(const FrameContext& frame, const Target& target) {
    if (target.kind != Target::Kind::line) return {};
    const sim::Cache& cache = frame.snapshot.cache(target.level, target.cache);
    return fmt::format("{:x}", cache.blockOf(target.address).value / cache.sets());
}

/// In the middle of a glyph; below the mark in the middle of a dirty one, where nothing is left of a small glyph.
NamePlace placeOn(const Glyph& glyph, float breadth, float most) {
    if (glyph.coreRadius <= 0) {
        return {glyph.at, std::min(kRoom * glyph.radius / std::hypot(breadth / 2, kDigits), most)};
    }
    const auto across = [&](float down) {
        return 2 * std::sqrt(std::max(0.0f, glyph.radius * glyph.radius - down * down));
    };
    float size = std::min(most, glyph.radius - glyph.rimWidth - glyph.coreRadius);
    // Smaller text is narrower, and has more room.
    while (size > 1 && breadth * size > across(glyph.coreRadius + size)) size -= 0.5f;
    return {glyph.at + glm::vec2(0, glyph.coreRadius + 0.55f * size), size};
}

}  // namespace

void addGlyphNames(LabelSpace& space, const Scene& scene, const FrameContext& frame) {
    const float detail = frame.layout.detail;
    const float least = (frame.view.stage ? kLeastOnStage : kLeastText) * detail;
    const float wanted = frame.view.stage ? kReadOnStage * detail : 0;
    std::size_t named = 0;
    const auto name = [&](const Glyph& glyph, const Target& target) {
        const bool isBlock = target.kind == Target::Kind::line || target.kind == Target::Kind::slot;
        // What is lit is not covered.
        if (!isBlock || glyph.glow > 0 || 2 * glyph.radius < kLeastWidth * detail || named >= kMost) return;
        const sim::ByteAddress first{target.address.value + std::uint64_t{target.part} * frame.layout.elementSize};
        std::string words = frame.subject.trace.placeOf(first, frame.snapshot.begun());
        NamePlace place = placeOn(glyph, widthOf(words, 1), frame.layout.text);
        if (place.size < wanted) {
            // Its colour tells of which array it is.
            for (const std::string& shorter : {indicesIn(words), endOf(words), tagOf(frame, target)}) {
                const NamePlace larger = placeOn(glyph, widthOf(shorter, 1), frame.layout.text);
                if (shorter.empty() || larger.size < std::max(least, 1.2f * place.size)) continue;
                words = shorter;
                place = larger;
                break;
            }
        }
        if (place.size < least || !frame.lens.sees(glyph.at, -0.6f * place.size)) return;
        const bool dense = glyph.fill.a >= kOpaque;
        const Rgba colour = dense ? readableOn(glyph.fill) : frame.style.palette().text;
        if (space.addOn(glyph, place.at, words, place.size, colour, dense, target)) ++named;
    };
    for (std::size_t i = 0; i < scene.resting.size(); ++i) name(scene.resting[i], scene.restingTargets[i]);
    for (std::size_t i = 0; i < scene.moving.size(); ++i) name(scene.moving[i], scene.movingTargets[i]);
}

}  // namespace whorl::scene
