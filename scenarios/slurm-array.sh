#!/bin/bash
# One task of a Slurm job array that runs a sweep in shards. Task i of n simulates every n-th point, from point i on.
#
#   sbatch --array=1-8 scenarios/slurm-array.sh SCENARIO FOLDER
#   rondo merge FOLDER/part-*.jsonl --output results.jsonl        when all tasks have ended
#
# This starts the merge when the array has ended:
#
#   job=$(sbatch --parsable --array=1-8 scenarios/slurm-array.sh SCENARIO FOLDER)
#   sbatch --dependency=afterok:$job --wrap "rondo merge FOLDER/part-*.jsonl --output FOLDER/all.jsonl"
#
# If a task was killed (time limit, lost host), submit it again by the same command, with its number as --array= and
# with SHARDS=8 in the environment. It continues its part. RONDO names the program (default: rondo on the PATH).
#SBATCH --job-name=rondo
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
set -euo pipefail
: "${SLURM_ARRAY_TASK_ID:?run this by sbatch --array=1-N}"
scenario=${1:?expected a scenario file}
folder=${2:?expected a folder for the results}

# Numbers in the names have four digits, so that part-*.jsonl is in order. The merge sorts the points anyway.
number=$(printf '%04d' "$SLURM_ARRAY_TASK_ID")
shard=()
[ -z "${SHARDS:-}" ] || shard=(--shard "$SLURM_ARRAY_TASK_ID/$SHARDS")
mkdir -p "$folder"
exec "${RONDO:-rondo}" run --quiet --jobs "${SLURM_CPUS_PER_TASK:-1}" --format jsonl --resume "${shard[@]}" \
  --output "$folder/part-$number.jsonl" "$scenario"
