// A file that grows while its earlier bytes are read: they are mapped, and take no memory of the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/part_file.h"

namespace whorl::sim {

class MappedFile {
  public:
    /// Creates a file that gets its name once it is published. Fails for what is not a regular file, or if it cannot be
    /// written or mapped.
    static Expected<std::unique_ptr<MappedFile>> create(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /// Appends bytes, all or none. Returns them as they are in the file, valid while this lives and the file is not
    /// truncated.
    Expected<std::string_view> append(std::string_view bytes);
    std::uint64_t size() const { return size_; }
    /// Removes what follows the first bytes.
    Expected<void> truncate(std::uint64_t size);
    /// Tells the system that nothing will be read for a while.
    void forget() const;
    /// Gives the file its name. It can still be read, but no longer written.
    Expected<void> publish() { return file_->publish(); }

  private:
    MappedFile(std::unique_ptr<PartFile> file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

    std::unique_ptr<PartFile> file_;
    std::string name_;
    const char* bytes_ = nullptr;
    std::uint64_t room_ = 0;  ///< bytes that are mapped, or may be
    std::uint64_t size_ = 0;
};

}  // namespace whorl::sim
