// Reads ChampSim's binary traces: a record of 64 bytes for each instruction, without a header.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/trace_formats.h"

namespace whorl::sim {
namespace {

/// The size of a record, in bytes.
constexpr std::size_t kChampsimRecord = 64;
// The offsets of the fields in a record. The register numbers between them do not concern memory.
constexpr std::size_t kPcAt = 0;
constexpr std::size_t kIsBranchAt = 8;
constexpr std::size_t kIsTakenAt = 9;
constexpr std::size_t kWrittenAt = 16;  ///< two addresses, 0 for none
constexpr std::size_t kReadAt = 32;     ///< four addresses
constexpr std::size_t kAddressBytes = 8;

/// The number in the eight bytes at an offset, the lowest byte first.
std::uint64_t addressAt(std::string_view bytes, std::size_t at) {
    std::uint64_t address = 0;
    for (std::size_t i = kAddressBytes; i-- > 0;) address = address << 8 | static_cast<unsigned char>(bytes[at + i]);
    return address;
}

/// Adds the accesses of records to a builder, which it does not own.
class ChampsimReader {
  public:
    /// `instructions`: treat instruction fetches as reads.
    ChampsimReader(TraceBuilder& builder, bool instructions) : builder_(builder), instructions_(instructions) {}

    /// Reads the records in `bytes`, of which the last may be incomplete. Returns the bytes consumed: all, or those
    /// before the first malformed or incomplete record; malformed() gives the reason.
    std::size_t read(std::string_view bytes) {
        std::size_t taken = 0;
        while (bytes.size() - taken >= kChampsimRecord) {
            if (!readRecord(bytes.substr(taken, kChampsimRecord))) return taken;
            taken += kChampsimRecord;
        }
        if (taken < bytes.size()) {
            malformed_ = {
                .what = fmt::format("the record has {} bytes", bytes.size() - taken),
                .hint = fmt::format("expected {}; the file is incomplete, or not of ChampSim", kChampsimRecord),
                .noise = true};
        }
        return taken;
    }
    const Malformed& malformed() const { return malformed_; }

  private:
    bool readRecord(std::string_view record) {
        // The flags are the only fields that can be invalid.
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

    TraceBuilder& builder_;
    bool instructions_;
    Malformed malformed_;
};

Error recordError(const std::string& name, const Malformed& why, std::uint64_t at) {
    return {.where = fmt::format("{}, byte {}", name, at),
            .what = why.what,
            .hint = why.hint + "; --lenient skips such records"};
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

Expected<void> readChampsim(const Reading& reading, ByteSource& source) {
    constexpr std::size_t kStep = (std::size_t{1} << 14) * kChampsimRecord;
    ChampsimReader reader(reading.builder, reading.instructions);
    std::uint64_t skipped = 0;
    std::string bytes;
    for (std::uint64_t at = 0;; at += bytes.size()) {
        bytes.clear();
        WHORL_TRY(readUpTo(kStep, bytes, source, reading.progress));
        if (bytes.empty()) break;
        std::string_view rest = bytes;
        for (rest.remove_prefix(reader.read(rest)); !rest.empty(); rest.remove_prefix(reader.read(rest))) {
            const std::uint64_t from = at + (bytes.size() - rest.size());
            if (!reading.lenient) return tl::unexpected(recordError(reading.name, reader.malformed(), from));
            ++skipped;
            rest.remove_prefix(std::min(rest.size(), kChampsimRecord));
        }
        reading.progress.setAccesses(reading.builder.size());
        WHORL_TRY(checkMemory(reading));
    }
    if (skipped > 0) reading.builder.lost(fmt::format("{} malformed records were left out", skipped));
    return finish(reading, false);
}

}  // namespace whorl::sim
