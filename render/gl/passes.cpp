#include "render/gl/passes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace whorl::gl {

std::span<const std::pair<std::string_view, std::string_view>> embeddedShaders();

namespace {

/// The text of a shader behind kShaderHeader and a #define for each word of `defines`.
std::string sourceOf(const std::string& file, std::string_view defines) {
    for (const auto& [name, text] : embeddedShaders()) {
        if (name != file) continue;
        std::string source = kShaderHeader;
        while (!defines.empty()) {
            const std::size_t end = std::min(defines.find(' '), defines.size());
            source += "#define " + std::string(defines.substr(0, end)) + "\n";
            defines.remove_prefix(std::min(end + 1, defines.size()));
        }
        source += "#line 1\n";
        return source += text;
    }
    return {};
}

std::string shaderLog(GLuint shader) {
    GLint length = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    glGetShaderInfoLog(shader, length, &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

std::string programLog(GLuint program) {
    GLint length = 0;
    glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    glGetProgramInfoLog(program, length, &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

/// Compiles a shader and attaches it; the program is then its only owner.
sim::Expected<void> attach(GLuint program, GLenum stage, const std::string& file, std::string_view defines) {
    const std::string source = sourceOf(file, defines);
    if (source.empty()) return sim::fail("shaders/" + file, "is not part of this program");
    const GLuint shader = glCreateShader(stage);
    const char* text = source.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    const std::string log = compiled == GL_TRUE ? std::string() : shaderLog(shader);
    glAttachShader(program, shader);
    glDeleteShader(shader);
    if (compiled != GL_TRUE) return sim::fail("shaders/" + file, "the driver cannot compile it: " + log);
    return {};
}

}  // namespace

Program::~Program() {
    if (id_ != 0) glDeleteProgram(id_);
}

Program::Program(Program&& other) noexcept
    : id_(std::exchange(other.id_, 0)), toWindow_(other.toWindow_), toClip_(other.toClip_) {}

Program& Program::operator=(Program&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(toWindow_, other.toWindow_);
    std::swap(toClip_, other.toClip_);
    return *this;
}

sim::Expected<Program> Program::create(std::string_view name, std::string_view defines) {
    Program program(glCreateProgram());
    const std::string file(name);
    if (auto done = attach(program.id_, GL_VERTEX_SHADER, file + ".vert", defines); !done) {
        return tl::unexpected(done.error());
    }
    if (auto done = attach(program.id_, GL_FRAGMENT_SHADER, file + ".frag", defines); !done) {
        return tl::unexpected(done.error());
    }
    glLinkProgram(program.id_);
    GLint linked = GL_FALSE;
    glGetProgramiv(program.id_, GL_LINK_STATUS, &linked);
    if (linked != GL_TRUE) {
        return sim::fail("shaders/" + file, "the driver cannot link the pair: " + programLog(program.id_));
    }
    program.toWindow_ = glGetUniformLocation(program.id_, "toWindow");
    program.toClip_ = glGetUniformLocation(program.id_, "toClip");
    return program;
}

void Program::use(const Viewport& view) const {
    glUseProgram(id_);
    const auto left = static_cast<float>(view.left);
    const auto top = static_cast<float>(view.bottom + view.height);
    glUniform3f(toWindow_, left, top, view.scale);
    // From the framebuffer's pixels to -1..1 over the viewport that `aim` sets.
    const float x = 2.0F / static_cast<float>(view.width + 2 * kGuard);
    const float y = 2.0F / static_cast<float>(view.height + 2 * kGuard);
    glUniform4f(toClip_, x, y, static_cast<float>(kGuard - view.left) * x - 1.0F,
                static_cast<float>(kGuard - view.bottom) * y - 1.0F);
}

void setViewport(const Viewport& view) {
    glViewport(view.left - kGuard, view.bottom - kGuard, view.width + 2 * kGuard, view.height + 2 * kGuard);
    glEnable(GL_SCISSOR_TEST);
    glScissor(view.left, view.bottom, view.width, view.height);
}

// Vectors of the scene go to the driver as they are.
static_assert(std::is_standard_layout_v<scene::Stroke> && std::is_trivially_copyable_v<scene::Stroke>);
static_assert(std::is_standard_layout_v<scene::Glyph> && std::is_trivially_copyable_v<scene::Glyph>);
static_assert(sizeof(scene::Shape) == 1 && sizeof(scene::Texture) == 1 && sizeof(scene::Rgba) == 4);

namespace {

template <class Element>
struct Attribute {
    GLint size;
    GLenum type;
    std::size_t offset;
};

/// Sets attribute i of the bound vertex array to attributes[i] of the elements in the bound buffer.
template <class Element, std::size_t N>
void describe(const std::array<Attribute<Element>, N>& attributes, std::size_t first = 0, GLuint divisor = 0) {
    for (GLuint i = 0; i < N; ++i) {
        const Attribute<Element>& a = attributes[i];
        // A byte in fours is a colour, 0 to 1; a byte alone is a number.
        const GLboolean normalised = a.type == GL_UNSIGNED_BYTE && a.size == 4 ? GL_TRUE : GL_FALSE;
        const std::size_t offset = first * sizeof(Element) + a.offset;
        // OpenGL takes an offset into the buffer for a pointer. NOLINTNEXTLINE(performance-no-int-to-ptr)
        glVertexAttribPointer(i, a.size, a.type, normalised, sizeof(Element), reinterpret_cast<const void*>(offset));
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, divisor);
    }
}

constexpr std::array<Attribute<MeshVertex>, 2> kMeshVertex{{
    {2, GL_FLOAT, offsetof(MeshVertex, at)},
    {4, GL_UNSIGNED_BYTE, offsetof(MeshVertex, colour)},
}};
constexpr std::array<Attribute<RibbonVertex>, 4> kRibbonVertex{{
    {2, GL_FLOAT, offsetof(RibbonVertex, at)},
    {2, GL_FLOAT, offsetof(RibbonVertex, off)},
    {1, GL_FLOAT, offsetof(RibbonVertex, halfWidth)},
    {4, GL_UNSIGNED_BYTE, offsetof(RibbonVertex, colour)},
}};
constexpr std::array<Attribute<scene::Stroke>, 5> kStroke{{
    {2, GL_FLOAT, offsetof(scene::Stroke, a)},
    {2, GL_FLOAT, offsetof(scene::Stroke, b)},
    {1, GL_FLOAT, offsetof(scene::Stroke, width)},
    {4, GL_UNSIGNED_BYTE, offsetof(scene::Stroke, colourA)},
    {4, GL_UNSIGNED_BYTE, offsetof(scene::Stroke, colourB)},
}};
constexpr std::array<Attribute<scene::Glyph>, 10> kGlyph{{
    {2, GL_FLOAT, offsetof(scene::Glyph, at)},
    {1, GL_FLOAT, offsetof(scene::Glyph, radius)},
    {4, GL_UNSIGNED_BYTE, offsetof(scene::Glyph, fill)},
    {4, GL_UNSIGNED_BYTE, offsetof(scene::Glyph, rim)},
    {1, GL_FLOAT, offsetof(scene::Glyph, rimWidth)},
    {1, GL_FLOAT, offsetof(scene::Glyph, glow)},
    {1, GL_UNSIGNED_BYTE, offsetof(scene::Glyph, shape)},
    {1, GL_UNSIGNED_BYTE, offsetof(scene::Glyph, texture)},
    {4, GL_UNSIGNED_BYTE, offsetof(scene::Glyph, core)},
    {1, GL_FLOAT, offsetof(scene::Glyph, coreRadius)},
}};

constexpr std::array<Attribute<glm::vec4>, 1> kBox{{{4, GL_FLOAT, 0}}};

/// The meshes are built in pixels of the view: nothing is left to scale.
Viewport unscaled(Viewport view) {
    view.scale = 1;
    return view;
}

template <class Vertices, class Indices>
GLsizei uploadTriangles(const VertexArray& array, StreamBuffer& vertices, StreamBuffer& indices, const Vertices& v,
                        const Indices& i) {
    glBindVertexArray(array.id());
    vertices.upload(v.data(), v.size() * sizeof(v[0]));
    indices.upload(i.data(), i.size() * sizeof(i[0]));
    return static_cast<GLsizei>(i.size());
}

void drawTriangles(const Program& program, const VertexArray& array, GLsizei count, const Viewport& view) {
    if (count == 0) return;
    program.use(unscaled(view));
    glBindVertexArray(array.id());
    glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, nullptr);
}

}  // namespace

// --- mesh ---

MeshPass::MeshPass(Program program) : program_(std::move(program)) {
    glBindVertexArray(array_.id());
    vertices_.bind();
    indices_.bind();
    describe(kMeshVertex);
}

sim::Expected<MeshPass> MeshPass::create() {
    return Program::create("mesh").map([](Program p) { return MeshPass(std::move(p)); });
}

void MeshPass::upload(const AnnulusMesh& mesh) {
    count_ = uploadTriangles(array_, vertices_, indices_, mesh.vertices(), mesh.indices());
}

void MeshPass::draw(const Viewport& view) const {
    drawTriangles(program_, array_, count_, view);
}

// --- ribbons ---

RibbonPass::RibbonPass(Program program) : program_(std::move(program)) {
    glBindVertexArray(array_.id());
    vertices_.bind();
    indices_.bind();
    describe(kRibbonVertex);
}

sim::Expected<RibbonPass> RibbonPass::create() {
    return Program::create("ribbon").map([](Program p) { return RibbonPass(std::move(p)); });
}

void RibbonPass::upload(const RibbonMesh& mesh) {
    count_ = uploadTriangles(array_, vertices_, indices_, mesh.vertices(), mesh.indices());
}

void RibbonPass::draw(const Viewport& view) const {
    drawTriangles(program_, array_, count_, view);
}

// --- strokes ---

StrokePass::StrokePass(Program program) : program_(std::move(program)) {
    glBindVertexArray(array_.id());
    instances_.bind();
    describe(kStroke, 0, 1);
}

sim::Expected<StrokePass> StrokePass::create() {
    return Program::create("stroke").map([](Program p) { return StrokePass(std::move(p)); });
}

void StrokePass::upload(std::span<const scene::Stroke> strokes) {
    instances_.upload(strokes.data(), strokes.size_bytes());
}

void StrokePass::draw(const Viewport& view, std::size_t first, std::size_t count) {
    if (count == 0) return;
    program_.use(view);
    glBindVertexArray(array_.id());
    instances_.bind();
    describe(kStroke, first, 1);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count));
}

