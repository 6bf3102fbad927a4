// A height field: one vertex in the middle of each tile, and one at each edge along the border.
uniform mat4 worldToClip;

layout(location = 0) in vec3 at;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 place;  // in tiles

out vec3 facing;
out vec2 tile;

void main() {
    gl_Position = worldToClip * vec4(at, 1.0);
    facing = normal;
    tile = place;
}
