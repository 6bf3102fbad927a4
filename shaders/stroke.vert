// One stroke an instance: the box around it as a strip of four corners.
uniform vec3 toWindow;
uniform vec4 toClip;

layout(location = 0) in vec2 a;
layout(location = 1) in vec2 b;
layout(location = 2) in float width;
layout(location = 3) in vec4 colourA;
layout(location = 4) in vec4 colourB;

out vec2 along;  // pixels from a: along the stroke, and across it
flat out float span;
flat out float reach;
flat out vec4 tintA;
flat out vec4 tintB;

vec4 premultiplied(vec4 colour, float share) {
    float alpha = colour.a * share;
    return vec4(colour.rgb * alpha, alpha);
}

void main() {
    vec2 from = vec2(toWindow.x + a.x * toWindow.z, toWindow.y - a.y * toWindow.z);
    vec2 way = vec2(b.x - a.x, a.y - b.y) * toWindow.z;
    float wide = width * toWindow.z;
    span = length(way);
    vec2 direction = span > 0.0 ? way / span : vec2(1.0, 0.0);
    // Thin strokes mostly lie side by side and should make an even surface. Where two edges meet that each fade out
    // over a pixel, the ground would show through in a moire pattern; so thin strokes are drawn a little broader (not
    // longer), unless they are transparent, as then the overlap would show.
    float bleed = 0.5 * clamp(3.0 - wide, 0.0, 1.0) * max(colourA.a, colourB.a);
    float inset = min(bleed, 0.5 * span);
    from += direction * inset;
    span -= 2.0 * inset;
    // A stroke thinner than a pixel is drawn a pixel wide, and fainter.
    reach = 0.5 * max(wide, 1.0) + 0.5 + bleed;
    float share = min(wide, 1.0);
    tintA = premultiplied(colourA, share);
    tintB = premultiplied(colourB, share);

    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    along = vec2(mix(-reach, span + reach, corner.x), mix(-reach, reach, corner.y));
    vec2 window = from + direction * along.x + vec2(-direction.y, direction.x) * along.y;
    gl_Position = vec4(window * toClip.xy + toClip.zw, 0.0, 1.0);
}
