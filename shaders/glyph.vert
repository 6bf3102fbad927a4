// A glyph, as one point; with QUADS as a quad of four corners an instance, for those too large for a point.
uniform vec3 toWindow;
uniform vec4 toClip;

layout(location = 0) in vec2 at;
layout(location = 1) in float radius;
layout(location = 2) in vec4 fill;
layout(location = 3) in vec4 rim;
layout(location = 4) in float rimWidth;
layout(location = 5) in float glow;
layout(location = 6) in float shape;    // 0: disc, 1: diamond, 2: square, 3: triangle
layout(location = 7) in float texture;  // stripes: 0: none, 1: rising, 2: level, 3: upright
layout(location = 8) in vec4 core;
layout(location = 9) in float coreRadius;

flat out vec2 centre;  // pixels of the framebuffer
flat out vec4 body;    // fill, straight alpha
flat out vec4 edge;    // rim, straight alpha
flat out vec4 size;    // radius; radius inside the rim; amount of shading; strength of the glow
flat out vec3 form;    // shape; texture; radius of the core
flat out vec4 middle;  // core, straight alpha

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
    form = vec3(shape, texture, coreRadius * toWindow.z);
    middle = vec4(core.rgb, core.a * share);

    const float reach = 1.25;  // of corners, in radii
    float extent = max(r * (shape > 0.5 ? reach : 1.0) + 0.55, glow > 0.0 ? 2.0 * r : 0.0);
#ifdef QUADS
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    vec2 window = centre + corner * extent;
#else
    vec2 window = centre;
    gl_PointSize = 2.0 * extent;
#endif
    gl_Position = vec4(window * toClip.xy + toClip.zw, 0.0, 1.0);
}
