// What the processor that the program runs on can do beyond what it was compiled for.
#pragma once

namespace whorl::sim {

/// Whether the files that are compiled with AVX2 (and BMI1 and BMI2, which came with it) are there, and may be used.
bool hasAvx2();

}  // namespace whorl::sim
