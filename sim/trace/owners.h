// Whose memory an access is to: that of a variable, which may hold several blocks of the heap over time, or of a
// region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/region.h"

namespace whorl::sim {

/// The variable that an object belongs to, by its name: "orders" for its third block, "orders#3", "m" for a row of it,
/// "m[3]", and "Quadrant" for "Quadrant 3".
std::string_view variableOf(std::string_view object);

/// Whether an object is a block of a variable.
inline bool isBlockOf(const Object& object, std::string_view variable) {
    return object.size > 0 && (object.name == variable || variableOf(object.name) == variable);
}

/// The owners of memory. First come the regions, by their indices, then the variables whose objects have no region of
/// their name. An address that an object holds at a time belongs to the owner of the object, any other one to its
/// region; so do objects in a region that the trace names and no object is called after. Without objects the owners are
/// the regions.
class Owners {
  public:
    Owners() = default;
    Owners(const std::vector<Region>& regions, const std::vector<Object>& objects);

    std::size_t count() const { return names_.size(); }
    /// "orders"; "(no region)" for a number that is none.
    const std::string& name(std::size_t owner) const;
    /// The owner of a region; of several that are called after a variable, the first. count() for a number that is
    /// none.
    std::uint32_t ofRegion(std::size_t region) const {
        return region < ofRegion_.size() ? ofRegion_[region] : static_cast<std::uint32_t>(count());
    }
    /// The owner of an object, by its index in the trace.
    std::uint32_t ofObject(std::size_t object) const { return ofObject_[object]; }
    /// The objects of an owner, by their indices in the trace; none for most regions.
    const std::vector<std::uint32_t>& objects(std::size_t owner) const;

  private:
    std::vector<std::string> names_;
    std::vector<std::uint32_t> ofRegion_;
    std::vector<std::uint32_t> ofObject_;
    std::vector<std::vector<std::uint32_t>> objects_;
};

}  // namespace whorl::sim
