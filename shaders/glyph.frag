flat in vec2 centre;
flat in vec4 body;
flat in vec4 edge;
flat in vec4 size;
flat in vec3 form;
flat in vec4 middle;
out vec4 painted;

// Distances of p from the middle, scaled so that they are r on the border. A square has about the area of a disc of
// radius r and slightly rounded corners; a diamond is a square on its corner.
float squareDistance(vec2 p, float r) {
    vec2 q = abs(p);
    float side = 0.84 * r;
    float round = 0.18 * r;
    vec2 beyond = q - (side - round);
    return length(max(beyond, 0.0)) + min(max(beyond.x, beyond.y), 0.0) - round + r;
}

// A triangle that stands on its side: as high as fits, its middle raised.
float triangleDistance(vec2 p, float r) {
    vec2 q = p + vec2(0.0, 0.2 * r);
    float slanted = 0.8660254 * abs(q.x) + 0.5 * q.y;
    return max(slanted, -q.y) - 0.68 * r + r;
}

float shapeDistance(vec2 p, float r) {
    if (form.x < 0.5) return length(p);
    if (form.x < 1.5) return squareDistance(vec2(p.x + p.y, p.x - p.y) * 0.70710678, r);
    return form.x < 2.5 ? squareDistance(p, r) : triangleDistance(p, r);
}

// How much of the glyph is left at p by its stripes: two, beside the middle. Small ones have no room for them.
float striped(vec2 p, float r) {
    if (form.y < 0.5) return 1.0;
    float across = form.y < 1.5 ? (p.x - p.y) * 0.70710678 : form.y < 2.5 ? p.y : p.x;
    float stripe = clamp(0.5 + 0.21 * r - abs(abs(across) - 0.41 * r), 0.0, 1.0);
    return 1.0 - 0.75 * stripe * clamp((r - 1.5) / 2.0, 0.0, 1.0);
}

// The shading of a bead, lit softly from the upper left wherever the glyph is. There is none in the middle, where the
// hue is that of the region to the bit.
vec3 lit(vec3 colour, vec2 p, float r, float relief) {
    vec2 q = p / r;
    float slope = dot(q, vec2(-0.70710678, 0.70710678));
    float away = dot(q - vec2(-0.36, 0.36), q - vec2(-0.36, 0.36)) * 4.5;
    float spot = max(1.0 - away, 0.0);
    float shade = 1.0 + 0.16 * relief * min(slope, 0.0) * dot(q, q);
    return mix(colour * shade, vec3(1.0), 0.34 * relief * spot * spot);
}

void main() {
    vec2 p = gl_FragCoord.xy - centre;
    float r = size.x;
    float d = shapeDistance(p, r);
    float cover = clamp(r - d + 0.5, 0.0, 1.0);

    vec4 inner = vec4(lit(body.rgb, p, r, size.z) * body.a, body.a);
    float rimAlpha = edge.a * clamp(d - size.y + 0.5, 0.0, 1.0);
    vec4 bead = (vec4(edge.rgb, 1.0) * rimAlpha + inner * (1.0 - rimAlpha)) * striped(p, r);
    float coreAlpha = form.z > 0.0 ? middle.a * clamp(form.z - length(p) + 0.5, 0.0, 1.0) : 0.0;
    bead = (vec4(middle.rgb, 1.0) * coreAlpha + bead * (1.0 - coreAlpha)) * cover;

    // The halo lies under the bead and fades to nothing at twice the radius.
    float far = clamp(2.0 - d / r, 0.0, 1.0);
    float halo = body.a * size.w * 0.55 * far * far * (1.0 - cover);
    painted = bead + vec4(body.rgb, 1.0) * halo;
}
