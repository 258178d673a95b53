# measure COLLECTIVE METHOD SEGMENT SMALLEST [NAME=VALUE…]: with messages from SMALLEST bytes on.
measure() {
  local collective=$1 method=$2 segment=$3 smallest=$4 from=$least command
  local unfinished=$results.unfinished$run times=$results.unfinished$run
  shift 4
  while [ "$from" -lt "$smallest" ]; do from=$((2 * from)); done
  if [ "$from" -gt "$greatest" ]; then return; fi
  set_command
  start "$results/$collective/${method}_seg${segment}@ppn@_np${ranks}_run${run}" "_job$job.txt" "$@"
}
