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
  if [ "$from" -gt "$greatest" ]; then return; fi
  local file="$results/$collective/${method}_seg${segment}@ppn@_np${ranks}_run${run}.txt"
  local failure="${file%.txt}.failed"
  number=$((number + 1))
  if [ -e "$file" ]; then return; fi
  mkdir -p "$results/$collective"
  set_command
  echo "$file$(progress)" >&2
  if env "$@" @launch@ "${command[@]}" > "$results/unfinished"@forced@; then
    mv "$results/unfinished" "$file"
    rm -f "$failure"
  else
    # The commands that read the results report what failed.
    { echo "# failed with status $?: $* ${command[*]}"; cat "$results/unfinished"; } > "$failure"
    rm -f "$results/unfinished"
    failed+=("$file")
  fi
  measured=$((measured + 1))
}
