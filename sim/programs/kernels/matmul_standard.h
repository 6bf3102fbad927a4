// C = A B: dot products of A's rows with B's columns. The lines between the marks are displayed beside the picture.
#pragma once

namespace whorl::sim::kernels {

// listing
void multiplyStandard(auto& A, auto& B, auto& C, int n) {
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k) {
                sum += A(i, k) * B(k, j);
            }
            C(i, j) = sum;
        }
    }
}
// end

}  // namespace whorl::sim::kernels
