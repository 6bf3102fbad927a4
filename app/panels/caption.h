// Describes the picture in words, so that a still, a film or a talk needs no comment: title and words of a scene,
// the sentence of the access, the hit rates over the whole run, the machine, the key. On the stage the picture has the
// whole height, or the whole width of a tall one, and words get the remaining space. With panels, which show the same
// facts, only the words of a scene, in a band below the picture.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

/// Where the picture and the words stand on the stage, in pixels of the window.
struct StageLayout {
    gl::Rect picture;
    gl::Rect words;
    float text = 16;   ///< the height of the words: the same in all steps of a talk
    float small = 13;  ///< height of secondary text: at least a 40th of a tall picture, as it is for phones
};
StageLayout stageLayout(const Session& session, int width, int height, float scale);

/// The height that the title and words of a scene take in a column of this width, at this height of text, about.
float storyHeight(const SceneWords& scene, float width, float text);

/// The height of the band for the words of a scene below a picture of this size with panels, pixels.
float bandHeight(const Session& session, float width, float height, float scale);

/// Draws the words on the stage, and over the picture the parts that do not fit beside it, if they are wanted. False if
/// the words should explain the numbers in the rings but do not.
bool drawWords(const PanelContext& c, const StageLayout& stage);
/// Draws the words of a scene, as visible as they are now, below a picture with panels.
void drawBand(const PanelContext& c, const gl::Rect& canvas);

}  // namespace whorl::app
