// A vertex and a fragment shader, compiled and linked. Owns the GL program.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "render/gl/api.h"
#include "render/gl/viewport.h"
#include "sim/base/error.h"

namespace whorl::gl {

class Program {
  public:
    /// Compiles and links shaders/<name>.vert and shaders/<name>.frag. Each word of `defines` is a macro defined in
    /// both, so that one pair can have variants. An error carries the driver's message.
    static sim::Expected<Program> create(std::string_view name, std::string_view defines = {});
    ~Program();
    Program(Program&& other) noexcept;
    Program& operator=(Program&& other) noexcept;
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Makes it the current program, and sets its uniforms toWindow and toClip.
    void use(const Viewport& view) const;

    /// For programs with other uniforms: the caller makes it current and sets them.
    GLuint id() const { return id_; }

  private:
    explicit Program(GLuint id) : id_(id) {}
    GLuint id_;
    GLint toWindow_ = -1;
    GLint toClip_ = -1;
};

}  // namespace whorl::gl
