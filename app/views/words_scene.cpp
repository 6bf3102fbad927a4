#include "app/views/words_scene.h"

#include <utility>

#include "render/scene/palette.h"
#include "render/scene/text_width.h"

namespace whorl::app {

scene::FlatScene wordsScene(const std::string& words, glm::ivec2 size, scene::Ground ground, float text) {
    scene::FlatScene scene;
    scene.ground = ground;
    scene.background = scene::paletteFor(ground).ground;
    scene.raster = scene::Raster(size, scene.background);
    const auto lines = scene::wrapped(words, static_cast<float>(size.x) - text, text);
    const float line = 1.3f * text;
    glm::vec2 at = glm::vec2(size) / 2.0f - glm::vec2(0, 0.5f * line * (static_cast<float>(lines.size()) - 1));
    for (const std::string& told : lines) {
        scene::Label label;
        label.text = told;
        label.at = at;
        label.size = text;
        label.colour = scene::paletteFor(ground).muted;
        label.isBare = true;
        scene.labels.push_back(std::move(label));
        at.y += line;
    }
    return scene;
}

}  // namespace whorl::app
