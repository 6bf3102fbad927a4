#include <zstd.h>

#include <bit>
#include <cstring>
#include <new>

#include "sim/trace/chunk_codec.h"
#include "sim/trace/chunk_columns.h"

namespace whorl::sim {
namespace {

/// The zstd level. Level 3 makes chunks 3 % smaller and takes a seventh longer.
constexpr int kChunkCompression = 1;
constexpr std::size_t kSlots = kMaxChunk * 2;

struct FreePacker {
    void operator()(ZSTD_CCtx* packer) const { ZSTD_freeCCtx(packer); }
};

/// The index in kWidths of the first width that holds a residual.
unsigned widthFor(std::uint64_t residual) {
    static constexpr std::array<std::uint8_t, 9> kByBytes = {0, 0, 1, 2, 3, 4, 4, 5, 5};
    return kByBytes[(static_cast<unsigned>(std::bit_width(residual)) + 7) / 8];
}

/// Hash table of keys with open addressing. A slot is valid only for the chunk that last wrote it, so that the table
/// need not be cleared.
class KeyTable {
  public:
    KeyTable() : slots_(kSlots) {}

    void nextChunk() {
        if (++chunk_ == 0) {
            slots_.assign(kSlots, Slot{});
            chunk_ = 1;
        }
    }
    /// The key for a site and rest; if there is none, `fresh` is inserted.
    std::uint32_t find(std::uint32_t site, std::uint32_t rest, std::uint32_t fresh) {
        const std::uint64_t what = std::uint64_t{site} << 32 | rest;
        for (std::size_t i = what * 0x9e3779b97f4a7c15 >> 47;; ++i) {
            Slot& slot = slots_[i % kSlots];
            if (slot.chunk != chunk_) {
                slot = {.what = what, .key = fresh, .chunk = chunk_};
                return fresh;
            }
            if (slot.what == what) return slot.key;
        }
    }

  private:
    struct Slot {
        std::uint64_t what = 0;
        std::uint32_t key = 0;
        std::uint32_t chunk = 0;
    };
    std::vector<Slot> slots_;
    std::uint32_t chunk_ = 0;
};

}  // namespace

struct ChunkEncoder::State {
    std::unique_ptr<ZSTD_CCtx, FreePacker> packer{ZSTD_createCCtx()};
    KeyTable table;
    std::vector<ChunkKey> keys = std::vector<ChunkKey>(kMaxChunk + 1);
    std::vector<Successors> successors = std::vector<Successors>(kMaxChunk + 1);
    std::uint32_t newest = 0;  ///< the last key created
    std::array<std::string, kColumns> columns;
    char* residuals = nullptr;  ///< where the next residual goes; the column has space for the widest

    std::string& column(ChunkColumn c) { return columns[static_cast<std::size_t>(c)]; }

    void start(std::size_t accesses) {
        for (std::string& c : columns) c.clear();
        column(ChunkColumn::codes).resize(accesses);
        column(ChunkColumn::residuals).resize(accesses * sizeof(std::uint64_t));
        residuals = column(ChunkColumn::residuals).data();
        table.nextChunk();
        newest = 0;
        successors[0] = {};
    }

    /// Encodes the key of an access, and stores it in `key`.
    KeyFrom codeKey(const PackedAccess& access, Successors& after, std::uint32_t& key) {
        const std::uint32_t site = access.site().value;
        const std::uint32_t rest = access.rest();
        const ChunkKey& expected = keys[after.recent];
        if (after.recent != 0 && expected.site == site && expected.rest == rest) [[likely]] {
            key = after.recent;
            return KeyFrom::successor;
        }
        key = table.find(site, rest, newest + 1);
        if (key > newest) {
            makeKey(site, rest);
            return after.recent == 0 ? KeyFrom::successor : KeyFrom::isNew;
        }
        if (after.other == key) return KeyFrom::otherSuccessor;
        // The last key of a full chunk is never referred to again, so key numbers, from 1, fit into two bytes.
        std::string& known = column(ChunkColumn::knownKeys);
        known += static_cast<char>(key);
        known += static_cast<char>(key >> 8);
        return KeyFrom::knownKeys;
    }

