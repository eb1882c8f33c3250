// Tests trace files: a saved trace loads unchanged, damage is detected, and a failing save does no harm.

#include "algorithms/trace/trace_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/earlier_formats.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/share.hpp"
#include "tests/trace/hand_made_traces.hpp"

#ifdef KDSCOPE_HAS_HDF5
#include "tests/trace/trace_files.hpp"
#endif

namespace kdscope::trace_file_test {
using namespace kdscope::tests;
namespace fs = std::filesystem;

#ifndef KDSCOPE_HAS_HDF5
TEST_CASE("without HDF5, trace files say so") {
  REQUIRE_FALSE(trace_files_available());
  REQUIRE(save_trace(Trace(), "x.kdtrace").error().message().find("HDF5") != std::string::npos);
  REQUIRE(load_trace("x.kdtrace").error().kind == ErrorKind::io_failure);
}
#else

TEST_CASE("a trace saved and loaded is equal") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  std::vector<std::shared_ptr<const Trace> > traces{ten_point_beginning()};
  for (const std::uint32_t seed : {1u, 2u, 3u}) traces.push_back(random_trace(seed, 40, 300));
  traces.push_back(random_trace(4, 3, 200'000));  // large enough to be compressed, in several chunks
  TraceBuilder nothing(some_header(0, 3));
  traces.push_back(nothing.finish());
  for (const auto& trace : traces) {
    REQUIRE(save_trace(*trace, path));
    const auto loaded = load_trace(path).value();
    REQUIRE(equal(*loaded, *trace));
    Cursor a(trace), b(loaded);
    for (std::uint32_t s = 0; s < a.step_count(); ++s) {
      a.seek(s);
      b.seek(s);
      REQUIRE(a.state_hash() == b.state_hash());
    }
  }
  REQUIRE(folder.names().size() == 1);
}

TEST_CASE("values of a large file are read when they are looked at, and are the same") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  for (const auto& trace : {random_trace(4, 3, 200'000), random_trace(5, 40, 30'000)}) {
    REQUIRE(save_trace(*trace, path));
    const auto loaded = load_trace(path, 0).value();
    const auto versions_here = [&] {
      std::size_t here = 0, all = 0;
      for (const Trace::Array& array : loaded->arrays)
        for (const ArrayVersion& version : array.versions) here += version.values.present(), ++all;
      return std::pair(here, all);
    };
    const auto [here, all] = versions_here();
    CHECK(here < all);
    CHECK(loaded->stored_bytes() == trace->stored_bytes());

    // Forwards, backwards and in jumps; what nobody looks at is not read
    Cursor a(trace), b(loaded);
    std::mt19937 random(7);
    const std::uint32_t steps = a.step_count();
    std::vector<std::uint32_t> order;
    for (std::uint32_t s = 0; s < steps; ++s) order.push_back(s);
    for (std::uint32_t s = steps; s > 0; --s) order.push_back(s - 1);
    for (int jump = 0; jump < 40; ++jump) order.push_back(static_cast<std::uint32_t>(random() % steps));
    for (const std::uint32_t s : order) b.seek(s);
    CHECK(versions_here().first == here);
    for (const std::uint32_t s : order) {
      a.seek(s), b.seek(s);
      for (const Trace::Array& array : trace->arrays) {
        if (random() % 3 == 0) continue;
        const TypedArray *was = a.array(array.info.name), *is = b.array(array.info.name);
        REQUIRE((was == nullptr) == (is == nullptr));
        if (was) REQUIRE(*was == *is);
      }
    }
    REQUIRE(equal(*loaded, *trace));

    // Many threads look at once; a file of its name may take its place, and is written from it
    const auto again = load_trace(path, 0).value();
    a.seek(steps - 1);
    std::atomic<int> same = 0;
    {
      std::vector<std::jthread> threads;
      for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, state = a.state_hash()] {
          Cursor own(again);
          own.seek(steps - 1);
          if (own.state_hash() == state) ++same;
        });
    }
    CHECK(same == 4);
    const auto third = load_trace(path, 0).value();
    REQUIRE(save_trace(*third, path));
    REQUIRE(equal(**load_trace(path), *trace));
  }
}

