#include "render/gl/program.h"

#include <algorithm>
#include <span>
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

}  // namespace whorl::gl
