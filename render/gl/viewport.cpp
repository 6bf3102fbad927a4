#include "render/gl/viewport.h"

#include "render/gl/api.h"

namespace whorl::gl {

void setViewport(const Viewport& view) {
    glViewport(view.left - kGuard, view.bottom - kGuard, view.width + 2 * kGuard, view.height + 2 * kGuard);
    glEnable(GL_SCISSOR_TEST);
    glScissor(view.left, view.bottom, view.width, view.height);
}

}  // namespace whorl::gl
