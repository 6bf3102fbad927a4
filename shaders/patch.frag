// A picture, pixel for pixel; with NOTHING, full transparency.
uniform sampler2D picture;  // as large as the framebuffer
out vec4 painted;

void main() {
#ifdef NOTHING
    painted = vec4(0.0);
#else
    painted = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
#endif
}
