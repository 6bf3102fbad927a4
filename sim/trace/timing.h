// Timing information of a trace beyond its accesses: how long each CPU computed between accesses, and on which other
// access it had to wait. With it, the clocks of several CPUs can be computed on any machine, not only the one on which
// the trace was captured. A trace of recorded accesses alone does not have it. Also the events of the memory system on
// which a trace was captured.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/compact_bytes.h"
#include "sim/base/types.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// What delayed the start of an access.
struct Delay {
    static constexpr Tick kNoAccess{~std::uint64_t{0}};

    Tick at;                 ///< the access
    std::uint64_t work = 0;  ///< cycles of computation since the CPU's previous access, or since it woke up
    Tick after =
        kNoAccess;  ///< the earlier access whose completion woke the CPU (a lock released, a barrier completed)

    bool operator==(const Delay&) const = default;
};

/// The delays of a trace's accesses, in order, at most one per access. Packed as in files, since a program on several
/// CPUs has one for every third access: a delay takes a few bytes.
class DelayList {
  public:
    /// Iterates over a list, which must neither change nor move meanwhile.
    class Cursor {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Delay;
        using difference_type = std::ptrdiff_t;
        using pointer = const Delay*;
        using reference = const Delay&;

        Cursor() = default;
        explicit Cursor(const DelayList& list) : rest_(list.bytes_) { advance(); }

        /// Whether there is a delay left, and it is that of the access `at`.
        bool isAt(Tick at) const { return has_ && delay_.at == at; }
        bool isBefore(Tick at) const { return has_ && delay_.at < at; }
        const Delay& operator*() const { return delay_; }
        const Delay* operator->() const { return &delay_; }
        Cursor& operator++() {
            advance();
            return *this;
        }
        void operator++(int) { advance(); }
        /// Whether both cursors are at the end, or at the same delay of a list.
        bool operator==(const Cursor& other) const {
            return has_ == other.has_ && (!has_ || rest_.size() == other.rest_.size());
        }

      private:
        void advance();

        std::string_view rest_;
        Delay delay_;
        bool has_ = false;
    };

    DelayList() = default;
    DelayList(std::initializer_list<Delay> delays) {
        for (const Delay& delay : delays) push_back(delay);
    }

    /// `delay` must belong to a later access than those before it, and `after` must be an earlier access.
    void push_back(const Delay& delay);
    Cursor begin() const { return Cursor(*this); }
    Cursor end() const { return {}; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    /// Memory used, in bytes.
    std::size_t bytes() const { return bytes_.capacity(); }
    /// Frees spare capacity.
    void shrink() { bytes_.shrink_to_fit(); }
    bool operator==(const DelayList& other) const { return bytes_ == other.bytes_; }

  private:
    std::string bytes_;
    std::size_t size_ = 0;
    Tick last_;
};

struct Timing {
    std::uint64_t each = 0;  ///< cycles of work before every access, in addition to the delays
    DelayList delays;

    bool empty() const { return each == 0 && delays.empty(); }
    bool operator==(const Timing&) const = default;
};

/// Adjusts a trace's timing when accesses are dropped. A CPU's work is preserved: work before a dropped access is added
/// to the next one. A CPU that waited for the end of a dropped access waits instead for the last kept access before it
/// by the same CPU. The stall time of a dropped access is lost.
///
/// keep() or drop() must be called for the accesses in order. Accesses for which neither is called lose their timing,
/// too.
class TimingFilter {
  public:
    /// `timing` must outlive the filter.
    explicit TimingFilter(const Timing& timing);

    /// The access `was` is kept, and its tick becomes `to`.
    void keep(Tick was, std::uint8_t cpu, Tick to);
    void drop(Tick was, std::uint8_t cpu);
    /// The timing of the kept accesses, moved out of the filter.
    Timing take() { return std::move(moved_); }

  private:
    /// The pending timing of a CPU.
    struct Open {
        std::uint64_t work = 0;         ///< not yet attributed to a kept access
        Tick after = Delay::kNoAccess;  ///< the access that woke it, as a tick of the filtered trace
        Tick last = Delay::kNoAccess;   ///< its last kept access, in the filtered trace
    };

    void addDelay(Tick was, Open& open);
    void noteEnd(Tick was, Tick to);

    const Timing* timing_;
    Timing moved_;
    DelayList::Cursor next_;
    std::vector<std::uint64_t> awaited_;  ///< accesses whose completion wakes others, ascending
    std::vector<Tick> ends_;              ///< by awaited access: the corresponding tick of the filtered trace
    std::size_t nextAwaited_ = 0;
    std::vector<Open> open_;  ///< by CPU
};

/// A timed event of the memory system on which a trace was captured, as contained in Chiron's trace files.
struct RecordedEvent {
    enum class Kind : std::uint8_t {
        load,        ///< a block is loaded into a cache
        replace,     ///< `other` is evicted for it
        invalidate,  ///< a block is invalidated
        protect,     ///< a cache gains write permission for a block
        wait,        ///< an access completes after stalling for `cycles`
    };
    Kind kind = Kind::wait;
    std::uint8_t level = 0;    ///< 0 is nearest the CPU
    std::uint8_t cache = 0;    ///< wait: the CPU
    bool privately = false;    ///< load: exclusively. replace, invalidate: the block was dirty. wait: a write
    Tick access;               ///< the access that caused it
    std::uint64_t cycles = 0;  ///< since the start of the program; wait: the duration of the stall
    ByteAddress address;       ///< the address accessed; invalidate: the block
    ByteAddress other;         ///< replace: the evicted block

    bool operator==(const RecordedEvent&) const = default;
};

/// All of these events. A trace with a recording can be displayed as recorded, without simulating it.
struct Recording {
    std::array<std::uint32_t, 2> blockSize{};  ///< block sizes of L1 and L2, in bytes
    std::array<std::uint32_t, 2> caches{};     ///< number of L1 and L2 caches
    std::vector<RecordedEvent> events;         ///< in the order of the file
    /// The start of the first access and the end of the last CPU, in cycles; both 0 if unknown, in which case the range
    /// of the events counts.
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

}  // namespace whorl::sim