TEST_CASE("a large file that changes while it is open is refused, and what was read stays") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  const auto trace = random_trace(4, 3, 200'000);
  REQUIRE(save_trace(*trace, path));
  const std::string whole = content_of(path);
  for (const bool shorter : {false, true}) {
    put(path, whole);
    const auto loaded = load_trace(path, 0).value();
    const ArrayVersion *read = nullptr, *unread = nullptr;
    for (const Trace::Array& array : loaded->arrays)
      for (const ArrayVersion& version : array.versions)
        if (!version.values.present()) (read ? unread : read) = &version;
    REQUIRE(unread);
    const auto bytes = read->values.bytes();
    const std::vector<std::byte> before(bytes.begin(), bytes.end());
    if (shorter) REQUIRE(::truncate(path.c_str(), 1000) == 0);
    if (!shorter) put(path, whole + "x");
    CHECK(std::ranges::equal(before, read->values.bytes()));
    for (int look = 0; look < 2; ++look) {
      try {
        unread->values.bytes();
        FAIL("values were read from a changed file");
      } catch (const ErrorException& e) {
        CHECK(e.error().where == path);
        CHECK(e.error().message().find("was changed while it was open") != std::string::npos);
      }
    }

    // Whoever reports lost contents sees none; the others throw
    Cursor cursor(loaded);
    const auto lost = std::ranges::find_if(loaded->arrays, [&](const Trace::Array& array) {
      return !array.versions.empty() && &array.versions.front() <= unread && unread <= &array.versions.back();
    });
    cursor.seek(unread->step);
    CHECK_THROWS_AS(cursor.array(lost->info.name), ErrorException);
    std::string reported;
    Cursor::report_lost_contents([&](const Error& error) { reported = error.message(); });
    CHECK(cursor.array(lost->info.name) == nullptr);
    CHECK(cursor.row_size(lost->info.name) == 0);
    CHECK(reported.find("was changed while it was open") != std::string::npos);
    Cursor::report_lost_contents(nullptr);
  }
}

TEST_CASE("the same trace gives the same bytes, and constant arrays shrink") {
  const Folder folder;
  TraceBuilder b(some_header(1'000'000, 1));
  b.declare({"tags", ""});
  b.begin_step(named_step({"build"}));
  b.write("tags", TypedArray(ElementType::uint32, 1'000'000));
  const auto trace = b.finish();
  REQUIRE(save_trace(*trace, folder.file("a")));
  REQUIRE(save_trace(*trace, folder.file("b")));
  REQUIRE(content_of(folder.file("a")) == content_of(folder.file("b")));
  REQUIRE(fs::file_size(folder.file("a")) < 100'000);
}

TEST_CASE("a file cut short at any length is refused", "[share]") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  REQUIRE(save_trace(*ten_point_beginning(), path));
  const std::string whole = content_of(path);
  REQUIRE(load_trace(path));
  for (std::size_t length = 0; length < whole.size(); length += length < 1100 ? test::every_nth(7) : 97) {
    put(path, whole.substr(0, length));
    REQUIRE(refused(path).kind == ErrorKind::bad_input);
  }
  put(path, whole.substr(0, whole.size() - 1));
  REQUIRE(refused(path).message().find("cut short") != std::string::npos);
  put(path, whole + "x");
  refused(path);
}

TEST_CASE("a file with any byte changed is refused") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  REQUIRE(save_trace(*ten_point_beginning(), path));
  const std::string whole = content_of(path);
  const int file = ::open(path.c_str(), O_RDWR);
  for (std::size_t at = 0; at < whole.size(); at += at < 3000 ? 1 : 37) {
    const char changed = static_cast<char>(whole[at] ^ (1 << (at % 8)));
    REQUIRE(::pwrite(file, &changed, 1, static_cast<off_t>(at)) == 1);
    REQUIRE_FALSE(load_trace(path).has_value());
    REQUIRE(::pwrite(file, &whole[at], 1, static_cast<off_t>(at)) == 1);
  }
  ::close(file);
  REQUIRE(load_trace(path));
}

