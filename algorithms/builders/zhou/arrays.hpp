#pragma once
// The arrays that traces of the two builders hold.

#include "algorithms/record/partition_so_far.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope::zhou {

namespace spaces {
inline constexpr Space owner{"owner"};      ///< a node of a level's list, in the numbering of the level's segments
inline constexpr Space address{"address"};  ///< a node's place in the finished tree
}  // namespace spaces

namespace arrays {
using namespace kdscope::arrays;
// The large node stage: references by node, their chunks, and the kinds of their children
inline constexpr ArrayDef<float> aabb{
    {.name = "aabb", .index = Space::triangle, .values = Space::coordinate, .components = Components::box}};
inline constexpr ArrayDef<std::uint32_t> order{{.name = "order(%)", .values = Space::point, .by_dimension = true}};
inline constexpr ArrayDef<std::uint32_t> lefts{{.name = "lefts(%)", .values = Space::count, .by_dimension = true}};
/// Holds points or triangles, like kept, candidate_primitive and tree_references; declare() decides which.
inline constexpr ArrayDef<std::uint32_t> reference{
    {.name = "reference", .values = Space::point, .owner = "reference.node"}};
inline constexpr ArrayDef<std::uint32_t> reference_node{
    {.name = "reference.node", .values = Space::node, .order = "reference", .owner = "reference.node"}};
inline constexpr ArrayDef<float> reference_box{{.name = "reference.box",
                                                .values = Space::coordinate,
                                                .components = Components::box,
                                                .order = "reference",
                                                .owner = "reference.node"}};
inline constexpr ArrayDef<std::uint8_t> in_left{{.name = "in_left"}};
inline constexpr ArrayDef<std::uint8_t> in_right{{.name = "in_right"}};
inline constexpr ArrayDef<std::uint32_t> rank_left{{.name = "rank_left", .values = Space::count}};
inline constexpr ArrayDef<std::uint32_t> rank_right{{.name = "rank_right", .values = Space::count}};
inline constexpr ArrayDef<std::uint32_t> active{{.name = "active", .index = spaces::owner, .values = Space::node}};
inline constexpr ArrayDef<std::uint32_t> chunk_node{
    {.name = "chunk.node", .index = Space::chunk, .values = Space::node}};
inline constexpr ArrayDef<std::uint32_t> chunk_first{
    {.name = "chunk.first", .index = Space::chunk, .values = Space::position}};
inline constexpr ArrayDef<std::uint32_t> chunk_size{
    {.name = "chunk.size", .index = Space::chunk, .values = Space::count}};
inline constexpr ArrayDef<std::uint32_t> owner{{.name = "owner", .index = Space::chunk, .values = spaces::owner}};
inline constexpr ArrayDef<float> chunk_box{
    {.name = "chunk.box", .index = Space::chunk, .values = Space::coordinate, .components = Components::box}};
inline constexpr ArrayDef<float> data_box{
    {.name = "data.box", .index = Space::chunk, .values = Space::coordinate, .components = Components::box}};
inline constexpr ArrayDef<std::uint32_t> chunk_counts{
    {.name = "chunk.counts", .index = Space::chunk, .values = Space::count, .components = Components::children}};
inline constexpr ArrayDef<std::uint32_t> data_count{
    {.name = "data.count", .index = Space::chunk, .values = Space::count, .components = Components::children}};
inline constexpr ArrayDef<float> result_box{
    {.name = "result.box", .index = spaces::owner, .values = Space::coordinate, .components = Components::box}};
inline constexpr ArrayDef<std::uint32_t> cuts{{.name = "cuts", .index = spaces::owner, .values = Space::count}};
inline constexpr ArrayDef<double> cut{
    {.name = "cut", .index = spaces::owner, .values = Space::split_value, .components = Components::box}};
inline constexpr ArrayDef<std::uint32_t> median_dim{
    {.name = "median.dim", .index = spaces::owner, .values = Space::dimension}};
inline constexpr ArrayDef<double> median{{.name = "median", .index = spaces::owner, .values = Space::split_value}};
inline constexpr ArrayDef<float> node_box{
    {.name = "node_box", .index = spaces::owner, .values = Space::coordinate, .components = Components::box}};
inline constexpr ArrayDef<std::uint32_t> halved{{.name = "halved", .index = spaces::owner, .values = Space::node}};
inline constexpr ArrayDef<std::uint32_t> child{
    {.name = "child", .index = spaces::owner, .values = Space::node, .components = Components::children}};
inline constexpr ArrayDef<std::uint32_t> result_count{
    {.name = "result.count", .index = spaces::owner, .values = Space::count, .components = Components::children}};
inline constexpr ArrayDef<std::uint8_t> kind{
    {.name = "kind", .index = spaces::owner, .components = Components::children}};
inline constexpr ArrayDef<std::uint32_t> result_left{{.name = "result[owner].left",
                                                      .index = Space::chunk,
                                                      .values = Space::count,
                                                      .gather = {"result.count", "owner", 0}}};
inline constexpr ArrayDef<std::uint32_t> result_right{{.name = "result[owner].right",
                                                       .index = Space::chunk,
                                                       .values = Space::count,
                                                       .gather = {"result.count", "owner", 1}}};
// The small node stage: small roots, their candidates, and the costs of the candidates
inline constexpr ArrayDef<std::uint32_t> kept{{.name = "kept", .values = Space::point, .owner = "kept.node"}};
inline constexpr ArrayDef<std::uint32_t> kept_node{
    {.name = "kept.node", .values = Space::node, .order = "kept", .owner = "kept.node"}};
inline constexpr ArrayDef<float> kept_box{{.name = "kept.box",
                                           .index = Space::none,
                                           .values = Space::coordinate,
                                           .components = Components::box,
                                           .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> small_root{
    {.name = "small_root", .index = Space::none, .values = Space::node, .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> candidate_root{
    {.name = "candidate.root", .index = Space::candidate, .values = Space::node}};
inline constexpr ArrayDef<std::uint32_t> candidate_primitive{
    {.name = "candidate.primitive", .index = Space::candidate, .values = Space::point}};
inline constexpr ArrayDef<std::uint32_t> candidate_dim{
    {.name = "candidate.dim", .index = Space::candidate, .values = Space::dimension}};
inline constexpr ArrayDef<double> candidate_value{
    {.name = "candidate.value", .index = Space::candidate, .values = Space::split_value}};
inline constexpr ArrayDef<std::uint64_t> candidate_left{
    {.name = "candidate.left", .index = Space::candidate, .values = Space::bit_mask, .side = Side::left}};
inline constexpr ArrayDef<std::uint64_t> candidate_right{
    {.name = "candidate.right", .index = Space::candidate, .values = Space::bit_mask, .side = Side::right}};
inline constexpr ArrayDef<std::uint32_t> cost_node{
    {.name = "cost.node", .index = Space::evaluation, .values = Space::node}};
inline constexpr ArrayDef<std::uint32_t> cost_candidate{
    {.name = "cost.candidate", .index = Space::evaluation, .values = Space::candidate}};
inline constexpr ArrayDef<double> cost{{.name = "cost", .index = Space::evaluation, .values = Space::cost}};
// The list of nodes
inline constexpr ArrayDef<std::uint32_t> left_child{
    {.name = "left_child", .index = Space::node, .values = Space::node}};
inline constexpr ArrayDef<std::uint32_t> split_dim{
    {.name = "split_dim", .index = Space::node, .values = Space::dimension}};
inline constexpr ArrayDef<double> split_value{
    {.name = "split_value", .index = Space::node, .values = Space::split_value}};
inline constexpr ArrayDef<std::uint32_t> count{{.name = "count", .index = Space::node, .values = Space::count}};
inline constexpr ArrayDef<std::uint8_t> depth{{.name = "depth", .index = Space::node, .values = Space::level}};
inline constexpr ArrayDef<std::uint64_t> set{{.name = "set", .index = Space::node, .values = Space::bit_mask}};
inline constexpr ArrayDef<double> leaf_cost{{.name = "leaf_cost", .index = Space::node, .values = Space::cost}};
inline constexpr ArrayDef<std::uint32_t> choice{{.name = "choice", .index = Space::node, .values = Space::candidate}};
inline constexpr ArrayDef<std::uint32_t> size{{.name = "size", .index = Space::node, .values = Space::count}};
inline constexpr ArrayDef<std::uint32_t> size_references{
    {.name = "size.references", .index = Space::node, .values = Space::count}};
inline constexpr ArrayDef<std::uint32_t> address{{.name = "address", .index = Space::node, .values = spaces::address}};
inline constexpr ArrayDef<std::uint32_t> address_references{
    {.name = "address.references", .index = Space::node, .values = Space::count}};
// The finished tree, in which nodes have other numbers
inline constexpr ArrayDef<std::uint32_t> tree_node{
    {.name = "tree.node", .index = spaces::address, .values = Space::node}};
inline constexpr ArrayDef<std::uint32_t> tree_parent{
    {.name = "tree.parent", .index = spaces::address, .values = spaces::address}};
inline constexpr ArrayDef<std::uint32_t> tree_right_child{
    {.name = "tree.right_child", .index = spaces::address, .values = spaces::address}};
inline constexpr ArrayDef<std::uint32_t> tree_split_dim{
    {.name = "tree.split_dim", .index = spaces::address, .values = Space::dimension}};
inline constexpr ArrayDef<double> tree_split_value{
    {.name = "tree.split_value", .index = spaces::address, .values = Space::split_value}};
inline constexpr ArrayDef<std::uint32_t> tree_first{{.name = "tree.first", .index = spaces::address}};
inline constexpr ArrayDef<std::uint32_t> tree_count{
    {.name = "tree.count", .index = spaces::address, .values = Space::count}};
inline constexpr ArrayDef<Coordinate> tree_box{{.name = "tree.box",
                                                .index = spaces::address,
                                                .values = Space::coordinate,
                                                .components = Components::box,
                                                .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> tree_references{{.name = "tree.references", .values = Space::point}};
inline constexpr ArrayDef<std::uint32_t> tree_bounded{
    {.name = "tree.bounded", .index = Space::none, .values = Space::count, .shown_as_row = false}};
}  // namespace arrays

/// Declares the arrays of a build over points or triangles.
void declare(ArrayList& list, Primitive primitive);

}  // namespace kdscope::zhou
