#include "sim/trace/formats/champsim_reader.h"

#include <fmt/format.h>

#include <array>

namespace whorl::sim {
namespace {

// Where the fields of a record are. Between them are the numbers of registers, which say nothing about memory.
constexpr std::size_t kPcAt = 0;
constexpr std::size_t kIsBranchAt = 8;
constexpr std::size_t kIsTakenAt = 9;
constexpr std::size_t kWrittenAt = 16;  ///< two addresses, 0 for none
constexpr std::size_t kReadAt = 32;     ///< four
constexpr std::size_t kAddressBytes = 8;

/// The number in eight bytes from a place on, the lowest byte first.
std::uint64_t addressAt(std::string_view bytes, std::size_t at) {
    std::uint64_t address = 0;
    for (std::size_t i = kAddressBytes; i-- > 0;) address = address << 8 | static_cast<unsigned char>(bytes[at + i]);
    return address;
}

}  // namespace

bool namesChampsim(std::string_view path) {
    std::string_view name = path.substr(path.rfind('/') + 1);
    for (const std::string_view packed : {".xz", ".gz", ".zst"}) {
        if (!name.ends_with(packed)) continue;
        name.remove_suffix(packed.size());
        break;
    }
    return name.ends_with(".champsim") || name.ends_with(".champsimtrace");
}

std::size_t ChampsimReader::read(std::string_view bytes) {
    std::size_t taken = 0;
    while (bytes.size() - taken >= kChampsimRecord) {
        if (!readRecord(bytes.substr(taken, kChampsimRecord))) return taken;
        taken += kChampsimRecord;
    }
    if (taken < bytes.size()) {
        malformed_ = {.what = fmt::format("the record has {} bytes", bytes.size() - taken),
                      .hint = fmt::format("expected {}; the file is incomplete, or not of ChampSim", kChampsimRecord),
                      .noise = true};
    }
    return taken;
}

bool ChampsimReader::readRecord(std::string_view record) {
    // Of what a record says, only this can be wrong.
    for (const std::size_t flag : {kIsBranchAt, kIsTakenAt}) {
        const auto value = static_cast<unsigned char>(record[flag]);
        if (value <= 1) continue;
        malformed_ = {
            .what = fmt::format("the record's {} is {}", flag == kIsBranchAt ? "is_branch" : "branch_taken", value),
            .hint = "expected 0 or 1; the file may not be of ChampSim",
            .noise = true};
        return false;
    }
    const ByteAddress pc{addressAt(record, kPcAt)};
    const SiteId site = builder_.numbersSites() ? builder_.siteAt(pc) : SiteId{};
    const auto add = [&](Op op, std::uint64_t address) {
        builder_.add(PackedAccess(op, ByteAddress{address}, kUnknownAccessSize, site));
    };
    const auto addAll = [&](Op op, std::size_t from, std::size_t to) {
        for (std::size_t at = from; at < to; at += kAddressBytes) {
            if (const std::uint64_t address = addressAt(record, at); address != 0) add(op, address);
        }
    };
    builder_.instructions(1);
    if (instructions_) add(Op::read, pc.value);
    addAll(Op::read, kReadAt, kChampsimRecord);
    addAll(Op::write, kWrittenAt, kReadAt);
    return true;
}

}  // namespace whorl::sim