TEST_CASE("what is no trace is refused with its name") {
  const Folder folder;
  REQUIRE(refused(folder.file("absent")).kind == ErrorKind::bad_input);
  REQUIRE(refused(folder.path.string()).kind == ErrorKind::bad_input);
  for (const std::string& bytes :
       {std::string(), std::string("x,y\n1,2\n"), std::string(5000, '\0'), std::string("\x89HDF\r\n\x1a\n")}) {
    put(folder.file("f"), bytes);
    REQUIRE(refused(folder.file("f")).message().find("not a kdscope trace") != std::string::npos);
  }
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  refused(folder.file("pipe"));
}

TEST_CASE("traces that contradict themselves are refused") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  const auto broken = [&](auto&& change, const std::string& says) {
    Trace trace = *ten_point_beginning();
    change(trace);
    REQUIRE(save_trace(trace, path));
    const Error error = refused(path);
    INFO(error.message());
    REQUIRE(error.kind == ErrorKind::bad_input);
    REQUIRE(error.message().find(says) != std::string::npos);
  };
  const auto array = [](Trace& t, std::string_view name) -> Trace::Array& {
    for (Trace::Array& a : t.arrays)
      if (a.info.name == name) return a;
    throw std::logic_error("no such array");
  };
  const auto delta = [&](Trace& t, std::uint64_t size, std::vector<IndexRange> ranges, std::size_t values) {
    ArrayVersion v;
    v.step = 2;
    v.keyframe = false;
    v.size = size;
    v.ranges = std::move(ranges);
    v.values = TypedArray(ElementType::uint32, values);
    array(t, "index").versions.push_back(v);
  };

  broken([](Trace& t) { t.header.dim = 0; }, "0 dimensions");
  broken([](Trace& t) { t.header.n = 11; }, "11 points");
  broken([](Trace& t) { t.header.scalar = ScalarType::float32; }, "float32");
  broken([&](Trace& t) { array(t, "tags").versions[1].step = 3; }, "step does not exist");
  broken([&](Trace& t) { array(t, "tags").versions[1].step = 0; }, "order of their steps");
  broken([&](Trace& t) { array(t, "tags").versions[0].keyframe = false; }, "whole array");
  broken([&](Trace& t) { array(t, "tags").versions[0].size = 11; }, "number of values");
  broken([&](Trace& t) { delta(t, 10, {{9, 11}}, 2); }, "outside of the array");
  broken([&](Trace& t) { delta(t, 10, {{5, 5}}, 0); }, "outside of the array");
  broken([&](Trace& t) { delta(t, 10, {{5, 7}, {6, 8}}, 4); }, "outside of the array");
  broken([&](Trace& t) { delta(t, 10, {{5, 7}}, 3); }, "number of values differ");
  broken([&](Trace& t) { delta(t, 1ull << 60, {{5, 7}}, 2); }, "without values");
  broken([&](Trace& t) { array(t, "data[i].x").info.gather->source = "absent"; }, "does not hold");
  broken([&](Trace& t) { array(t, "data[i].x").info.gather->source = "data[i].y"; }, "does not hold");
  broken([&](Trace& t) { array(t, "data[i].x").info.gather->through = "points"; }, "holds no indices");
  broken([&](Trace& t) { array(t, "data[i].x").info.gather->component = 2; }, "component");
  broken([&](Trace& t) { array(t, "tags").info.components = 0; }, "no components");
  broken([&](Trace& t) { array(t, "tags").info.components = 3; }, "multiple of the components");
  broken([&](Trace& t) { array(t, "tags").info.dimension = 2; }, "dimension 2");
  broken([](Trace& t) { t.steps[1].wrote = {"chunk"}; }, "array chunk");
  broken([](Trace& t) { t.steps[1].highlights[0].nodes = {0, 1}; }, "more ranges than nodes");
  broken([](Trace& t) { t.steps[1].highlights[0].ranges[0] = {5, 4}; }, "ends before it begins");
  const auto add = [](Trace& t, const char* name, ElementType type, std::vector<std::uint32_t> values) {
    ArrayVersion v;
    v.values = type == ElementType::uint32 ? TypedArray::of(values) : TypedArray(type, values.size());
    v.size = values.size();
    t.arrays.push_back({{name, "", type}, {v}});
  };
  broken([&](Trace& t) { add(t, partition_arrays::parent, ElementType::float32, {0}); }, "uint32");
  broken([&](Trace& t) { add(t, partition_arrays::node_of_point, ElementType::float32, {0}); }, "uint32");
}

