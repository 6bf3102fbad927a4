#include "sim/trace/column_codec.h"

#include <zstd.h>

#include <cstring>
#include <new>

#include "sim/base/compact_bytes.h"

namespace whorl::sim {
namespace {

constexpr int kQuickLevel = 1;
constexpr int kModerateLevel = 9;
constexpr int kDeepLevel = 16;
constexpr int kThoroughLevel = 19;
/// Columns that compress less than this hold random bytes, in which a higher level finds no more redundancy.
constexpr double kMinGain = 0.7;
/// What the moderate level makes so small, and so much smaller than the quick one, repeats what was long before: there
/// the deep level is quick, and finds much more.
constexpr double kRepetitive = 0.04;
constexpr double kMuchSmaller = 0.6;

struct FreeContext {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

struct ColumnPacker::State {
    std::unique_ptr<ZSTD_CCtx, FreeContext> context{ZSTD_createCCtx()};
    std::string buffer;
};

ColumnPacker::ColumnPacker() : state_(std::make_unique<State>()) {
    if (state_->context == nullptr) throw std::bad_alloc();
}
ColumnPacker::~ColumnPacker() = default;
ColumnPacker::ColumnPacker(ColumnPacker&&) noexcept = default;
ColumnPacker& ColumnPacker::operator=(ColumnPacker&&) noexcept = default;

std::string ColumnPacker::packedAt(std::string_view column, int level) {
    std::string& buffer = state_->buffer;
    const std::size_t room = ZSTD_compressBound(column.size());
    if (buffer.size() < room) buffer.resize(room);
    const std::size_t size =
        ZSTD_compressCCtx(state_->context.get(), buffer.data(), buffer.size(), column.data(), column.size(), level);
    if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // the only possible error
    return buffer.substr(0, size);
}

std::string ColumnPacker::packed(std::string_view column, Effort effort) {
    if (column.empty()) return {};
    std::string quickly = packedAt(column, kQuickLevel);
    if (quickly.size() >= column.size()) return std::string(column);
    return packed(column, std::move(quickly), effort);
}

std::string ColumnPacker::packed(std::string_view column, std::string quickly, Effort effort) {
    const auto is = [](const std::string& bytes, double share, std::size_t of) {
        return static_cast<double>(bytes.size()) < share * static_cast<double>(of);
    };
    std::string best = std::move(quickly);
    const auto tryAt = [&](int level) {
        std::string other = packedAt(column, level);
        if (other.size() < best.size()) best = std::move(other);
    };
    if (effort == Effort::quick || !is(best, kMinGain, column.size())) return best;
    const std::size_t before = best.size();
    tryAt(effort == Effort::thorough ? kThoroughLevel : kModerateLevel);
    const bool isDeep = is(best, kRepetitive, column.size()) && is(best, kMuchSmaller, before);
    if (effort == Effort::moderate && isDeep) tryAt(kDeepLevel);
    return best;
}

std::string ColumnPacker::packedGroup(std::span<const std::string> columns, Effort effort) {
    std::vector<std::string> bodies;
    bodies.reserve(columns.size());
    for (const std::string& column : columns) bodies.push_back(packed(column, effort));
    return storedGroup(std::vector<std::string_view>(columns.begin(), columns.end()), bodies);
}

std::string storedGroup(std::span<const std::string_view> columns, std::span<const std::string> bodies) {
    std::string out;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        appendVarint(out, columns[c].size());
        if (!columns[c].empty()) appendVarint(out, bodies[c].size());
    }
    for (const std::string& body : bodies) out += body;
    return out;
}

bool columnsOf(std::string_view bytes, std::span<PackedColumn> columns) {
    std::uint64_t total = 0;
    std::vector<std::uint64_t> packedBytes;
    for (PackedColumn& column : columns) {
        std::uint64_t plain = 0;
        std::uint64_t packed = 0;
        if (!readVarint(bytes, plain) || (plain > 0 && !readVarint(bytes, packed))) return false;
        const auto size = static_cast<std::size_t>(plain);  // of 32 bits in a page
        if (packed > bytes.size() || packed > plain || size != plain) return false;
        column = {.plainBytes = size, .bytes = {}, .compressed = packed < plain};
        packedBytes.push_back(packed);
        total += packed;
    }
    if (total != bytes.size()) return false;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        columns[c].bytes = bytes.substr(0, packedBytes[c]);
        bytes.remove_prefix(packedBytes[c]);
    }
    return true;
}

struct ColumnUnpacker::State {
    std::unique_ptr<ZSTD_DCtx, FreeContext> context{ZSTD_createDCtx()};
};

ColumnUnpacker::ColumnUnpacker() : state_(std::make_unique<State>()) {
    if (state_->context == nullptr) throw std::bad_alloc();
}
ColumnUnpacker::~ColumnUnpacker() = default;
ColumnUnpacker::ColumnUnpacker(ColumnUnpacker&&) noexcept = default;
ColumnUnpacker& ColumnUnpacker::operator=(ColumnUnpacker&&) noexcept = default;

bool ColumnUnpacker::unpack(const PackedColumn& column, std::size_t most, std::vector<char>& to, std::size_t slack) {
    const std::size_t plain = column.plainBytes;
    if (plain > most) return false;
    if (to.size() < plain + slack) to.resize(plain + slack);
    if (plain == 0) return column.bytes.empty();
    if (!column.compressed) {
        std::memcpy(to.data(), column.bytes.data(), plain);
        return true;
    }
    return ZSTD_decompressDCtx(state_->context.get(), to.data(), plain, column.bytes.data(), column.bytes.size()) ==
           plain;
}

}  // namespace whorl::sim
