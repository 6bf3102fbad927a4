#include "sim/capture/source_names.h"

#include <gtest/gtest.h>

namespace whorl::sim {
namespace {

struct NamedLine {
    const char* text;
    const char* name;
    const char* type;
    const char* before = "";
};

class AllocationNames : public testing::TestWithParam<NamedLine> {};

TEST_P(AllocationNames, AreInTheLine) {
    const AllocationName found = SourceStatement(GetParam().text, GetParam().before, 0).allocation();
    EXPECT_EQ(found.path.name(), GetParam().name) << GetParam().text;
    EXPECT_EQ(found.type, GetParam().type) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    OfCpp, AllocationNames,
    testing::Values(NamedLine{"double* A = new double[n * n];", "A", "double"},
                    NamedLine{"    auto* particles = new Particle[count]();", "particles", "Particle"},
                    NamedLine{"auto node = new (std::nothrow) graph::Node(3);", "node", "graph::Node"},
                    NamedLine{"this->data_ = new T[capacity];", "data_", "T"},
                    NamedLine{"m->cells[i] = new Cell;", "cells", "Cell"},
                    NamedLine{"std::unique_ptr<int[]> buckets(new int[64]);", "buckets", "int"},
                    NamedLine{"auto table = std::make_unique<float[]>(n);", "table", "float"},
                    NamedLine{"std::shared_ptr<Tree> root = std::make_shared<Tree>(1, 2);", "root", "Tree"},
                    NamedLine{"std::vector<Node> nodes(n);", "nodes", "Node"},
                    NamedLine{"const std::vector<std::pair<int, double>> edges{{1, 2}};", "edges",
                              "std::pair<int, double>"},
                    NamedLine{"vector<int> v;", "v", "int"}, NamedLine{"nodes.push_back(Node{1});", "nodes", ""},
                    NamedLine{"graph->edges.resize(n);", "edges", ""}, NamedLine{"index[key] = 3;", "index", ""},
                    NamedLine{"Matrix(int n) : values(new double[n]) {}", "values", "double"},
                    NamedLine{"new double[n * n];", "A", "double", "int k = 0;\ndouble* A =\n"},
                    NamedLine{"// a comment", "", ""}, NamedLine{"return build(n);", "", ""}));

INSTANTIATE_TEST_SUITE_P(
    OfC, AllocationNames,
    testing::Values(NamedLine{"int *a = malloc(n * sizeof(int));", "a", "int"},
                    NamedLine{"struct node *head = (struct node *)malloc(sizeof(struct node));", "head", "node"},
                    NamedLine{"p = calloc(n, sizeof *p);", "p", ""},
                    NamedLine{"s->buf = realloc(s->buf, s->cap);", "buf", ""},
                    NamedLine{"double *x = aligned_alloc(64, n * sizeof(double));", "x", "double"},
                    NamedLine{"if (posix_memalign((void **)&tile, 64, bytes) != 0) return 1;", "tile", ""},
                    NamedLine{"char *copy = strdup(name);", "copy", "char"}));

INSTANTIATE_TEST_SUITE_P(OfRust, AllocationNames,
                         testing::Values(NamedLine{"let mut v: Vec<f64> = Vec::with_capacity(n);", "v", "f64"},
                                         NamedLine{"let grid = vec![0u8; n];", "grid", ""}));

struct Several {
    std::string text;
    std::string at;  ///< the allocation is where this begins
    std::string name;
    std::string type;
};

class SeveralInALine : public testing::TestWithParam<Several> {};

TEST_P(SeveralInALine, AreToldByTheColumn) {
    const auto& [text, at, name, type] = GetParam();
    const AllocationName found = SourceStatement(text, {}, text.find(at) + 1).allocation();
    EXPECT_EQ(found.path.name(), name) << text;
    EXPECT_EQ(found.type, type) << text;
}

const std::string kThree = "int f() { double *A = malloc(n * 8), *B = malloc(m * 8); int* C = malloc(4); }";
const std::string kVectors = "std::vector<std::pair<int, long>> a(n, one), b(n), c(x, y);";
INSTANTIATE_TEST_SUITE_P(Of, SeveralInALine,
                         testing::Values(Several{kThree, "malloc(n", "A", "double"},
                                         Several{kThree, "malloc(m", "B", "double"},
                                         Several{kThree, "malloc(4", "C", "int"},
                                         Several{kVectors, "a(n", "a", "std::pair<int, long>"},
                                         Several{kVectors, "b(n", "b", "std::pair<int, long>"},
                                         Several{kVectors, "c(x", "c", "std::pair<int, long>"},
                                         Several{"sum(A = new int[n], B = new int[m]);", "new int[m]", "A", "int"}));

SourceStatement statement(std::string_view line, std::string_view before = {}, std::size_t column = 0) {
    return {line, before, column};
}

TEST(SourceStatement, KnowsTheArgumentsOfACall) {
    const std::string text = "fill(n, &grid.cells, *out, a[i], sum(b, c));";
    EXPECT_EQ(statement(text).argument("fill", 1).names, (std::vector<std::string>{"grid", "cells"}));
    EXPECT_TRUE(statement(text).argument("fill", 2).isDereferenced);
    EXPECT_EQ(statement(text).argument("fill", 3).name(), "a");
    EXPECT_EQ(statement(text).argument("fill", 3).indices, 1u);
    EXPECT_EQ(statement(text).argument("sum", 1).name(), "c");
    EXPECT_TRUE(statement(text).argument("fill", 9).names.empty());
    EXPECT_TRUE(statement(text).argument("other", 0).names.empty());
    EXPECT_EQ(statement("make<std::pair<int, int>>(a, b);").argument("make", 1).name(), "b");
    EXPECT_EQ(statement("     b);", "x = 3;\nfill(a,\n").argument("fill", 1).name(), "b") << "it begins above";
}

TEST(SourceStatement, KnowsTheObjectOfACall) {
    EXPECT_EQ(statement("a.clear(); g->edges.grow(2 * n);").objectOf("grow").names,
              (std::vector<std::string>{"g", "edges"}));
    EXPECT_EQ(statement("rows[i].grow(n);").objectOf("grow").name(), "rows");
    EXPECT_TRUE(statement("this->grow(n);").objectOf("grow").isOfThis);
    EXPECT_TRUE(statement("grow(n);").objectOf("grow").names.empty());
}

TEST(SourceStatement, KnowsTheMemberThatIsInitialized) {
    const std::string text = "Grid(int n) : rows(n), cells(n * n) {}";
    const std::vector<std::string> members = {"cells", "rows"};
    EXPECT_EQ(statement(text, {}, text.find("(n)") + 1).initialized(members).name(), "rows");
    EXPECT_EQ(statement(text, {}, text.find("(n *") + 1).initialized(members).name(), "cells");
    EXPECT_TRUE(statement(text).initialized({"Grid2"}).names.empty());
}

TEST(SourceStatement, FindsWhatItDeclares) {
    const std::string text = "for (int i = 0; i < n; ++i) { double* row = new double[n]; use(row); }";
    EXPECT_EQ(statement(text, {}, text.find("new") + 1).columnOf("row"), text.find("row") + 1);
    EXPECT_EQ(statement(text, {}, text.find("new") + 1).columnOf("column"), 0u);
}

TEST(Returns, TheVariableItself) {
    for (const char* text :
         {"return a;", "return (a);", "return (struct node *)a;", "return std::move(a);",
          "return static_cast<int*>(a);", "return n == 0 ? NULL : a;", "if (n) return 0;\nreturn a;"})
        EXPECT_TRUE(returns(text, "a")) << text;
    for (const char* text : {"return total(a);", "return *a;", "return s.a;", "return s->a;", "return n + a;",
                             "return a[0];", "return a->next;", "return b == a;", "return b > a;", "return !a;",
                             "return ab;", "// return a;\nreturn b;", "a = 3;", "return std::accumulate(b, a);"})
        EXPECT_FALSE(returns(text, "a")) << text;
}

TEST(AccessedNames, AreThoseWithAnIndexOrAStar) {
    using Names = std::vector<std::pair<std::string, std::uint32_t>>;
    EXPECT_EQ(accessedNames("a[i] += *b + c;"), (Names{{"a", 1}, {"b", 10}}));
    EXPECT_EQ(accessedNames("c = d; // e[1]"), Names{});
}

TEST(AllocatedType, IsThatOfTheAllocator) {
    EXPECT_EQ(allocatedType("std::__new_allocator<Node>::allocate"), "Node");
    EXPECT_EQ(allocatedType("std::allocator_traits<std::allocator<std::pair<int, long>>>::allocate"),
              "std::pair<int, long>");
    EXPECT_EQ(allocatedType("std::vector<Node>::push_back"), "");
}

TEST(ReadableFunction, HasNoParametersNorReturnType) {
    EXPECT_EQ(readableFunction("main"), "main");
    EXPECT_EQ(readableFunction("_ZN5graph4Node4pushEi"), "graph::Node::push");
    EXPECT_EQ(readableFunction("_Z3maxIiET_S0_S0_"), "max<int>");
    EXPECT_EQ(readableFunction("_ZN12_GLOBAL__N_16matmulEi"), "(anonymous namespace)::matmul");
    EXPECT_EQ(readableFunction("_ZNK3FooclEi"), "Foo::operator()");
    EXPECT_EQ(readableFunction("_ZN4core3ptr4read17h0123456789abcdefE"), "core::ptr::read");
}

}  // namespace
}  // namespace whorl::sim