namespace {

void set_number(hid_t file, const char* object, const char* name, std::uint64_t value) {
  const hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  REQUIRE(H5Awrite(attribute, H5T_NATIVE_UINT64, &value) >= 0);
  H5Aclose(attribute);
}

/// Replaces a data set by one of another type and length, without writing values.
void replace(hid_t file, const char* name, hid_t type, hsize_t count, bool chunked = false) {
  REQUIRE(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  const hid_t space = H5Screate_simple(1, &count, nullptr), options = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = 1024;
  if (chunked) H5Pset_chunk(options, 1, &chunk);
  const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, options, H5P_DEFAULT);
  REQUIRE(set >= 0);
  H5Dclose(set);
  H5Pclose(options);
  H5Sclose(space);
}

}  // namespace

TEST_CASE("well-sealed files with wrong content are refused") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  const auto broken = [&](auto&& change, const std::string& says) {
    REQUIRE(save_trace(*ten_point_beginning(), path));
    tampered(path, change);
    const Error error = refused(path);
    INFO(error.message());
    REQUIRE(error.message().find(says) != std::string::npos);
  };
  broken([](hid_t f) { set_number(f, "/", "format_version", 9); },
         "format 9, this kdscope reads formats 2 to 8; open it with");
  broken([](hid_t f) { set_number(f, "/", "dim", 513); }, "at most 512");
  broken([](hid_t f) { H5Adelete(f, "citation"); }, "attribute citation: is missing");
  broken([](hid_t f) { H5Ldelete(f, "steps", H5P_DEFAULT); }, "group steps: is missing");
  broken([](hid_t f) { H5Ldelete(f, "arrays/tags", H5P_DEFAULT); }, "array tags, group tags: is missing");
  broken([](hid_t f) { replace(f, "arrays/tags/values", H5T_STD_I32LE, 20); }, "another type");
  broken([](hid_t f) { replace(f, "arrays/tags/values", H5T_STD_U32LE, 21); }, "divide");
  broken([](hid_t f) { replace(f, "arrays/tags/values", H5T_STD_U32LE, 1ull << 40, true); },
         "longer than the bytes stored");
  broken([](hid_t f) { replace(f, "steps/level", H5T_STD_I32LE, 2); }, "2 elements instead of 3");
  broken([](hid_t f) { replace(f, "steps/path_begin", H5T_STD_U64LE, 4); }, "divide");
  broken([](hid_t f) { replace(f, "steps/level", H5T_IEEE_F32LE, 3); }, "another type");
}

