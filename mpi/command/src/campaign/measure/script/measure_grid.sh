# measure COLLECTIVE METHOD SMALLEST PROCESS RANKS METHODS [NAME=VALUE…]: on each of RANKS, with messages from SMALLEST bytes on, into a
# file with the name of METHOD.
measure() {
  local collective=$1 method=$2 smallest=$3 process=$4 comm_sizes=$5 methods=$6
  local unfinished=$results.unfinished$run times=$results.unfinished$run.csv
  local ranks=${comm_sizes##*,} size=$least sizes='' command
  shift 6
  #@whole_nodes@
  while [ "$size" -le "$greatest" ]; do
    if [ "$size" -ge "$smallest" ]; then sizes=${sizes:+$sizes,}$size; fi
    size=$((2 * size))
  done
  set_command
  start "$results/$collective/${method}_run${run}" .csv "$@"
}
