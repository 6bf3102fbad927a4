in vec2 apart;
in float reach;
in vec4 tint;
out vec4 painted;

void main() {
    painted = tint * clamp(reach - length(apart), 0.0, 1.0);
}
