// The graphics API: the one header that includes OpenGL's, and the only place that knows which dialect is spoken.
//
// Everything else in render/gl keeps to what desktop OpenGL 3.3 core and OpenGL ES 3.0, which a browser has as WebGL 2,
// have in common. What only the desktop has, or spells differently, is behind the functions below.
#pragma once

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <epoxy/gl.h>
#endif

#include "sim/base/error.h"

namespace whorl::gl {

/// The first lines of every shader, which the files in shaders/ leave out: the version of the language, and for OpenGL
/// ES the precision of numbers in fragment shaders.
#ifdef __EMSCRIPTEN__
inline constexpr const char* kShaderHeader = "#version 300 es\nprecision highp float;\nprecision highp int;\n";
#else
inline constexpr const char* kShaderHeader = "#version 330 core\n";
#endif

/// An error when the current context offers less than this program needs.
sim::Expected<void> checkVersion();

/// Turns off state that other code may have left on and that OpenGL ES lacks: sRGB encoding, logical operations,
/// primitive restart, polygons as outlines. Lets vertex shaders set the size of points, as OpenGL ES always does.
void resetDesktopState();

/// The depths of the near and far planes are 0 and 1, and depth is cleared to the far one.
void resetDepthRange();
/// The depths are from 0, near, to this.
void setDepthRange(float far);

/// The largest point that the driver draws, pixels across.
float largestPointSize();

}  // namespace whorl::gl
