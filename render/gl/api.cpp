#include "render/gl/api.h"

#include <array>

namespace whorl::gl {

#ifdef __EMSCRIPTEN__

/// A context of WebGL 2 has all of it.
sim::Expected<void> checkVersion() {
    return {};
}

void resetDesktopState() {}

void resetDepthRange() {
    setDepthRange(1);
    glClearDepthf(1);
}

void setDepthRange(float far) {
    glDepthRangef(0, far);
}

float largestPointSize() {
    std::array<GLfloat, 2> range{1, 1};
    glGetFloatv(GL_ALIASED_POINT_SIZE_RANGE, range.data());
    return range[1];
}

#else

sim::Expected<void> checkVersion() {
    if (epoxy_gl_version() < 33) {
        return sim::fail({}, "this needs OpenGL 3.3, and the driver offers less",
                         "set LIBGL_ALWAYS_SOFTWARE=1 to draw without the graphics card");
    }
    return {};
}

void resetDesktopState() {
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_COLOR_LOGIC_OP);
    glDisable(GL_PRIMITIVE_RESTART);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glEnable(GL_PROGRAM_POINT_SIZE);
}

void resetDepthRange() {
    setDepthRange(1);
    glClearDepth(1);
}

void setDepthRange(float far) {
    glDepthRange(0, static_cast<double>(far));
}

float largestPointSize() {
    std::array<GLfloat, 2> range{1, 1};
    glGetFloatv(GL_POINT_SIZE_RANGE, range.data());
    return range[1];
}

#endif

}  // namespace whorl::gl
