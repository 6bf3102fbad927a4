// What records the accesses of one program while it runs, and the listing of its source.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/progress.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {

// The part of a kernel's source file that is displayed: exactly the lines that were compiled and run.

/// The texts must outlive the listing; those of kernels have static lifetime.
struct Listing {
    std::string_view file;    ///< "bubblesort.h"
    std::string_view text;    ///< the lines between the comments "// listing" and "// end"
    std::uint32_t firstLine;  ///< the line of the file that is displayed as line 1
    std::uint32_t lines;      ///< the number of lines displayed

    /// The displayed number of a line of the file; 0 if it is not displayed.
    std::uint32_t shown(std::uint32_t fileLine) const {
        return fileLine < firstLine || fileLine - firstLine >= lines ? 0 : fileLine - firstLine + 1;
    }
};

/// The listing of the kernel in the file of that name; empty if the file or its markers are missing, which would be a
/// bug in Whorl.
Listing listingOf(std::string_view name);

/// Thrown on cancellation to unwind a kernel that does not check for it. Never leaves this room: see `runRecorded`.
struct Cancelled {};

/// Records the accesses of one program while it runs, with addresses as in a C program and line numbers as in the
/// listing. Owns the trace until it is finished.
class AccessRecorder {
  public:
    static constexpr std::uint64_t kFirstAddress = 0x10000;  ///< address of the first array

    /// `expected`: an estimate of the number of accesses, for progress.
    AccessRecorder(std::string traceName, const Listing& listing, std::uint64_t expected, Progress& progress)
        : builder_(std::move(traceName)), listing_(listing), sites_(listing.lines + 1), progress_(progress) {
        builder_.sourceText(listing.file, listing.text);
        progress_.setDone(0);
        progress_.setTotal(expected);
    }

    AccessRecorder(const AccessRecorder&) = delete;
    AccessRecorder& operator=(const AccessRecorder&) = delete;

    /// Allocates memory for an array after the preceding ones, at a multiple of `align` bytes, and declares its region.
    /// `region` has no base yet; returns the base.
    ByteAddress allocate(Region region, std::uint64_t align) {
        region.base = ByteAddress{(end_.value + align - 1) / align * align};
        end_ = ByteAddress{region.base.value + region.size};
        const ByteAddress base = region.base;
        builder_.addRegion(std::move(region));
        return base;
    }

    /// Records an access. `fileLine` is a line of the kernel's file; `value` is the number read or written, or NaN if
    /// it is not a number.
    void record(Op op, ByteAddress address, std::uint32_t size, std::uint32_t fileLine, double value) {
        record({.address = address, .size = size, .op = op, .cpu = 0, .site = siteOf(fileLine)}, value);
    }
    void record(const Access& access, double value) {
        values_.put(Tick{builder_.size()}, value);
        record(access);
    }
    void record(const Access& access) {
        builder_.add(access);
        if (builder_.size() % kPulse == 0) pulse();
    }

    /// The site of a line of the kernel's file; site 0 if it is not in the listing.
    SiteId siteOf(std::uint32_t fileLine) {
        const std::uint32_t line = listing_.shown(fileLine);
        SiteId& site = sites_[line];
        if (site == SiteId{} && line != 0) site = builder_.site(listing_.file, line);
        return site;
    }

    /// The builder, for everything else that belongs to the trace.
    TraceBuilder& builder() { return builder_; }

    Trace finish() {
        pulse();
        progress_.setTotal(builder_.size());
        if (!values_.empty()) builder_.keep(std::move(values_));
        return builder_.finish();
    }

  private:
    static constexpr std::uint64_t kPulse = 1u << 16;  ///< accesses between two progress checks

    void pulse() {
        if (progress_.cancelled()) throw Cancelled{};
        progress_.setTotal(std::max(progress_.total(), builder_.size()));
        progress_.setDone(builder_.size());
    }

    TraceBuilder builder_;
    ValueLog values_;
    Listing listing_;
    std::vector<SiteId> sites_;  ///< by displayed line; site 0 until the line's first access
    ByteAddress end_{kFirstAddress};
    Progress& progress_;
};

}  // namespace whorl::sim