// --- glyphs ---

GlyphPass::GlyphPass(Program points, Program quads) : points_(std::move(points)), quads_(std::move(quads)) {
    glBindVertexArray(pointArray_.id());
    glyphs_.bind();
    describe(kGlyph);
    largestPoint_ = std::min(largestPointSize(), 2.0F * static_cast<float>(kGuard) - 1);
}

sim::Expected<GlyphPass> GlyphPass::create() {
    return Program::create("glyph").and_then([](Program points) {
        return Program::create("glyph", "QUADS").map([&](Program quads) {
            return GlyphPass(std::move(points), std::move(quads));
        });
    });
}

void GlyphPass::upload(std::span<const scene::Glyph> glyphs) {
    glyphs_.upload(glyphs.data(), glyphs.size_bytes());
}

/// Points are cheaper than boxes, but no point may be larger than the driver allows. The order is kept.
void GlyphPass::draw(const Viewport& view, std::span<const scene::Glyph> glyphs, std::size_t first, std::size_t count) {
    const auto large = [&](const scene::Glyph& g) { return 2 * extentOf(g, view.scale) > largestPoint_; };
    const std::size_t end = first + count;
    while (first < end) {
        const bool quads = large(glyphs[first]);
        std::size_t last = first + 1;
        while (last < end && large(glyphs[last]) == quads) ++last;
        if (quads) {
            quads_.use(view);
            drawQuads(first, last - first);
        } else {
            points_.use(view);
            glBindVertexArray(pointArray_.id());
            glDrawArrays(GL_POINTS, static_cast<GLint>(first), static_cast<GLsizei>(last - first));
        }
        first = last;
    }
}