TEST_CASE("violating elements of a check are saved and loaded, and files of earlier versions name none") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  Trace trace = *ten_point_beginning();
  CheckResult& check = trace.steps.back().checks.emplace_back();
  check.name = "observation 3.2";
  for (const std::uint64_t i : {7u, 3u, 4u})
    check.fail_at("tags", i, [&] { return "tags[" + std::to_string(i) + "]"; });
  REQUIRE(save_trace(trace, path));
  const auto loaded = load_trace(path).value();
  REQUIRE(loaded->steps.back().checks.back() == check);

  tampered(path, [](hid_t file) {
    for (const char* column : {"array", "violations", "first_range", "range_begin", "range_end"})
      REQUIRE(H5Ldelete(file, (std::string("steps/checks/") + column).c_str(), H5P_DEFAULT) >= 0);
  });
  const auto earlier = load_trace(path).value();
  const CheckResult& read = earlier->steps.back().checks.back();
  REQUIRE(read.detail == "tags[7]");
  REQUIRE((!read.passed && read.array.empty() && read.violations == 0 && read.elements.empty()));

  trace.steps.back().checks.back().elements = {{4, 5}, {3, 4}};
  REQUIRE(save_trace(trace, path));
  REQUIRE(refused(path).message().find("are not ascending") != std::string::npos);
}

TEST_CASE("a file of format 3, which has no build and no sources, is read") {
  const auto loaded = load_trace(KDSCOPE_SOURCE_DIR "/tests/trace/format-3.kdtrace").value();
  const Trace& trace = *loaded;
  REQUIRE(trace.header.algorithm == "wald");
  REQUIRE(trace.header.data_set == "wald-6");
  REQUIRE(trace.header.tree_hash == 0x80340e2983ebb094ull);
  REQUIRE(trace.steps.size() == 5);
  REQUIRE(trace.header.build == BuildProvenance{});
  REQUIRE(trace.header.sources.empty());
  REQUIRE(trace.header.data_warnings.empty());
  // The trace is the same after another save, which writes the current format.
  const Folder folder;
  REQUIRE(save_trace(trace, folder.file("again")));
  REQUIRE(equal(**load_trace(folder.file("again")), trace));
}

TEST_CASE("a file of format 4, which has texts of variable length, is read") {
  const auto loaded = load_trace(KDSCOPE_SOURCE_DIR "/tests/trace/format-4.kdtrace").value();
  const Trace& trace = *loaded;
  REQUIRE(trace.header.data_set == "uniform:n=6,dim=2,seed=1,type=float");
  REQUIRE(trace.header.tree_hash == 0x578f94a83565a99dull);
  REQUIRE(trace.header.build.build_type == "Release");
  REQUIRE(trace.header.sources.size() > 5);
  REQUIRE(trace.steps.size() == 5);
  // The trace is the same after another save, which writes texts of fixed length.
  const Folder folder;
  REQUIRE(save_trace(trace, folder.file("again")));
  REQUIRE(equal(**load_trace(folder.file("again")), trace));
  REQUIRE((*load_trace(folder.file("again")))->header == trace.header);
}

TEST_CASE("a file of format 6 is read with the relations that names of its arrays stood for") {
  const auto loaded = load_trace(KDSCOPE_SOURCE_DIR "/tests/trace/format-6.kdtrace").value();
  const Trace& trace = *loaded;
  REQUIRE(trace.header.tree_hash == 0xeb03a5cc7ade403eull);
  REQUIRE(trace.steps.size() == 27);
  REQUIRE(trace.find("H")->info.offsets == "H.columns");
  REQUIRE(trace.find("H_sum")->info.offsets == "H_sum.columns");
  REQUIRE(trace.find("h")->info.offsets.empty());
  REQUIRE(trace.find("h")->info.dimensions ==
          std::vector<ArrayDimension>{{"block"}, {"chunk_rel", "chunk", true}, {"digit"}});
  const Folder folder;
  REQUIRE(save_trace(trace, folder.file("again")));
  REQUIRE(equal(**load_trace(folder.file("again")), trace));
}

