#version 330 core
uniform sampler2D objects;  // as large as the framebuffer, premultiplied
out vec4 painted;

void main() {
    painted = texelFetch(objects, ivec2(gl_FragCoord.xy), 0);
}
