# Sets `chosen` to the launches of this job: the one that an array names, or the next one with a benchmark that was not tried, or, if there
# is none, all, of which only those that failed are measured.
choose() {
  local index=${SLURM_ARRAY_TASK_ID:-${PBS_ARRAY_INDEX:-${LSB_JOBINDEX:-0}}} all=()
  chosen=()
  for ((launch = 1; launch <= launches; launch++)); do all+=("$launch"); done
  if [ "${QTDEC_LAUNCHES:-next}" = all ]; then
    chosen=("${all[@]}")
  elif [ "$index" -gt 0 ]; then
    if [ "$index" -le "$launches" ]; then chosen=("$index"); fi
  else
    looks=yes
    for launch in "${all[@]}"; do
      measure_launch
      if [ "$looks" = found ]; then chosen=("$launch"); break; fi
    done
    if [ "$looks" = yes ]; then chosen=("${all[@]}"); fi
    looks=no number=0
  fi
  total=$((benchmarks * ${#chosen[@]}))
}

#@benchmark_lines@

choose
for launch in "${chosen[@]}"; do measure_launch; done