TEST_CASE("names of formats before 7 declare lists with their own nodes, and the masks of candidates") {
  trace_format::NamedRelations relations({"kept", "kept.node", "kept.box", "mask.left", "mask.right", "tags"});
  const auto declared = [&](const char* name, Space index, Space value, ElementType type = ElementType::uint32) {
    ArrayInfo info{name, name, type, index, value};
    relations.declare(info);
    return info;
  };
  const ArrayInfo kept = declared("kept", Space::position, Space::point),
                  box = declared("kept.box", Space::position, Space::coordinate),
                  elsewhere = declared("kept.first", Space::chunk, Space::position),
                  tags = declared("tags", Space::position, Space::node);
  REQUIRE(kept.owner == "kept.node");
  REQUIRE(kept.order.empty());
  REQUIRE(box.owner == "kept.node");
  REQUIRE(box.order == "kept");
  REQUIRE(elsewhere.owner.empty());
  REQUIRE(tags.owner.empty());
  REQUIRE(declared("mask.left", Space::candidate, Space::bit_mask, ElementType::uint64).side == Side::left);
  REQUIRE(declared("mask.right", Space::candidate, Space::bit_mask, ElementType::uint64).side == Side::right);
}

TEST_CASE("spaces, relations and dimensions of arrays are kept") {
  const Folder folder;
  TraceBuilder builder(header_of(2, 1));
  ArrayInfo row{"row", "row", ElementType::uint32, Space("ray"), Space("photon_map")};
  row.order = "list", row.owner = "nodes", row.offsets = "begin", row.side = Side::right;
  row.dimensions = {{"a"}, {"b_rel", "b", true}};
  builder.declare(row);
  builder.begin_step({});
  builder.write("row", TypedArray::of(std::vector<std::uint32_t>{1, 2}));
  const auto trace = builder.finish();
  REQUIRE(save_trace(*trace, folder.file("a.kdtrace")));
  const auto loaded = load_trace(folder.file("a.kdtrace")).value();
  REQUIRE(loaded->find("row")->info == row);
  REQUIRE(equal(*loaded, *trace));
}

TEST_CASE("a space is named by lower-case letters, digits and underscores") {
  REQUIRE(space_named("ray_2") == Space("ray_2"));
  REQUIRE(space_named("none") == Space::none);
  REQUIRE(space_named(std::string(Space::longest_name, 'a')));
  for (const std::string& name : {std::string(), std::string("Point"), std::string("a b"), std::string("a\0b", 3),
                                  std::string(Space::longest_name + 1, 'a')})
    REQUIRE_FALSE(space_named(name));
}

TEST_CASE("build, sources and warnings are kept, and part of what equal traces share") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  Trace trace = *ten_point_beginning();
  trace.header.build = {"0123abc", true, "GNU 12.2.0, NVIDIA 13.0.48", "-O3 \"quoted\"", "Release"};
  trace.header.sources = {
      {"wald/update_tags", "algorithms/builders/wald/update_tags.hpp", 17, "void f() {\n  // Größe\n}\n"},
      {"empty", "e.hpp", 1, ""}};
  trace.header.data_warnings = {"points.csv:2:1: one.", "points.csv:3:1: two."};
  REQUIRE(save_trace(trace, path));
  const auto loaded = load_trace(path).value();
  REQUIRE(loaded->header == trace.header);
  REQUIRE(equal(*loaded, trace));
  trace.header.sources[0].text[0] = 'V';
  REQUIRE_FALSE(equal(*loaded, trace));
  tampered(path, [](hid_t f) { H5Ldelete(f, "sources/file", H5P_DEFAULT); });
  REQUIRE(refused(path).message().find("data set file: is missing") != std::string::npos);
}

TEST_CASE("split dimensions of format 2, which had 8 bits, are read as they are now") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  Trace old = *ten_point_beginning();
  old.arrays.push_back({{partition_arrays::split_dim, "", ElementType::uint8},
                        {{0, true, 3, {}, TypedArray::of(std::vector<std::uint8_t>{1, 0, 255})}}});
  REQUIRE(save_trace(old, path));
  REQUIRE(refused(path).message().find("uint32") != std::string::npos);
  tampered(path, [](hid_t f) { set_number(f, "/", "format_version", 2); });
  const auto loaded = load_trace(path).value();
  const TypedArray& read = loaded->find(partition_arrays::split_dim)->versions.at(0).values;
  REQUIRE(read == TypedArray::of(std::vector<std::uint32_t>{1, 0, no_id}));
}

