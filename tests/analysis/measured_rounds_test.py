#!/usr/bin/env python3
"""Tests of analysis/measured_rounds.py. Without pandas they are skipped (exit code 77)."""

import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "analysis"))
try:
    import measured_rounds
    import measured_table
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

ALGORITHMS = measured_table.Algorithms()


def row(algorithm="ring_over", collective="allgather", nodes=8, tasks=1, block=1000, system="leonardo", segment="", archive="2025_06_01", dims=""):
    whole = collective in ("allreduce", "bcast", "reduce")
    bytes_ = block * (1 if whole else nodes * tasks)
    return dict(system=system, archive=archive, collective=collective, algorithm=algorithm, segment_bytes=segment, nodes=float(nodes), dims=dims,
                tasks_per_node=float(tasks), ranks=float(nodes * tasks), gpu="no", bytes=float(bytes_), block_bytes=float(bytes_ if whole else block))


def paid(*arguments, **words):
    return measured_rounds.amounts(row(*arguments, **words), ALGORITHMS)


class Rounds(unittest.TestCase):
    # Their closed forms count pieces of a vector or chains, which Rondo's schedule or the busiest rank does not have.
    OTHERS = ("bine_bdw_remap_segmented", "default-chain", "default-linear", "-UTOFU", "MPI", "default-pipeline")

    def test_rounds_and_bytes_are_those_of_the_closed_forms_of_all_algorithms(self):
        seen = set()
        for (collective, name), lines in ALGORITHMS.by_name.items():
            for nodes in (8, 12, 64):
                each = row(name, collective, nodes, block=64 * 3 * 1024, archive="2025_06_01")
                line = ALGORITHMS.of(each)
                found = measured_rounds.rounds(each, ALGORITHMS)
                if found is None or any(other in name for other in self.OTHERS) or line["options"].find("segment") >= 0:
                    continue
                if nodes == 12 and line["ranks"] == "any" and line["algorithm"] in ("rabenseifner", "recursive_halving", "scatter_allgather", "bine"):
                    continue  # closed forms for other numbers than powers of two are bounds
                rounds, sent = ALGORITHMS.closed_form(each)
                with self.subTest(collective=collective, name=name, nodes=nodes):
                    if nodes != 12 and not self.waits_for_siblings(line):  # scatters of 12 ranks halve 16
                        self.assertAlmostEqual(sum(part.times * part.size * part.messages for part in found) / sent, 1)
                    self.assertAlmostEqual(sum(part.times for part in found), rounds)
                seen.add((collective, name))
        self.assertGreater(len(seen), 50)

    def waits_for_siblings(self, line):
        """Whether the last byte of the longest path is not the last byte that the busiest rank sends."""
        return line["algorithm"] in ("binary", "split_binary", "knomial") or "at_once" in line["options"]

    def test_all_children_wait_for_the_last_byte(self):
        # Measured on 32 nodes of MareNostrum at 512 MiB, in times of the vector at 25 GB/s: 15.3, 15.3, 16.2, 9.2 and
        # 5.1.
        for name, units in (("binomial_ompi", 5 + 4 + 3 + 2 + 1), ("bine_lat_reversed_over", 15), ("knomial_ompi", 7 + 6 + 3), ("binary_ompi", 9),
                            ("split_binary_ompi", 5)):
            found = measured_rounds.rounds(row(name, "bcast", 32), ALGORITHMS)
            self.assertEqual(sum(each.times * each.size * each.messages for each in found), 1000 * units, name)
        self.assertEqual(paid("binomial_ompi", "bcast", 32)["post"], 0)
        self.assertEqual(paid("binary_ompi", "bcast", 32)["post"], 4)

    def test_rounds_of_unknown_schedules_are_none(self):
        self.assertIsNone(paid("default_ompi"))
        self.assertIsNone(paid("default-gtbc", system="fugaku"))

    def test_segments_of_a_reduce_follow_each_other(self):
        # 1 MiB has 64 segments of 16 KiB. A binomial tree of 8 ranks sends them on each of 3 levels. A binary tree has
        # floor(log2 8) = 3 rounds.
        binomial, binary = (measured_rounds.rounds(row(f"default-{name}", "reduce", block=2**20), ALGORITHMS) for name in ("binomial", "binary"))
        self.assertEqual([(each.times, each.size, each.messages) for each in binomial], [(3 * 64, 16384, 1)])
        self.assertEqual([(each.times, each.size, each.messages) for each in binary], [(3 + 63, 16384, 2)])

    def test_the_first_half_alone_has_segments(self):
        # 8 ranks, 800 KB. The first half sends 400, 200 and 100 KB in segments of 128 KiB: 4 + 2 + 1 messages. The
        # second half sends 3 whole messages.
        found = measured_rounds.rounds(row("bine_bdw_remap_segmented_over_131072", "allreduce", block=800_000, segment="131072"), ALGORITHMS)
        self.assertEqual(sum(each.times for each in found), 4 + 2 + 1 + 3)
        before = row("bine_bdw_remap_segmented_over", "allreduce", block=800_000, archive="2025_03_01")
        self.assertEqual(sum(each.times for each in measured_rounds.rounds(before, ALGORITHMS)), 4 + 2 + 1 + 3)  # blocks of 100 KB
        since = {**before, "archive": "2025_06_01"}
        self.assertEqual(sum(each.times for each in measured_rounds.rounds(since, ALGORITHMS)), 6)


