// What a program on several CPUs costs on its own machine, access by access.
#pragma once

#include <map>
#include <string>

#include "sim/machine/machine_config.h"
#include "sim/replay/clock.h"
#include "sim/replay/simulator.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

struct Costs {
    Cycles elapsed = 0;                      ///< from the start until all CPUs are done
    std::map<std::string, Cycles> objects;   ///< access cycles for objects, by name
    std::map<std::string, Cycles> classes;   ///< …, by class
    std::map<std::string, Cycles> lines;     ///< …, by the text of the source line
    std::map<std::string, int> instances;    ///< objects of a class
    std::uint64_t fills = 0;                 ///< of all caches
    std::uint64_t replaced = 0;              ///< blocks evicted for others
    std::vector<std::uint64_t> invalidated;  ///< by level: blocks invalidated by other CPUs

    double each(const std::string& className) const {
        return static_cast<double>(classes.at(className)) / instances.at(className);
    }
};

inline MachineConfig machineOf(const Trace& trace) {
    return parseMachineJson(trace.machine(), "machine").value();
}

inline Costs costsOf(const Trace& trace) {
    const MachineConfig machine = machineOf(trace);
    Costs costs;
    costs.invalidated.resize(machine.levels.size());
    for (const Object& object : trace.objects()) ++costs.instances[object.className];
    Simulator simulator(machine);
    Clock clock(trace, machine.cpus);
    EventList events;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick tick, const Access& a) {
        const Cycles before = simulator.clock(a.cpu);
        events.clear();
        simulator.step(a, events);
        const Cycles cost = simulator.clock(a.cpu) - before;
        clock.take(tick, a.cpu, cost);
        if (a.unrecorded) return;
        for (const Event& e : events) {
            costs.fills += e.kind == EventKind::fill ? 1 : 0;
            costs.replaced += e.kind == EventKind::eviction ? 1 : 0;
            if (e.kind == EventKind::invalidation && e.cause == Cause::coherence) ++costs.invalidated[e.level];
        }
        const Site& site = trace.site(a.site);
        if (site.line != 0) costs.lines[std::string(trace.files()[site.file].lines[site.line - 1])] += cost;
        if (const Object* object = trace.objectAt(a.address, tick)) {
            costs.objects[object->name] += cost;
            costs.classes[object->className] += cost;
        }
    });
    costs.elapsed = clock.elapsed();
    return costs;
}

}  // namespace whorl::sim
