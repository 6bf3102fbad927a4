// Variables with the names of the blocks that they point to or manage.
#include <cstdlib>
#include <vector>

double* field;

int main() {
    unsigned char* d = static_cast<unsigned char*>(malloc(5000));
    field = new double[300];
    std::vector<int> orders(200);
    for (int i = 0; i < 5000; ++i) d[i] = static_cast<unsigned char>(i * 7);
    for (int i = 0; i < 300; ++i) field[i] = d[i];
    for (int i = 0; i < 200; ++i) orders[i] = static_cast<int>(field[i]);
    const bool isWrong = orders[7] != 49;
    free(d);
    delete[] field;
    return isWrong ? 1 : 0;
}