class Costs(unittest.TestCase):
    def test_a_ring_pays_for_each_round_and_byte(self):
        found = paid(block=3000)
        self.assertEqual((found["round"], found["byte"], found["byte up to 256"], found["step 256"], found["step 16384"]), (7, 21000, 7 * 256, 7, 0))
        self.assertEqual((found["taper"], found["post"], found["inside"], found["call"]), (0, 0, 0, 1))

    def test_a_larger_message_takes_no_less_time_at_any_price(self):
        sizes = [1, 255, 256, 257, 2048, 2049, 16384, 16385, 131072, 131073, 2**20, 2**20 + 1, 2**24]
        for (collective, name), (line, *_) in ALGORITHMS.by_name.items():
            if "segment" in line["options"] or "segmented" in name or not line["algorithm"] or "to" in line["ranks"].split():
                continue  # larger segments are fewer, and the library changes the schedule at a size
            found = [paid(name, collective, block=size) for size in sizes]
            for cost in measured_rounds.COSTS:
                times = [each[cost] for each in found if each]
                self.assertEqual(times, sorted(times), (collective, name, cost))

    def test_bytes_to_far_ranks_pay_the_taper_beyond_16_nodes(self):
        self.assertEqual(paid("recursive_doubling_over", nodes=16)["taper"], 0)
        # 64 nodes: 16 and 32 blocks are sent to the distances 16 and 32, and pass 32 and 64 nodes. If the nearest ranks
        # get most bytes, 2 blocks and 1 block are sent there.
        self.assertEqual(paid("recursive_doubling_over", nodes=64)["taper"], (16 + 2 * 32) * 1000)
        self.assertEqual(paid("bine_permute_remap_over", nodes=64)["taper"], (2 + 2 * 1) * 1000)
        self.assertEqual(paid("recursive_doubling_over", nodes=16, tasks=4)["taper"], 0)
        self.assertEqual(paid("ring_over", nodes=64)["taper"], 0)

    def test_ranks_of_a_node_share_its_nic_and_near_rounds_stay_within(self):
        # 32 ranks on 8 nodes: the first 2 of 5 rounds are within a node. The other 3 carry 4 + 8 + 16 blocks from each
        # of the 4 ranks of a node.
        found = paid("recursive_doubling_over", tasks=4)
        self.assertEqual((found["inside"], found["round"], found["inside byte"]), (2, 3, 3000))
        self.assertEqual((found["node byte"], found["byte"]), (4 * 28000, 0))
        self.assertEqual((paid("recursive_doubling_over")["node byte"], paid("recursive_doubling_over")["byte"]), (0, 7000))

    def test_most_bytes_of_bine_stay_within_a_node(self):
        # 32 ranks on 8 nodes: 1, 2 and 4 blocks go between nodes, and 8 and 16 within a node. Recursive doubling sends
        # 1 and 2 blocks within a node.
        found = paid("bine_permute_remap_over", tasks=4)
        self.assertEqual((found["inside byte"], found["node byte"]), (24000, 4 * 7000))

    def test_children_in_the_same_node_do_not_wait_for_others(self):
        # 16 ranks on 4 nodes: the root has two children in its node and two in other nodes. All four ranks of the node
        # send to other nodes.
        found = paid("binomial_ompi", "bcast", nodes=4, tasks=4)
        self.assertEqual((found["inside byte"], found["node byte"]), ((2 + 1) * 1000, 4 * (2 + 1) * 1000))
        # With falling distances, one rank of a node sends to other nodes.
        self.assertEqual(paid("knomial_ompi", "bcast", nodes=4, tasks=4)["node byte"], 3 * 1000)

    def test_a_ring_counts_the_mean_of_its_links(self):
        found = paid("ring_over", tasks=4)
        self.assertEqual((found["inside"], found["round"]), (31 * 3 / 4, 31 / 4))

    def test_jobs_with_gpus_pay_more_for_a_round_between_nodes(self):
        found = [paid(nodes=nodes)["round with GPUs"] for nodes in (64, 128, 256, 512)]
        self.assertEqual(found, [0, 127, 255, 0])
        self.assertEqual(paid(nodes=128, system="lumi")["round with GPUs"], 0)
        self.assertEqual(paid("recursive_doubling_over", nodes=128, tasks=4)["round with GPUs"], 7)  # 2 of 9 rounds are within a node

    def test_messages_that_are_posted_at_once_are_one_round(self):
        found = paid("linear_ompi", "alltoall")
        self.assertEqual((found["round"], found["post"], found["peer"], found["posted byte"]), (1, 6, 6, 6000))
        self.assertEqual((paid("linear_ompi", "reduce")["post"], paid("linear_ompi", "reduce")["peer"]), (6, 0))  # the root receives

    def test_memory_that_all_ranks_of_a_node_use_is_shared(self):
        # Rabenseifner's allreduce copies and joins a vector. A buffer of less than 32 MiB is kept for the next call.
        for block, fresh in ((1 << 20, 0), (1 << 26, 1 << 25)):
            found = paid("rabenseifner_ompi", "allreduce", tasks=4, block=block)
            self.assertEqual((found["fresh"], found["shared memory"]), (fresh, 3 * (2 * block + fresh)))
            self.assertEqual(paid("rabenseifner_ompi", "allreduce", block=block)["shared memory"], 0)

    def test_two_buffers_are_not_kept_for_the_next_call(self):
        found = [paid(name, "reduce_scatter", block=1 << 20)["fresh"] for name in ("ring_ompi", "recursive_halving_ompi")]
        self.assertEqual(found, [0, 1.5 * (8 << 20)])

    def test_blocks_that_are_packed_by_themselves_are_pieces(self):
        # 8 ranks: 12 blocks in 3 rounds are packed, unpacked and copied. 8 blocks are put in order.
        self.assertEqual(paid("modified_bruck_ompi", "alltoall")["piece"], 3 * 12 + 8)
        self.assertEqual(paid()["piece"], 0)

    def test_time_is_the_sum_of_amounts_times_prices(self):
        self.assertEqual(measured_rounds.time({"round": 7, "byte": 100, "post": 3}, {"round": 1000, "byte": 0.5}), 7050)


