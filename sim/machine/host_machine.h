// The machine `host`: this computer's own caches, as the kernel lists them.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// The paths of the kernel's files; tests use their own.
struct KernelFiles {
    std::string cpus = "/sys/devices/system/cpu";
    std::string cpuinfo = "/proc/cpuinfo";
};

/// The machine that the kernel describes; of the most capable kind where a computer has several kinds of cores. Each of
/// its CPUs is a hardware thread. Like the presets, it has as few CPUs as make complete groups, and a trace with more
/// CPUs gets as many as it needs. Its note names the processor, the parts left out and the assumptions made. The result
/// is not validated: a kernel may list values that no machine can have.
Expected<MachineConfig> hostMachine(const KernelFiles& files = {});

/// The names of all machines, as lists show them: `host`, then the presets.
std::vector<std::string> machineNames();

}  // namespace whorl::sim
