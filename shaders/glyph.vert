// A glyph, as one point; with QUADS as a quad of four corners an instance, for those too large for a point.
uniform vec3 toWindow;
uniform vec4 toClip;

layout(location = 0) in vec2 at;
layout(location = 1) in float radius;
layout(location = 2) in vec4 fill;
layout(location = 3) in vec4 rim;
layout(location = 4) in float rimWidth;
layout(location = 5) in float glow;
layout(location = 6) in float shape;  // 0: disc, 1: diamond

flat out vec2 centre;  // pixels of the framebuffer
flat out vec4 body;    // fill, straight alpha
flat out vec4 edge;    // rim, straight alpha
flat out vec4 size;    // radius; radius inside the rim; amount of shading; strength of the glow
flat out float diamond;

void main() {
    centre = vec2(toWindow.x + at.x * toWindow.z, toWindow.y - at.y * toWindow.z);
    // A glyph smaller than a pixel is drawn a pixel large, and fainter by the ratio of the areas.
    float wanted = radius * toWindow.z;
    float r = max(wanted, 1.0);
    float share = min(wanted * wanted, 1.0);
    body = vec4(fill.rgb, fill.a * share);
    edge = vec4(rim.rgb, rim.a * share);
    float inside = rimWidth > 0.0 ? r - rimWidth * toWindow.z : 1e6;
    // No shading on small glyphs, where it would only blur the hue, and less on transparent ones.
    float relief = clamp((r - 2.5) / 4.0, 0.0, 1.0) * fill.a;
    size = vec4(r, inside, relief, glow);
    diamond = shape;

    float extent = max(r * (shape > 0.5 ? 1.25 : 1.0) + 0.55, glow > 0.0 ? 2.0 * r : 0.0);
#ifdef QUADS
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    vec2 window = centre + corner * extent;
#else
    vec2 window = centre;
    gl_PointSize = 2.0 * extent;
#endif
    gl_Position = vec4(window * toClip.xy + toClip.zw, 0.0, 1.0);
}