class Torus(unittest.TestCase):
    def test_extents_are_as_near_to_a_cube_as_can_be(self):
        self.assertEqual([measured_rounds.extents(nodes) for nodes in (1, 7, 8, 24, 64, 100, 4096, 8192)],
                         [[1, 1, 1], [7, 1, 1], [2, 2, 2], [4, 3, 2], [4, 4, 4], [5, 5, 4], [16, 16, 16], [32, 16, 16]])

    def crowd(self, nodes, name, collective):
        each = row(name, collective, nodes, system="fugaku")
        problem = measured_rounds.problem_of(each, ALGORITHMS.of(each))
        return measured_rounds.crowding(each, problem, measured_rounds.rounds(each, ALGORITHMS))

    def test_messages_over_a_distance_share_links(self):
        # 8 x 8 x 8 nodes: the distances are 1, 2 and 4 in each dimension. Distance 4 is half of a ring.
        self.assertEqual(self.crowd(512, "default-recursive-doubling", "allgather"), 3 * [1.0, 2.0, 4 / math.sqrt(2)])
        self.assertEqual(self.crowd(64, "default-recursive-doubling", "allgather"), 6 * [1.0])
        self.assertEqual(self.crowd(512, "default-ring", "allgather"), [1.0])

    def test_the_root_of_a_tree_sends_all_children_of_a_dimension_over_one_link(self):
        # 4 x 4 x 4 nodes: in each of 3 dimensions 2 children and then 1 share a link, in 6 rounds: 9 n, as measured.
        (share,) = self.crowd(64, "default-binomial", "bcast")
        self.assertEqual(6 * share, 9)

    def test_ports_gain_nothing_beyond_the_links_of_a_node(self):
        short = {(dims, ports): measured_rounds.links_short(row(f"BINE-VEC_DOUBLING_BLOCKS-UTOFU-0-{ports}", nodes=nodes, dims=dims, system="fugaku"))
                 for dims, nodes, ports in (("2x2x2", 8, 3), ("2x2x2", 8, 6), ("4x4x4", 64, 6), ("64x64", 4096, 4), ("64x64", 4096, 6))}
        self.assertEqual(short, {("2x2x2", 3): 1, ("2x2x2", 6): 2, ("4x4x4", 6): 1, ("64x64", 4): 1, ("64x64", 6): 2})

    def test_cells_that_are_no_numbers_are_told(self):
        with self.assertRaisesRegex(measured_table.BadTable, 'column dims: expected such as 4x4x4, got "4x"'):
            paid("BINE-VEC_DOUBLING_BLOCKS-UTOFU-0-3", system="fugaku", dims="4x")
        with self.assertRaisesRegex(measured_table.BadTable, 'column segment_bytes: expected a number of at least 0, got "large"'):
            paid("ring_over", segment="large")

    def test_ports_of_utofu_cost_a_cpu_each(self):
        found = paid("BINE-L-UTOFU-0-3", "allreduce", system="fugaku")
        self.assertEqual((found["port"], found["register"], found["handshake"]), (3 * 2, 0, 0))  # 333 B < 1 KiB
        found = paid("BINE-B_CONT-UTOFU-0-3", "allreduce", system="fugaku")
        self.assertEqual((found["register"], found["register twice"]), (18, 18))


if __name__ == "__main__":
    unittest.main()
