# measure COLLECTIVE METHOD SEGMENT SMALLEST [NAME=VALUE…]: with messages from SMALLEST bytes on.
measure() {
  local collective=$1 method=$2 segment=$3 smallest=$4 from=$least command
  shift 4
  # With a tuning file, no algorithm is forced, and its own switches are the settings.
  if [ -n "$deployed" ]; then
    if [ "$method" != default ]; then return; fi
    set --
  fi
  while [ "$from" -lt "$smallest" ]; do from=$((2 * from)); done
  local file="$results/$collective/${method}_seg${segment}@ppn@_np${ranks}_run${run}.txt"
  if [ -e "$file" ] || [ "$from" -gt "$greatest" ]; then return; fi
  mkdir -p "$results/$collective"
  set_command
  echo "$file" >&2
  if env "$@" @launch@ "${command[@]}" > "$results/unfinished"@forced@; then
    mv "$results/unfinished" "$file"
  else
    rm -f "$results/unfinished"
    failed+=("$file")
  fi
}
