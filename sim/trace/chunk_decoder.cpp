#include <zstd.h>

#include <bit>
#include <cstring>
#include <new>
#include <optional>

#include "sim/trace/chunk_codec.h"
#include "sim/trace/chunk_columns.h"

namespace whorl::sim {
namespace {

static_assert(std::endian::native == std::endian::little, "residuals and heads are read as they stand");

struct FreeUnpacker {
    void operator()(ZSTD_DCtx* unpacker) const { ZSTD_freeDCtx(unpacker); }
};

/// The meaning of an address code as masks, so that all codes are decoded without branches.
struct AddressCode {
    std::uint64_t residual = 0;  ///< mask of the residual's bytes
    std::uint64_t step = 0;      ///< mask of what is added to the base
    std::uint64_t offset = 0;    ///< mask of what is added to the base
    std::uint32_t width = 0;     ///< bytes
    std::uint32_t before = 1;    ///< the base is so many accesses back …
    bool fromKey = false;        ///< … or the key's last address
};

constexpr std::array<AddressCode, 64> kAddressCodeTable = [] {
    std::array<AddressCode, 64> table{};
    table[kByStep] = {.step = ~std::uint64_t{0}, .fromKey = true};
    table[kByOffset] = {.offset = ~std::uint64_t{0}};
    for (unsigned way = kByResidual; way < kAddressCodes; ++way) {
        const unsigned base = (way - kByResidual) / kWidths.size();
        const unsigned width = kWidths[(way - kByResidual) % kWidths.size()];
        table[way] = {.residual = ~std::uint64_t{0} >> (64 - 8 * width),
                      .width = width,
                      .before = base == 0 ? 1 : base,
                      .fromKey = base == 0};
    }
    return table;
}();

/// The header of a chunk, if it and the columns fit the bytes exactly.
std::optional<ChunkLayout> chunkLayoutOf(std::string_view bytes) {
    ChunkLayout head;
    if (bytes.size() < sizeof head) return std::nullopt;
    std::memcpy(&head, bytes.data(), sizeof head);
    std::uint64_t packed = sizeof head;
    for (const std::uint32_t n : head.packedBytes) packed += n;
    const bool sound = head.accesses > 0 && head.accesses <= kMaxChunk && head.keys <= head.accesses &&
                       head.plainBytes[0] == head.accesses && packed == bytes.size();
    return sound ? std::optional(head) : std::nullopt;
}

/// The maximum bytes per access of each column.
constexpr std::array<std::uint32_t, kColumns> kMaxPlainBytes = {1, 8, 2, 10, 10, 10};

}  // namespace

struct ChunkDecoder::State {
    std::unique_ptr<ZSTD_DCtx, FreeUnpacker> unpacker{ZSTD_createDCtx()};
    std::vector<ChunkKey> keys;
    std::vector<Successors> successors;
    std::array<std::vector<char>, kColumns> columns;
    std::vector<PackedAccess> accesses;  ///< preceded by kBases empty ones
    std::vector<std::uint64_t> stamps;

    std::string_view column(ChunkColumn c, const ChunkLayout& head) const {
        const auto i = static_cast<std::size_t>(c);
        return {columns[i].data(), head.plainBytes[i]};
    }

    bool unpack(ChunkColumn which, std::string_view bytes, const ChunkLayout& head) {
        const auto c = static_cast<std::size_t>(which);
        const std::size_t plain = head.plainBytes[c];
        if (plain > std::size_t{kMaxPlainBytes[c]} * head.accesses) return false;
        // Residuals are read 8 bytes at a time, and their total size is checked only at the end.
        const std::size_t room = which == ChunkColumn::residuals ? std::size_t{8} * head.accesses + 8 : plain;
        if (columns[c].size() < room) columns[c].resize(room);
        if (plain == 0) return head.packedBytes[c] == 0;
        std::size_t at = sizeof head;
        for (std::size_t i = 0; i < c; ++i) at += head.packedBytes[i];
        return ZSTD_decompressDCtx(unpacker.get(), columns[c].data(), plain, bytes.data() + at, head.packedBytes[c]) ==
               plain;
    }

    /// Reads the table of keys. False if one of them is invalid.
    bool takeKeys(const ChunkLayout& head, std::uint64_t sites, std::uint32_t cpus) {
        std::string_view siteColumn = column(ChunkColumn::keySites, head);
        std::string_view restColumn = column(ChunkColumn::keyRests, head);
        if (keys.size() <= head.keys) {
            keys.resize(head.keys + 1);
            successors.resize(head.keys + 1);
        }
        std::uint64_t site = 0;
        for (std::uint32_t k = 1; k <= head.keys; ++k) {
            std::uint64_t change = 0;
            std::uint64_t rest = 0;
            if (!readVarint(siteColumn, change) || !readVarint(restColumn, rest)) return false;
            site += unfolded(change);
            if (site >= sites || site >> 32 != 0 || rest >> 32 != 0) return false;
            keys[k] = {.last = 0,
                       .step = 0,
                       .offset = 0,
                       .site = static_cast<std::uint32_t>(site),
                       .rest = turnedBack(static_cast<std::uint32_t>(rest))};
            const PackedAccess sample({}, {}, keys[k].rest);
            if (sample.size() == 0 || sample.cpu() >= cpus) return false;
            successors[k] = {};
        }
        successors[0] = {};
        return siteColumn.empty() && restColumn.empty();
    }

