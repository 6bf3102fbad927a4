// C = A B where B is stored transposed: dot products of A's rows with Bt's rows.
#pragma once

namespace whorl::sim::kernels {

// listing
void multiplyTransposed(auto& A, auto& Bt, auto& C, int n) {
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k) {
                sum += A(i, k) * Bt(j, k);
            }
            C(i, j) = sum;
        }
    }
}
// end

}  // namespace whorl::sim::kernels
