#pragma once
// The frame of a program that builds and searches trees of another library, for kdscope-cli bench. Each library has a
// program of its own: kdscope is not linked with any of them, whatever their licences, and a build that takes too long
// can be ended. The program includes nothing of kdscope but this header and the hash of answers.
//
// It reads commands from standard input and answers on descriptor 3:
//   points PATH N DIM         reads N records of DIM floats           ready VERSION
//   build TIMES THREADS       builds so often, and keeps the last     ms T (each time), done PEAK_BYTES THREADS_USED
//   search K TIMES THREADS    finds the K nearest of every point      ms T (each time), done HASH THREADS_USED
// An answer "failed TEXT" ends a command instead.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "algorithms/core/byte_hash.hpp"

namespace kdscope::peers {

/// The resident memory of this process, or the most that it had, in bytes; field: VmRSS or VmHWM.
inline std::uint64_t memory_now(std::string_view field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field)) return std::strtoull(line.c_str() + field.size() + 1, nullptr, 10) * 1024;
  return 0;
}

/// Calls work(begin, end) for equal shares of [0, n) on so many threads.
template <class Work>
void on_threads(std::size_t n, std::size_t threads, Work work) {
  std::vector<std::jthread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back([=] { work(n * t / threads, n * (t + 1) / threads); });
  work(std::size_t{0}, n / threads);
}

/// Library: version(), build_threads(threads), and a template Index<D> with the constructor (points, n, threads), which
/// builds, and nearest(query, k, squared), which finds the k nearest in ascending order and may be called by several
/// threads at once. D is 2 or 3.
template <class Library>
class PeerProgram {
 public:
  int run() {
    for (std::string line; std::getline(std::cin, line);) {
      try {
        if (!obey(line)) return 2;
      } catch (const std::exception& e) {
        answer(std::string("failed ") + e.what());
      }
    }
    return 0;
  }

 private:
  template <int D>
  using Index = typename Library::template Index<D>;

  static void answer(const std::string& text) {
    static std::FILE* const events = fdopen(3, "w");
    if (!events) std::exit(2);
    std::fputs((text + "\n").c_str(), events);
    std::fflush(events);
  }

  template <class Work>
  static void time(Work work) {
    const auto from = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - from;
    char text[40];
    std::snprintf(text, sizeof text, "ms %.9g", ms.count());
    answer(text);
  }

  bool obey(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "points") return read(words);
    if (dim_ == 2) return work_on(command, words, in_2d_);
    if (dim_ == 3) return work_on(command, words, in_3d_);
    return false;
  }

  bool read(std::istringstream& words) {
    std::string path;
    if (!(words >> path >> n_ >> dim_) || (dim_ != 2 && dim_ != 3)) return false;
    points_.resize(n_ * dim_);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(points_.data()), static_cast<std::streamsize>(4 * points_.size())))
      throw std::runtime_error("the points cannot be read");
    answer(std::string("ready ") + Library::version());
    return true;
  }

  template <int D>
  bool work_on(const std::string& command, std::istringstream& words, std::optional<Index<D>>& index) {
    std::size_t k = 0, times = 0, threads = 0;
    if (command == "search" && !(words >> k)) return false;
    if (!(words >> times >> threads) || threads == 0) return false;
    if (command == "build") return build(index, times, threads);
    return command == "search" && index && search(*index, k, times, threads);
  }

  template <int D>
  bool build(std::optional<Index<D>>& index, std::size_t times, std::size_t threads) {
    index.reset();
    std::ofstream("/proc/self/clear_refs") << "5";  // forgets the most memory that the process had
    const std::uint64_t before = memory_now("VmRSS:");
    for (std::size_t i = 0; i < times; ++i) {
      index.reset();
      time([&] { index.emplace(points_.data(), n_, threads); });
    }
    const std::uint64_t most = memory_now("VmHWM:");
    // Later builds reuse the memory of the first one, which is therefore the one to count.
    if (peak_ == 0) peak_ = 4 * points_.size() + (most > before ? most - before : 0);
    answer("done " + std::to_string(peak_) + " " + std::to_string(Library::build_threads(threads)));
    return true;
  }

  template <int D>
  bool search(const Index<D>& index, std::size_t k, std::size_t times, std::size_t threads) {
    std::vector<float> squared(k * n_);
    for (std::size_t i = 0; i < times; ++i)
      time([&] {
        on_threads(n_, threads, [&](std::size_t begin, std::size_t end) {
          for (std::size_t q = begin; q < end; ++q) index.nearest(points_.data() + D * q, k, squared.data() + k * q);
        });
      });
    ByteHash hash;
    hash.add(reinterpret_cast<const char*>(squared.data()), 4 * squared.size());
    answer("done " + std::to_string(hash.state()) + " " + std::to_string(threads));
    return true;
  }

  std::vector<float> points_;  ///< [n * dim]
  std::size_t n_ = 0, dim_ = 0;
  std::uint64_t peak_ = 0;
  std::optional<Index<2>> in_2d_;
  std::optional<Index<3>> in_3d_;
};

}  // namespace kdscope::peers
