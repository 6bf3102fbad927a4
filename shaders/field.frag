uniform sampler2D colours;  // a texel for each tile
uniform vec3 toEye;         // the direction of the headlight
uniform float ambient;
uniform float edged;        // 1: lines between tiles

in vec3 facing;
in vec2 tile;
out vec4 painted;

void main() {
    ivec2 last = textureSize(colours, 0) - 1;
    vec3 colour = texelFetch(colours, clamp(ivec2(tile), ivec2(0), last), 0).rgb;
    float light = ambient + (1.0 - ambient) * abs(dot(normalize(facing), toEye));
    if (edged > 0.5) {
        vec2 away = 0.5 - abs(fract(tile) - 0.5);
        vec2 pixels = away / max(fwidth(tile), vec2(1e-6));
        light *= mix(0.72, 1.0, smoothstep(0.3, 1.1, min(pixels.x, pixels.y)));
    }
    painted = vec4(colour * light, 1.0);
}
