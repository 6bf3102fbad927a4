// Points, lines and triangles in space. Their colours include the light.
uniform mat4 worldToClip;
uniform float pointSize;  // pixels of the framebuffer

layout(location = 0) in vec3 at;
layout(location = 1) in vec4 colour;

out vec4 tint;  // premultiplied

void main() {
    gl_Position = worldToClip * vec4(at, 1.0);
    gl_PointSize = pointSize;
    tint = vec4(colour.rgb * colour.a, colour.a);
}
