in vec2 along;
flat in float span;
flat in float reach;
flat in vec4 tintA;
flat in vec4 tintB;
out vec4 painted;

void main() {
    float nearest = clamp(along.x, 0.0, span);
    float cover = clamp(reach - length(vec2(along.x - nearest, along.y)), 0.0, 1.0);
    painted = mix(tintA, tintB, nearest / max(span, 1e-6)) * cover;
}
