// Broad lines as triangles that do not overlap; each corner has its offset from the line.
uniform vec3 toWindow;
uniform vec4 toClip;

layout(location = 0) in vec2 at;
layout(location = 1) in vec2 off;  // from the nearest point of the line, pixels, in any orthonormal frame
layout(location = 2) in float halfWidth;
layout(location = 3) in vec4 colour;

out vec2 apart;
out float reach;
out vec4 tint;

void main() {
    vec2 window = vec2(toWindow.x + at.x * toWindow.z, toWindow.y - at.y * toWindow.z);
    gl_Position = vec4(window * toClip.xy + toClip.zw, 0.0, 1.0);
    apart = off;
    // A line thinner than a pixel is drawn a pixel wide, and fainter.
    reach = max(halfWidth, 0.5) + 0.5;
    float alpha = colour.a * min(2.0 * halfWidth, 1.0);
    tint = vec4(colour.rgb * alpha, alpha);
}
