#include "app/views/words_scene.h"

#include <utility>

#include "render/scene/palette.h"

namespace whorl::app {

scene::FlatScene wordsScene(const std::string& words, glm::ivec2 size, scene::Ground ground, float text) {
    scene::FlatScene scene;
    scene.ground = ground;
    scene.background = scene::paletteFor(ground).ground;
    scene.raster = scene::Raster(size, scene.background);
    scene::Label label;
    label.text = words;
    label.at = glm::vec2(size) / 2.0f;
    label.size = text;
    label.colour = scene::paletteFor(ground).muted;
    label.isBare = true;
    scene.labels.push_back(std::move(label));
    return scene;
}

}  // namespace whorl::app