void GlyphPass::drawQuads(std::size_t first, std::size_t count) {
    glBindVertexArray(quadArray_.id());
    glyphs_.bind();
    describe(kGlyph, first, 1);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count));
}

// --- patches ---

PatchPass::PatchPass(Program picture, Program nothing) : picture_(std::move(picture)), nothing_(std::move(nothing)) {
    glBindVertexArray(array_.id());
    instances_.bind();
    describe(kBox, 0, 1);
}

sim::Expected<PatchPass> PatchPass::create() {
    return Program::create("patch").and_then([](Program picture) {
        return Program::create("patch", "NOTHING").map([&](Program nothing) {
            return PatchPass(std::move(picture), std::move(nothing));
        });
    });
}

void PatchPass::upload(std::span<const TileRun> runs) {
    boxes_.clear();
    for (const TileRun& r : runs) boxes_.emplace_back(r.x, r.y, r.width, r.height);
    instances_.upload(boxes_.data(), boxes_.size() * sizeof(glm::vec4));
}

void PatchPass::draw(const Viewport& view, const Program& program) {
    program.use(view);
    glBindVertexArray(array_.id());
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(boxes_.size()));
}

void PatchPass::copy(const Viewport& view, const Surface& picture) {
    glDisable(GL_BLEND);
    blend(view, picture);
    glEnable(GL_BLEND);
}

void PatchPass::blend(const Viewport& view, const Surface& picture) {
    glActiveTexture(GL_TEXTURE0);
    glBindSampler(0, 0);
    glBindTexture(GL_TEXTURE_2D, picture.texture());
    draw(view, picture_);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void PatchPass::erase(const Viewport& view) {
    glDisable(GL_BLEND);
    draw(view, nothing_);
    glEnable(GL_BLEND);
}

void clearTo(scene::Rgba c) {
    glClearColor(float(c.r) / 255.0F, float(c.g) / 255.0F, float(c.b) / 255.0F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
}

void clearToTransparent() {
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace whorl::gl
