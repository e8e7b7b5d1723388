#!/bin/bash
# One task of a Slurm job array that runs a sweep in shards: task i of n simulates every n-th point, from the i-th on.
#
#   sbatch --array=1-8 scenarios/slurm-array.sh SCENARIO FOLDER
#   rondo merge FOLDER/part-*.jsonl --output results.jsonl        when all tasks have ended
#
# To have the merge wait for the array:
#
#   job=$(sbatch --parsable --array=1-8 scenarios/slurm-array.sh SCENARIO FOLDER)
#   sbatch --dependency=afterok:$job --wrap "rondo merge FOLDER/part-*.jsonl --output FOLDER/all.jsonl"
#
# A task that was killed (time limit, lost host) is submitted again by the same words, with --array= its number alone and
# SHARDS=8 in the environment: its part is continued. RONDO names the program (default: rondo on the PATH).
#SBATCH --job-name=rondo
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
set -euo pipefail
: "${SLURM_ARRAY_TASK_ID:?run this by sbatch --array=1-N}"
scenario=${1:?expected a scenario file}
folder=${2:?expected a folder for the results}

# Numbers in the names are as wide as the last one, so that part-*.jsonl are in order; merge sorts points anyway.
number=$(printf '%04d' "$SLURM_ARRAY_TASK_ID")
shard=()
[ -z "${SHARDS:-}" ] || shard=(--shard "$SLURM_ARRAY_TASK_ID/$SHARDS")
mkdir -p "$folder"
exec "${RONDO:-rondo}" run --quiet --jobs "${SLURM_CPUS_PER_TASK:-1}" --format jsonl --resume "${shard[@]}" \
  --output "$folder/part-$number.jsonl" "$scenario"
