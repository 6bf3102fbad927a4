#include "render/gl/painted_picture.h"

namespace whorl::gl {

PaintedPicture::PaintedPicture() {
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    // Thin lines must not drop out where it is shown smaller.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void PaintedPicture::take(int width, int height) {
    GLint painted = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &painted);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(painted));
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 0, 0, width, height, 0);
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
}

}  // namespace whorl::gl
