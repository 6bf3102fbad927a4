// The contents of all caches of a machine as bytes, from which a machine of the same description goes on.
#pragma once

#include <string>
#include <string_view>

#include "sim/cache/hierarchy.h"

namespace whorl::sim {

class FieldReader;
class FieldWriter;

class StoredState {
  public:
    /// The state of a hierarchy without OPT, whose caches look ahead in a trace.
    static std::string of(const Hierarchy& hierarchy);
    /// Brings a new hierarchy into a state. The bytes are not trusted: false, with the hierarchy to be thrown away, if
    /// they are not those of a hierarchy of this machine.
    static bool restore(std::string_view bytes, Hierarchy& hierarchy);

  private:
    static void put(FieldWriter& out, const Cache& cache);
    static void put(FieldWriter& out, const PageTable& pages);
    static void put(FieldWriter& out, const StrideTable& strides);
    static bool take(FieldReader& in, Cache& cache);
    static bool take(FieldReader& in, PageTable& pages);
    static bool take(FieldReader& in, StrideTable& strides);
    static bool isSound(const Cache& cache, SetIndex set);
    /// Calls f for each part of a hierarchy, in order, until one returns false.
    template <class H, class F>
    static bool eachPart(H& hierarchy, F&& f);
};

}  // namespace whorl::sim
