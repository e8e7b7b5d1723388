#include "run/rules/mpich_rest.hpp"

#include <fmt/format.h>

namespace rondo::rules {
namespace {

using scenario::Json;

Json leaf(std::string const& function) { return {{"algorithm=MPIR_" + function, Json::object()}}; }

/// `below` for messages of less than `size` bytes, otherwise `above`. `unit` is avg_msg_size or total_msg_size.
Json split(char const* unit, int size, Json below, Json above) {
  return {{fmt::format("{}<{}", unit, size), std::move(below)}, {fmt::format("{}=any", unit), std::move(above)}};
}

Json by(char const* property, Json yes, Json no) {
  return {{fmt::format("{}=yes", property), std::move(yes)}, {fmt::format("{}=no", property), std::move(no)}};
}

Json on_powers_of_two(Json powers, Json others) {
  return {{"comm_size=pow2", std::move(powers)}, {"comm_size=any", std::move(others)}};
}

Json on_less_than_8(Json less, Json more) {
  return {{"comm_size<=7", std::move(less)}, {"comm_size=any", std::move(more)}};
}

/// `halves` for MPI's own operators and vectors that can be halved until each rank has a part; `whole` in all other
/// cases.
Json halved(Json const& whole, Json halves) {
  Json const counted = {{"count<pow2", whole}, {"count=any", std::move(halves)}};
  return by("is_op_built_in", counted, whole);
}

Json in_groups(Json intra, Json inter) {
  return {{"comm_type=intra", std::move(intra)}, {"comm_type=inter", std::move(inter)}};
}

/// `name` begins with a capital letter; `kind` is "intra_" or "intra_sched_".
Json allgathers(std::string const& name, std::string const& kind) {
  std::string const intra = name + "_intra_" + kind;
  return on_powers_of_two(split("total_msg_size", 524288, leaf(intra + "recursive_doubling"), leaf(intra + "ring")),
                          split("total_msg_size", 81920, leaf(intra + "brucks"), leaf(intra + "ring")));
}

Json bcasts(std::string const& intra) {
  Json const binomial = leaf(intra + "binomial"), ring = leaf(intra + "scatter_ring_allgather");
  Json const doubling = leaf(intra + "scatter_recursive_doubling_allgather");
  Json const powers = split("avg_msg_size", 12288, binomial, split("avg_msg_size", 524288, doubling, ring));
  return on_less_than_8(binomial, on_powers_of_two(powers, split("avg_msg_size", 12288, binomial, ring)));
}

Json reduce_scatters(std::string const& intra) {
  return by("is_commutative",
            split("total_msg_size", 524288, leaf(intra + "recursive_halving"), leaf(intra + "pairwise")),
            leaf(intra + "recursive_doubling"));
}

Json reduced(std::string const& whole, std::string const& halves) {
  return split("avg_msg_size", 2049, leaf(whole), halved(leaf(whole), leaf(halves)));
}

Json alltoalls(Json in_place, Json brucks, Json const& medium, Json const& pairwise) {
  Json const small = split("avg_msg_size", 32769, medium, pairwise);
  return by("is_sendbuf_inplace", std::move(in_place),
            on_less_than_8(small, split("avg_msg_size", 257, std::move(brucks), small)));
}

void add_blocking(Json& all) {
  all["bcast"] = in_groups(bcasts("Bcast_intra_"), leaf("Bcast_inter_remote_send_local_bcast"));
  all["allreduce"] =
      in_groups(reduced("Allreduce_intra_recursive_doubling", "Allreduce_intra_reduce_scatter_allgather"),
                leaf("Allreduce_inter_reduce_exchange_bcast"));
  all["allgather"] = in_groups(allgathers("Allgather", ""), leaf("Allgather_inter_local_gather_remote_bcast"));
  all["allgatherv"] = in_groups(allgathers("Allgatherv", ""), leaf("Allgatherv_inter_remote_gather_local_bcast"));
  all["reduce"] = in_groups(reduced("Reduce_intra_binomial", "Reduce_intra_reduce_scatter_gather"),
                            leaf("Reduce_inter_local_reduce_remote_send"));
  for (std::string const name : {"Reduce_scatter", "Reduce_scatter_block"}) {
    all[name == "Reduce_scatter" ? "reduce_scatter" : "reduce_scatter_block"] =
        in_groups(reduce_scatters(name + "_intra_"), leaf(name + "_inter_remote_reduce_local_scatter"));
  }
  all["gather"] = in_groups(leaf("Gather_intra_binomial"), leaf("Gather_inter_linear"));
  all["scatter"] = in_groups(leaf("Scatter_intra_binomial"), leaf("Scatter_inter_linear"));
  all["gatherv"] = leaf("Gatherv_allcomm_linear");
  all["scatterv"] = leaf("Scatterv_allcomm_linear");
  all["scan"] = leaf("Scan_intra_recursive_doubling");
  all["exscan"] = leaf("Exscan_intra_recursive_doubling");
  all["barrier"] = in_groups(leaf("Barrier_intra_dissemination"), leaf("Barrier_inter_bcast"));
  all["alltoall"] = in_groups(alltoalls(leaf("Alltoall_intra_pairwise_sendrecv_replace"), leaf("Alltoall_intra_brucks"),
                                        leaf("Alltoall_intra_scattered"), leaf("Alltoall_intra_pairwise")),
                              leaf("Alltoall_inter_pairwise_exchange"));
  for (std::string const name : {"Alltoallv", "Alltoallw"}) {
    all[name == "Alltoallv" ? "alltoallv" : "alltoallw"] = in_groups(
        by("is_sendbuf_inplace", leaf(name + "_intra_pairwise_sendrecv_replace"), leaf(name + "_intra_scattered")),
        leaf(name + "_inter_pairwise_exchange"));
  }
}

void add_nonblocking(Json& all) {
  all["ibarrier"] = in_groups(leaf("Ibarrier_intra_sched_recursive_doubling"), leaf("Ibarrier_inter_sched_bcast"));
  all["ibcast"] = in_groups(bcasts("Ibcast_intra_sched_"), leaf("Ibcast_inter_sched_flat"));
  all["iallreduce"] =
      in_groups(reduced("Iallreduce_intra_sched_recursive_doubling", "Iallreduce_intra_sched_reduce_scatter_allgather"),
                leaf("Iallreduce_inter_sched_remote_reduce_local_bcast"));
  all["ireduce"] = in_groups(reduced("Ireduce_intra_sched_binomial", "Ireduce_intra_sched_reduce_scatter_gather"),
                             leaf("Ireduce_inter_sched_local_reduce_remote_send"));
  all["iallgather"] =
      in_groups(allgathers("Iallgather", "sched_"), leaf("Iallgather_inter_sched_local_gather_remote_bcast"));
  all["iallgatherv"] =
      in_groups(allgathers("Iallgatherv", "sched_"), leaf("Iallgatherv_inter_sched_remote_gather_local_bcast"));
  for (std::string const name : {"Ireduce_scatter", "Ireduce_scatter_block"}) {
    all[name == "Ireduce_scatter" ? "ireduce_scatter" : "ireduce_scatter_block"] =
        in_groups(reduce_scatters(name + "_intra_sched_"), leaf(name + "_inter_sched_remote_reduce_local_scatterv"));
  }
  all["igather"] = in_groups(leaf("Igather_intra_sched_binomial"), leaf("Igather_inter_sched_long"));
  all["iscatter"] = in_groups(leaf("Iscatter_intra_sched_binomial"), leaf("Iscatter_inter_sched_linear"));
  all["igatherv"] = leaf("Igatherv_allcomm_sched_linear");
  all["iscatterv"] = leaf("Iscatterv_allcomm_sched_linear");
  all["iscan"] = leaf("Iscan_intra_sched_recursive_doubling");
  all["iexscan"] = leaf("Iexscan_intra_sched_recursive_doubling");
  all["ialltoall"] =
      in_groups(alltoalls(leaf("Ialltoall_intra_sched_inplace"), leaf("Ialltoall_intra_sched_brucks"),
                          leaf("Ialltoall_intra_sched_permuted_sendrecv"), leaf("Ialltoall_intra_sched_pairwise")),
                leaf("Ialltoall_inter_sched_pairwise_exchange"));
  for (std::string const name : {"Ialltoallv", "Ialltoallw"}) {
    all[name == "Ialltoallv" ? "ialltoallv" : "ialltoallw"] =
        in_groups(by("is_sendbuf_inplace", leaf(name + "_intra_sched_inplace"), leaf(name + "_intra_sched_blocked")),
                  leaf(name + "_inter_sched_pairwise_exchange"));
  }
}

}  // namespace

Json mpich_rest() {
  Json all;
  add_blocking(all);
  add_nonblocking(all);
  for (std::string const name : {"allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"}) {
    all["neighbor_" + name] = leaf("Neighbor_" + name + "_allcomm_nb");
    all["ineighbor_" + name] = leaf("Ineighbor_" + name + "_allcomm_sched_linear");
  }
  return all;
}

}  // namespace rondo::rules
