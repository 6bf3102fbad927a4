#include "sim/trace/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <new>
#include <optional>

#include "sim/base/byte_sink.h"
#include "sim/trace/formats/text_words.h"
#include "sim/trace/formats/whorl_writer.h"

namespace whorl::sim {

namespace {

constexpr std::size_t kTextBuffer = std::size_t{1} << 18;
constexpr std::uint64_t kFlushInterval = 4096;  ///< accesses between checks of the buffer and of the progress

class TextWriter {
  public:
    TextWriter(const Trace& trace, ByteSink& sink, Progress& progress)
        : trace_(trace), sink_(sink), progress_(progress), markers_(markersOf(trace)) {
        for (const Site& site : trace.sites()) siteWords_.push_back(siteWord(site));
    }

    Expected<void> write() {
        progress_.setTotal(trace_.size());
        for (const Region& r : trace_.regions()) {
            if (r.origin == RegionOrigin::declared) buffer_ += asTextLine(r);
        }
        for (std::uint64_t from = 0; from < trace_.size(); from += kFlushInterval) {
            if (progress_.cancelled()) return tl::unexpected(Error::byUser());
            const std::uint64_t to = std::min(from + kFlushInterval, trace_.size());
            trace_.forEach(Tick{from}, Tick{to}, [this](Tick t, const Access& a) { take(t, a); });
            progress_.setDone(to);
            if (buffer_.size() < kTextBuffer) continue;
            WHORL_TRY(flush());
        }
        appendRead();
        recording(true);
        appendMarkers(Tick{trace_.size()});
        return flush();
    }

  private:
    const Trace& trace_;
    ByteSink& sink_;
    Progress& progress_;
    std::vector<TimedMarker> markers_;
    std::size_t nextMarker_ = 0;
    std::vector<std::string> siteWords_;
    std::string buffer_;
    std::optional<Access> read_;  ///< a pending read that may be the first half of a modify
    bool recording_ = true;

    Expected<void> flush() {
        auto written = sink_.write(buffer_);
        buffer_.clear();
        return written;
    }

    std::string siteWord(const Site& site) const {
        if (site.line == 0) return {};
        const std::string word = fmt::format("{}:{}", trace_.files()[site.file].path, site.line);
        return word.starts_with("cpu=") ? inQuotes(word) : asWord(word);
    }

    void take(Tick t, const Access& a) {
        const bool marker = nextMarker_ < markers_.size() && markers_[nextMarker_].at <= t;
        if (read_ && a.modify && !marker && isSecondHalf(a)) {
            append('M', a);
            read_.reset();
            return;
        }
        appendRead();
        recording(!a.unrecorded);
        appendMarkers(t);
        if (a.isWrite()) {
            append('W', a);
        } else {
            read_ = a;
        }
    }

    bool isSecondHalf(const Access& write) const {
        return write.isWrite() && read_->address == write.address && read_->size == write.size &&
               read_->cpu == write.cpu && read_->site == write.site && read_->unrecorded == write.unrecorded;
    }

    void appendRead() {
        if (read_) append('R', *read_);
        read_.reset();
    }

    void recording(bool on) {
        if (on != recording_) buffer_ += on ? "on\n" : "off\n";
        recording_ = on;
    }

    void append(char letter, const Access& a) {
        char line[64];
        char* at = line;
        *at++ = letter;
        *at++ = ' ';
        *at++ = '0';
        *at++ = 'x';
        at = std::to_chars(at, std::end(line), a.address.value, 16).ptr;
        *at++ = ' ';
        at = std::to_chars(at, std::end(line), a.size).ptr;
        buffer_.append(line, at);
        if (a.cpu != 0) fmt::format_to(std::back_inserter(buffer_), " cpu={}", a.cpu);
        if (!siteWords_[a.site.value].empty()) {
            buffer_ += ' ';
            buffer_ += siteWords_[a.site.value];
        }
        buffer_ += '\n';
    }

    void appendMarkers(Tick t) {
        for (; nextMarker_ < markers_.size() && markers_[nextMarker_].at <= t; ++nextMarker_) {
            append(markers_[nextMarker_]);
        }
    }

    void append(const TimedMarker& marker) {
        auto out = std::back_inserter(buffer_);
        if (marker.kind == TimedMarker::Kind::mark) {
            buffer_ += asTextLine(trace_.marks()[marker.index]);
            return;
        }
        const Object& o = trace_.objects()[marker.index];
        if (marker.kind != TimedMarker::Kind::death) {
            fmt::format_to(out, "new {} {} {:#x} {}\n", asWord(o.name), asWord(o.className), o.base.value, o.size);
        }
        if (marker.kind != TimedMarker::Kind::birth) fmt::format_to(out, "del {:#x}\n", o.base.value);
    }
};

}  // namespace

std::string asTextLine(const Region& region) {
    std::string line = fmt::format("region {} {:#x} {}", asWord(region.name), region.base.value, region.size);
    if (region.elementSize != 1) line += fmt::format(" {}", region.elementSize);
    if (region.rows != 0) line += fmt::format(" rows={}", region.rows);
    if (region.columns != 0) line += fmt::format(" cols={}", region.columns);
    return line + '\n';
}

std::string asTextLine(const Mark& mark) {
    return fmt::format("mark {}\n", asWord(mark.text));
}

Expected<void> writeTrace(const Trace& trace, const std::string& path, Progress& progress,
                          std::optional<TraceFormat> format, const WhorlPacking& packing) {
    try {
        auto sink = WHORL_TRY(createFile(path));
        const bool binary = format ? *format == TraceFormat::whorl : path.ends_with(".whorl");
        WHORL_TRY(binary ? writeWhorl(trace, *sink, progress, packing) : TextWriter(trace, *sink, progress).write());
        return sink->close();
    } catch (const std::bad_alloc&) {
        return fail(path, "there is not enough memory to write it");
    }
}

std::vector<TimedMarker> markersOf(const Trace& trace) {
    std::vector<TimedMarker> markers;
    for (std::size_t i = 0; i < trace.objects().size(); ++i) {
        const Object& o = trace.objects()[i];
        const bool brief = o.died == o.born;
        markers.push_back(
            {.at = o.born, .kind = brief ? TimedMarker::Kind::briefLife : TimedMarker::Kind::birth, .index = i});
        if (!brief && o.died.value <= trace.size()) {
            markers.push_back({.at = o.died, .kind = TimedMarker::Kind::death, .index = i});
        }
    }
    for (std::size_t i = 0; i < trace.marks().size(); ++i) {
        markers.push_back({.at = trace.marks()[i].at, .kind = TimedMarker::Kind::mark, .index = i});
    }
    std::sort(markers.begin(), markers.end(),
              [](const TimedMarker& a, const TimedMarker& b) { return a.order() < b.order(); });
    return markers;
}

}  // namespace whorl::sim
