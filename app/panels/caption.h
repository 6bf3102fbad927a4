// The caption: what the picture shows, in words, so that a still or a film speaks for itself. Beside wide pictures of
// the rings, below others: title and words, the sentence of the access, the key, the machine, and the hit rates over
// the whole run. With panels, which say all this, only the words of a scene, in a band below the picture.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

/// The height that the caption takes below a picture of this size, pixels.
float captionHeight(const Session& session, float width, float height, float scale);

/// Draws it around the canvas, or into the band of the given height below it. False where it should tell what the
/// numbers in the rings mean and does not.
bool drawCaption(const PanelContext& c, const gl::Rect& canvas, float below);

}  // namespace whorl::app
