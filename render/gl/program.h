// A vertex and a fragment shader, compiled and linked. Owns the GL program.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "render/gl/api.h"
#include "render/gl/view.h"
#include "sim/base/error.h"

namespace whorl::gl {

class Program {
  public:
    /// The program made of shaders/<name>.vert and shaders/<name>.frag. Each word of `defines` is defined in both, so
    /// that one pair can serve in several shapes. An error carries the driver's words.
    static sim::Expected<Program> create(std::string_view name, std::string_view defines = {});
    ~Program();
    Program(Program&& other) noexcept;
    Program& operator=(Program&& other) noexcept;
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Makes it the current program, and tells it where the scene lies.
    void use(const View& view) const;

    /// For programs that are told more, or other things: the caller makes it current.
    GLuint id() const { return id_; }

  private:
    explicit Program(GLuint id) : id_(id) {}
    GLuint id_;
    GLint toWindow_ = -1;
    GLint toClip_ = -1;
};

}  // namespace whorl::gl
