#include "render/gl/api.h"

#include <array>

namespace whorl::gl {

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
    // OpenGL ES has these with floats only: glDepthRangef, glClearDepthf.
    glDepthRange(0, 1);
    glClearDepth(1);
}

float largestPointSize() {
    // OpenGL ES: GL_ALIASED_POINT_SIZE_RANGE.
    std::array<GLfloat, 2> range{1, 1};
    glGetFloatv(GL_POINT_SIZE_RANGE, range.data());
    return range[1];
}

}  // namespace whorl::gl