TEST_CASE("names of enumerations are checked") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  REQUIRE(save_trace(*ten_point_beginning(), path));
  tampered(path, [](hid_t file) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, std::strlen("Nowhere!?"));
    H5Adelete_by_name(file, "arrays/tags", "index_space", H5P_DEFAULT);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        H5Acreate_by_name(file, "arrays/tags", "index_space", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    REQUIRE(H5Awrite(attribute, type, "Nowhere!?") >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  });
  REQUIRE(refused(path).message().find("\"Nowhere!?\", which is unknown") != std::string::npos);
}

TEST_CASE("a save that fails keeps the older file and leaves nothing behind") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  REQUIRE(save_trace(*ten_point_beginning(), path));
  const std::string before = content_of(path);

  // Simulate a full disk: files may not grow beyond 20 KB.
  const auto large = random_trace(9, 10, 50'000);
  struct rlimit usual {};
  ::getrlimit(RLIMIT_FSIZE, &usual);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t bytes : {rlim_t{0}, rlim_t{300}, rlim_t{2'000}, rlim_t{20'000}, rlim_t{300'000}}) {
    struct rlimit small = usual;
    small.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &small);
    const Result<void> saved = save_trace(*large, path);
    ::setrlimit(RLIMIT_FSIZE, &usual);
    REQUIRE_FALSE(saved.has_value());
    REQUIRE(saved.error().kind == ErrorKind::io_failure);
    REQUIRE(content_of(path) == before);
    REQUIRE(folder.names().size() == 1);
  }
  std::signal(SIGXFSZ, ignored);
  REQUIRE(save_trace(*large, path));
  REQUIRE(equal(**load_trace(path), *large));

  REQUIRE(save_trace(*large, folder.file("no/such/folder.kdtrace")).error().message().find("No such file") !=
          std::string::npos);
  REQUIRE(save_trace(*large, folder.path.string()).error().message().find("a folder has this name") !=
          std::string::npos);
  REQUIRE_FALSE(save_trace(*large, "/dev/null").has_value());
  REQUIRE(fs::is_character_file("/dev/null"));

  Trace nul = *ten_point_beginning();
  nul.header.title = std::string("a\0b", 3);
  REQUIRE(save_trace(nul, path).error().message().find("zero byte") != std::string::npos);
  Trace long_title = *ten_point_beginning();
  long_title.header.title = std::string(64'001, 'x');
  REQUIRE(save_trace(long_title, path).error().message().find("longer than 64,000 bytes") != std::string::npos);
  long_title.header.title.pop_back();
  REQUIRE(save_trace(long_title, path));
  REQUIRE((*load_trace(path))->header == long_title.header);
  REQUIRE(folder.names().size() == 1);
}

TEST_CASE("a save through a link replaces the file behind it") {
  const Folder folder;
  REQUIRE(save_trace(*random_trace(1, 2, 10), folder.file("real")));
  fs::create_symlink("real", folder.file("link"));
  REQUIRE(save_trace(*ten_point_beginning(), folder.file("link")));
  REQUIRE(fs::is_symlink(folder.file("link")));
  REQUIRE(equal(**load_trace(folder.file("real")), *ten_point_beginning()));
}

TEST_CASE("threads may save and load at the same time") {
  const Folder folder;
  std::vector<std::thread> threads;
  std::atomic<int> equal_traces{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const std::string path = folder.file(std::to_string(t % 2).c_str());
      const auto trace = random_trace(static_cast<std::uint32_t>(t % 2), 10, 100);
      for (int i = 0; i < 5; ++i) {
        const auto saved = save_trace(*trace, path);
        const auto loaded = load_trace(path);
        if (saved && loaded && equal(**loaded, *trace)) ++equal_traces;
      }
    });
  for (std::thread& t : threads) t.join();
  REQUIRE(equal_traces == 20);
}
#endif

}  // namespace kdscope::trace_file_test