    void makeKey(std::uint32_t site, std::uint32_t rest) {
        appendVarint(column(ChunkColumn::keySites), folded(std::uint64_t{site} - keys[newest].site));
        appendVarint(column(ChunkColumn::keyRests), turned(rest));
        ++newest;
        keys[newest] = {.last = 0, .step = 0, .offset = 0, .site = site, .rest = rest};
        successors[newest] = {};
    }

    /// Encodes the address of access i.
    unsigned codeAddress(std::span<const PackedAccess> accesses, std::size_t i, const ChunkKey& key) {
        const std::uint64_t address = accesses[i].address().value;
        if (address == key.last + key.step) return kByStep;
        if (address == before(accesses, i, 1) + key.offset) return kByOffset;
        std::uint64_t residual = folded(address - key.last);
        unsigned base = 0;
        for (unsigned n = 1; n < kBases; ++n) {
            const std::uint64_t other = folded(address - before(accesses, i, n));
            base = other < residual ? n : base;
            residual = other < residual ? other : residual;
        }
        const unsigned width = widthFor(residual);
        std::memcpy(residuals, &residual, sizeof residual);
        residuals += kWidths[width];
        return kByResidual + base * static_cast<unsigned>(kWidths.size()) + width;
    }

    static std::uint64_t before(std::span<const PackedAccess> accesses, std::size_t i, std::size_t n) {
        return n <= i ? accesses[i - n].address().value : 0;
    }

    void codeStamps(std::span<const std::uint64_t> stamps) {
        std::uint64_t last = 0;
        for (const std::uint64_t stamp : stamps) {
            appendVarint(column(ChunkColumn::stamps), folded(stamp - last));
            last = stamp;
        }
    }

    std::string pack(std::size_t accesses) {
        ChunkLayout head{.accesses = static_cast<std::uint32_t>(accesses), .keys = newest};
        std::string out(sizeof head, '\0');
        for (std::size_t c = 0; c < kColumns; ++c) {
            if (columns[c].empty()) continue;
            const std::size_t at = out.size();
            out.resize(at + ZSTD_compressBound(columns[c].size()));
            const std::size_t packed = ZSTD_compressCCtx(packer.get(), out.data() + at, out.size() - at,
                                                         columns[c].data(), columns[c].size(), kChunkCompression);
            if (ZSTD_isError(packed) != 0) throw std::bad_alloc();  // the only possible error
            out.resize(at + packed);
            head.plainBytes[c] = static_cast<std::uint32_t>(columns[c].size());
            head.packedBytes[c] = static_cast<std::uint32_t>(packed);
        }
        std::memcpy(out.data(), &head, sizeof head);
        return {out.data(), out.size()};  // a copy without spare capacity
    }
};

ChunkEncoder::ChunkEncoder() : state_(std::make_unique<State>()) {
    if (state_->packer == nullptr) throw std::bad_alloc();
}
ChunkEncoder::~ChunkEncoder() = default;
ChunkEncoder::ChunkEncoder(ChunkEncoder&&) noexcept = default;
ChunkEncoder& ChunkEncoder::operator=(ChunkEncoder&&) noexcept = default;

std::string ChunkEncoder::encode(std::span<const PackedAccess> accesses, std::span<const std::uint64_t> stamps) {
    State& s = *state_;
    s.start(accesses.size());
    std::uint32_t previous = 0;
    char* codes = s.column(ChunkColumn::codes).data();
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        std::uint32_t index = 0;
        const KeyFrom from = s.codeKey(accesses[i], s.successors[previous], index);
        s.successors[previous].follow(index);
        ChunkKey& key = s.keys[index];
        const unsigned way = s.codeAddress(accesses, i, key);
        key.moveTo(accesses[i].address().value, State::before(accesses, i, 1));
        codes[i] = static_cast<char>(way << 2 | static_cast<unsigned>(from));
        previous = index;
    }
    std::string& residuals = s.column(ChunkColumn::residuals);
    residuals.resize(static_cast<std::size_t>(s.residuals - residuals.data()));
    s.codeStamps(stamps);
    return s.pack(accesses.size());
}

}  // namespace whorl::sim
