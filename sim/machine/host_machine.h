// The machine `host`: this computer's own caches.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/machine/kernel_caches.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// The machine that the kernel describes; of the most capable kind where a computer has several kinds of cores. A CPU
/// of it is a hardware thread. As the presets, it has as few CPUs as make complete groups, and a trace of more gets as
/// many as it needs. Its note says which processor it is, what is left out and what had to be assumed. The result is
/// not validated: a kernel may list what no machine can have.
Expected<MachineConfig> hostMachine(const KernelFiles& files = {});

/// The names of all machines, as lists show them: `host`, then the presets.
std::vector<std::string> machineNames();

}  // namespace whorl::sim
