flat in vec2 centre;
flat in vec4 body;
flat in vec4 edge;
flat in vec4 size;
flat in float diamond;
out vec4 painted;

// The distance of p from the middle of a diamond that has about the area of a disc of radius r and slightly rounded
// corners, scaled so that it is r on the border.
float diamondDistance(vec2 p, float r) {
    vec2 q = abs(vec2(p.x + p.y, p.x - p.y)) * 0.70710678;
    float side = 0.84 * r;
    float round = 0.18 * r;
    vec2 beyond = q - (side - round);
    return length(max(beyond, 0.0)) + min(max(beyond.x, beyond.y), 0.0) - round + r;
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
    float d = diamond > 0.5 ? diamondDistance(p, r) : length(p);
    float cover = clamp(r - d + 0.5, 0.0, 1.0);

    vec4 inner = vec4(lit(body.rgb, p, r, size.z) * body.a, body.a);
    float rimAlpha = edge.a * clamp(d - size.y + 0.5, 0.0, 1.0);
    vec4 bead = (vec4(edge.rgb, 1.0) * rimAlpha + inner * (1.0 - rimAlpha)) * cover;

    // The halo lies under the bead and fades to nothing at twice the radius.
    float far = clamp(2.0 - d / r, 0.0, 1.0);
    float halo = body.a * size.w * 0.55 * far * far * (1.0 - cover);
    painted = bead + vec4(body.rgb, 1.0) * halo;
}
