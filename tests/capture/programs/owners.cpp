// Variables that hold memory in as many ways as programs have.
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

using Matrix = std::vector<std::vector<double>>;
typedef std::vector<float> Row;

struct Image {
    int width;
    unsigned char* pixels;
    explicit Image(int n) : width(n), pixels(new unsigned char[static_cast<std::size_t>(n * n)]) {}
};
struct Grid {
    Row cells;
    explicit Grid(std::size_t n) : cells(n) {}
    void grow(std::size_t n) { cells.resize(n); }
};
struct Node {
    long key;
    Node* left;
    Node* right;
};
struct Order {
    int id;
    double price;
    char note[40];
};

double** rowsOf(int n) {
    double** m = static_cast<double**>(malloc(static_cast<std::size_t>(n) * sizeof *m));
    for (int i = 0; i < n; ++i) {
        m[i] = static_cast<double*>(malloc(static_cast<std::size_t>(n) * sizeof **m));
    }
    return m;
}
template <class T>
T* zeros(std::size_t n) {
    return static_cast<T*>(calloc(n, sizeof(T)));
}
void intoArgument(int** out, std::size_t n) {
    *out = zeros<int>(n);
}
void fill(std::vector<short>& v) {
    for (int i = 0; i < 2000; ++i) v.push_back(static_cast<short>(i));
}
Matrix product(const Matrix& left, std::size_t n) {
    Matrix c(n, std::vector<double>(n, left[0][0]));
    return c;
}
Node* insert(Node* root, long key) {
    if (root == nullptr) return new Node{key, nullptr, nullptr};
    if (key < root->key) {
        root->left = insert(root->left, key);
    } else {
        root->right = insert(root->right, key);
    }
    return root;
}

long used(const volatile void* memory, std::size_t bytes) {
    long sum = 0;
    for (std::size_t i = 0; i < bytes; i += 8) sum += static_cast<const volatile char*>(memory)[i];
    return sum;
}

int main() {
    long sum = 0;
    const std::size_t n = 64;
    double** a = rowsOf(64);
    double** b = rowsOf(64);
    for (std::size_t i = 0; i < n; ++i) sum += used(a[i], n * 8) + used(b[i], n * 8);
    Matrix p(n, std::vector<double>(n)), q(n, std::vector<double>(n, 2.0));
    Matrix c = product(p, n);
    for (std::size_t i = 0; i < n; ++i)
        sum += used(p[i].data(), n * 8) + used(q[i].data(), n * 8) + used(c[i].data(), n * 8);
    float* flat = zeros<float>(1000);
    int* out = nullptr;
    intoArgument(&out, 1000);
    std::vector<short> filled;
    fill(filled);
    sum += used(flat, 4000) + used(out, 4000) + used(filled.data(), 4000);
    Image image(50);
    auto* poster = new Image(60);
    Grid grid(900), wide(1);
    wide.grow(1100);
    sum += used(image.pixels, 2500) + used(poster->pixels, 3600) + used(grid.cells.data(), 3600) +
           used(wide.cells.data(), 4400);
    std::map<int, int> index;
    std::unordered_map<int, int> table;
    std::list<int> queue;
    for (int i = 0; i < 300; ++i) {
        index[i * 7 % 300] = i;
        table[i] = i;
        queue.push_back(i);
    }
    for (const auto& entry : index) sum += entry.second;
    for (const auto& entry : table) sum += entry.second;
    for (const int i : queue) sum += i;
    Node* tree = nullptr;
    for (long i = 0; i < 200; ++i) tree = insert(tree, i * 67 % 200);
    std::vector<Order> orders;
    std::vector<double> prices;
    for (int i = 0; i < 3000; ++i) {
        orders.push_back({i, i * .5, ""});
        prices.push_back(i);
    }
    for (const Order& o : orders) sum += static_cast<long>(o.price);
    for (const double price : prices) sum += static_cast<long>(price);
    auto shared = std::make_shared<std::vector<int>>(1500);
    std::unique_ptr<int[]> owned(new int[700]);
    std::string text(3000, 'x');
    std::vector<Node*> pointers;
    for (int i = 0; i < 100; ++i) pointers.push_back(new Node{i, nullptr, nullptr});
    for (const Node* node : pointers) sum += node->key;
    sum += used(shared->data(), 6000) + used(owned.get(), 2800) + used(text.data(), 3000) + tree->key;
    printf("%ld\n", sum);
    return 0;
}
