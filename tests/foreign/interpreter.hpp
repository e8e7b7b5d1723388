#pragma once

// An independent witness: MSCCL XML, as attributes in nested vectors, run by thread blocks that take their steps in a
// random order. It shares no code with what reads and proves the files, and knows no more than what a GPU would do:
// queues, flags and buffers. A buffer's chunk is the number of times that each contribution has entered it.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rondo::witness {

using Element = std::map<std::string, std::string>;

/// A file, element by element; attributes as they stand there.
struct File {
  Element algo;
  struct Block {
    Element tb;
    std::vector<Element> steps;
  };
  struct Gpu {
    Element gpu;
    std::vector<Block> blocks;
  };
  std::vector<Gpu> gpus;

  /// Reads text with one element a line, as the files of tests/data/msccl are.
  static File parse(std::string const& text);
  std::string text() const;
  std::vector<std::pair<std::size_t, std::size_t>> all_blocks() const;
};

/// Runs the file once, its thread blocks in an order from `seed`. What is wrong in one line; unset: all that is owed
/// lies in its place. Files are taken as they are: what is outside of a buffer, or waits for ever, is wrong.
std::optional<std::string> run(File const& file, std::uint64_t seed);

}  // namespace rondo::witness
