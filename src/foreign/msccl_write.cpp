// Writes MSCCL XML, one gpu after the other, so that a large algorithm is never in memory as text.

#include <fmt/format.h>

#include <string>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "foreign/msccl.hpp"

namespace rondo::msccl {

namespace {

void write(std::string& text, Step const& step, std::size_t number) {
  append(text,
         "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"{}\" "
         "depid=\"{}\" deps=\"{}\" hasdep=\"{}\"/>\n",
         number, enum_name(step.type), enum_name(step.source_buffer), step.source, enum_name(step.target_buffer),
         step.target, step.count, step.block, step.step, step.signals ? 1 : 0);
}

void write(std::string& text, Algorithm const& algorithm, std::size_t id) {
  Gpu const& gpu = algorithm.gpus[id];
  append(text, "  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", id, gpu.inputs, gpu.outputs,
         gpu.scratch);
  for (std::size_t i = 0; i < gpu.blocks.size(); ++i) {
    ThreadBlock const& block = gpu.blocks[i];
    append(text, "    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", i, block.send, block.receive,
           block.channel);
    for (std::size_t k = block.first; k < block.last; ++k) write(text, algorithm.steps[k], k - block.first);
    text += "    </tb>\n";
  }
  text += "  </gpu>\n";
}

}  // namespace

void write(Algorithm const& algorithm, std::function<void(std::string_view)> const& sink) {
  sink(
      fmt::format("<algo name=\"{}\" proto=\"{}\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" "
                  "inplace=\"{}\">\n",
                  xml_text(algorithm.name), enum_name(algorithm.protocol), algorithm.channels, algorithm.chunks,
                  algorithm.gpus.size(), enum_name(algorithm.kind), algorithm.in_place ? 1 : 0));
  std::string text;
  for (std::size_t id = 0; id < algorithm.gpus.size(); ++id) {
    text.clear();
    write(text, algorithm, id);
    sink(text);
  }
  sink("</algo>\n");
}

}  // namespace rondo::msccl
