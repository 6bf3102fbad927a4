// One rectangle an instance, aligned to pixels.
uniform vec4 toClip;

layout(location = 0) in vec4 box;  // left, bottom, width, height in pixels of the framebuffer

void main() {
    vec2 window = box.xy + box.zw * vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(window * toClip.xy + toClip.zw, 0.0, 1.0);
}
