// Run-time detection of processor features beyond the compile-time baseline.
#pragma once

namespace whorl::sim {

/// Whether the code compiled for AVX2 (with BMI1 and BMI2) was built and the processor supports it.
bool hasAvx2();

}  // namespace whorl::sim
