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
    looks=yes untried=no
    for launch in "${all[@]}"; do
      measure_launch
      if [ "$untried" = yes ]; then chosen=("$launch"); break; fi
    done
    looks=no number=0
    if [ "$untried" = no ]; then chosen=("${all[@]}"); fi
  fi
  total=$((benchmarks * ${#chosen[@]}))
}

#@benchmark_lines@

choose
for launch in "${chosen[@]}"; do measure_launch; done
