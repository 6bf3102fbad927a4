// Triangles with a colour at each corner.
// Left and top edge of the scene in the framebuffer, pixels; pixels of the framebuffer a pixel of the scene.
uniform vec3 toWindow;
uniform vec4 toClip;    // from the framebuffer's pixels to clip coordinates: factors, then offsets

layout(location = 0) in vec2 at;
layout(location = 1) in vec4 colour;

out vec4 tint;  // premultiplied, so that a colour that fades out keeps its hue

void main() {
    vec2 window = vec2(toWindow.x + at.x * toWindow.z, toWindow.y - at.y * toWindow.z);
    gl_Position = vec4(window * toClip.xy + toClip.zw, 0.0, 1.0);
    tint = vec4(colour.rgb * colour.a, colour.a);
}
