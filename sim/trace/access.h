// One access: a load or a store, by one CPU, of `size` bytes at an address, from a source line.
#pragma once

#include <cstdint>

#include "sim/types.h"

namespace whorl::sim {

enum class Op : std::uint8_t { read, write };

/// Index into Trace::sites(): the source line that made the access. Site 0 is "not known".
using SiteId = Strong<struct SiteIdTag, std::uint32_t>;

inline constexpr std::uint32_t kMaxCpus = 64;
/// The largest access, in bytes (16 MiB less one): what the packed form holds.
inline constexpr std::uint32_t kMaxAccessSize = (1u << 24) - 1;

struct Access {
    ByteAddress address;
    std::uint32_t size = 1;  ///< bytes, 1 to kMaxAccessSize
    Op op = Op::read;
    std::uint8_t cpu = 0;  ///< 0 to kMaxCpus - 1
    SiteId site;

    bool isWrite() const { return op == Op::write; }
    bool operator==(const Access&) const = default;
};

/// An access in the 16 bytes in which a trace keeps it.
class PackedAccess {
  public:
    explicit PackedAccess(const Access& a)
        : address_(a.address.value),
          site_(a.site.value),
          rest_(a.size | static_cast<std::uint32_t>(a.cpu) << 24 | static_cast<std::uint32_t>(a.isWrite()) << 30) {}

    Access unpack() const {
        Access a;
        a.address = ByteAddress{address_};
        a.size = rest_ & kMaxAccessSize;
        a.op = (rest_ >> 30 & 1) != 0 ? Op::write : Op::read;
        a.cpu = static_cast<std::uint8_t>(rest_ >> 24 & 63);
        a.site = SiteId{site_};
        return a;
    }

  private:
    std::uint64_t address_;
    std::uint32_t site_;
    std::uint32_t rest_;  ///< size: bits 0 to 23, cpu: 24 to 29, write: 30
};
static_assert(sizeof(PackedAccess) == 16);

}  // namespace whorl::sim
