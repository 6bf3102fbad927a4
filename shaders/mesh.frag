in vec4 tint;
out vec4 painted;

void main() {
    painted = tint;
}