    bool takeAccesses(const ChunkLayout& head);
};

/// The inner loop. It avoids unpredictable branches; in particular it does not branch on the address code.
bool ChunkDecoder::State::takeAccesses(const ChunkLayout& head) {
    const char* const codes = columns[static_cast<std::size_t>(ChunkColumn::codes)].data();
    const char* const residuals = columns[static_cast<std::size_t>(ChunkColumn::residuals)].data();
    const char* residual = residuals;
    std::string_view known = column(ChunkColumn::knownKeys, head);
    if (accesses.size() < kBases + head.accesses) accesses.resize(kBases + head.accesses);
    PackedAccess* const out = accesses.data() + kBases;
    ChunkKey* const allKeys = keys.data();
    Successors* const allSuccessors = successors.data();
    std::uint32_t newest = 0;
    std::uint32_t previous = 0;
    bool possible = true;
    for (std::uint32_t i = 0; i < head.accesses; ++i) {
        const auto code = static_cast<unsigned char>(codes[i]);
        Successors& after = allSuccessors[previous];
        const auto from = static_cast<KeyFrom>(code & 3);
        std::uint32_t index = (code & 1) == 0 ? after.recent : after.other;
        if ((code & 2) != 0 || index == 0) [[unlikely]] {
            if (from == KeyFrom::knownKeys) {
                if (known.size() < 2) return false;
                index = static_cast<unsigned char>(known[0]) |
                        static_cast<unsigned>(static_cast<unsigned char>(known[1])) << 8;
                known.remove_prefix(2);
                if (index == 0 || index > newest) return false;
            } else {
                if (newest == head.keys) return false;
                index = ++newest;
            }
        }
        after.follow(index);
        ChunkKey& key = allKeys[index];
        const AddressCode& way = kAddressCodeTable[code >> 2];
        std::uint64_t bits = 0;
        std::memcpy(&bits, residual, sizeof bits);
        residual += way.width;
        const std::uint64_t before = out[static_cast<std::ptrdiff_t>(i) - 1].address().value;
        const std::uint64_t other = out[static_cast<std::ptrdiff_t>(i) - way.before].address().value;
        std::uint64_t address = (way.fromKey ? key.last : other) + unfolded(bits & way.residual);
        address += (key.step & way.step) + (key.offset & way.offset);
        key.moveTo(address, before);
        out[i] = PackedAccess(ByteAddress{address}, SiteId{key.site}, key.rest);
        possible &= out[i].size() - 1 <= ~address;
        previous = index;
    }
    return possible && newest == head.keys && known.empty() &&
           static_cast<std::size_t>(residual - residuals) ==
               head.plainBytes[static_cast<std::size_t>(ChunkColumn::residuals)];
}

ChunkDecoder::ChunkDecoder() : state_(std::make_unique<State>()) {
    if (state_->unpacker == nullptr) throw std::bad_alloc();
}
ChunkDecoder::~ChunkDecoder() = default;
ChunkDecoder::ChunkDecoder(ChunkDecoder&&) noexcept = default;
ChunkDecoder& ChunkDecoder::operator=(ChunkDecoder&&) noexcept = default;

std::span<PackedAccess> ChunkDecoder::decode(std::string_view bytes, std::uint64_t sites, std::uint32_t cpus) {
    const auto head = chunkLayoutOf(bytes);
    if (!head) return {};
    State& s = *state_;
    for (const ChunkColumn c : {ChunkColumn::codes, ChunkColumn::residuals, ChunkColumn::knownKeys,
                                ChunkColumn::keySites, ChunkColumn::keyRests}) {
        if (!s.unpack(c, bytes, *head)) return {};
    }
    if (!s.takeKeys(*head, sites, cpus) || !s.takeAccesses(*head)) return {};
    return std::span(s.accesses).subspan(kBases, head->accesses);
}

std::span<const std::uint64_t> ChunkDecoder::decodeStamps(std::string_view bytes) {
    const auto head = chunkLayoutOf(bytes);
    if (!head || !state_->unpack(ChunkColumn::stamps, bytes, *head)) return {};
    std::string_view column = state_->column(ChunkColumn::stamps, *head);
    state_->stamps.clear();
    state_->stamps.reserve(head->accesses);
    std::uint64_t stamp = 0;
    std::uint64_t change = 0;
    while (readVarint(column, change)) {
        stamp += unfolded(change);
        state_->stamps.push_back(stamp);
    }
    if (!column.empty() || state_->stamps.size() != head->accesses) return {};
    return state_->stamps;
}

ChunkHead chunkHead(std::string_view bytes) {
    const auto head = chunkLayoutOf(bytes);
    if (!head) return {};
    return {.accesses = head->accesses, .stamped = head->plainBytes[static_cast<std::size_t>(ChunkColumn::stamps)] > 0};
}

}  // namespace whorl::sim
