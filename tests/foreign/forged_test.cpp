// MSCCL XML that is wrong and made to be proved: see tests/schedule/adversary_test.cpp.

#include <gtest/gtest.h>

#include "foreign/msccl.hpp"
#include "schedule/prove.hpp"

namespace rondo {
namespace {

/// The allreduce of two GPUs in which GPU 0's contribution enters its sum 2^bits times: its chunk is added to itself
/// before it is joined with GPU 1's.
std::string doubled(int bits) {
  std::string text =
      "<algo name=\"forged\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"1\" ngpus=\"2\" coll=\"allreduce\" "
      "inplace=\"1\">\n<gpu id=\"0\" i_chunks=\"1\" o_chunks=\"0\" s_chunks=\"1\">\n"
      "<tb id=\"0\" send=\"1\" recv=\"1\" chan=\"0\">\n";
  int step = 0;
  auto const add = [&](std::string const& type, std::string const& from, std::string const& into) {
    text += "<step s=\"" + std::to_string(step++) + "\" type=\"" + type + "\" srcbuf=\"" + from +
            "\" srcoff=\"0\" dstbuf=\"" + into + "\" dstoff=\"0\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n";
  };
  for (int bit = 0; bit < bits; ++bit) {
    add("cpy", "i", "s");
    add("re", "s", "i");
  }
  add("rrc", "i", "i");
  add("s", "i", "i");
  text +=
      "</tb>\n</gpu>\n<gpu id=\"1\" i_chunks=\"1\" o_chunks=\"0\" s_chunks=\"0\">\n"
      "<tb id=\"0\" send=\"0\" recv=\"0\" chan=\"0\">\n";
  step = 0;
  add("s", "i", "i");
  add("r", "i", "i");
  return text + "</tb>\n</gpu>\n</algo>\n";
}

TaskProof proof_of(std::string const& text) {
  msccl::Algorithm const algorithm = msccl::read(text, "x.xml");
  auto const promise = msccl::promise(algorithm);
  return prove(msccl::tasks(algorithm, Bytes(8)), &promise.value());
}

TEST(Forged, contribution_that_enters_two_to_the_61_times_is_doubled) {
  EXPECT_TRUE(proof_of(doubled(0)).valid());
  for (int const bits : {1, 31, 32, 33, 60, 61, 62, 63, 64, 65, 122, 183}) {
    SCOPED_TRACE(bits);
    TaskProof const proof = proof_of(doubled(bits));
    ASSERT_FALSE(proof.valid());
    EXPECT_EQ(proof.violations.front().fault, Fault::doubled);
    EXPECT_EQ(proof_of(doubled(bits)).violations.front().text, proof.violations.front().text);
  }
}

}  // namespace
}  // namespace rondo
