# start STEM ENDING [NAME=VALUE…]: runs `command` for `method` unless a job did before. What becomes of `times` is the file.
start() {
  local stem=$1 file=$1$2
  shift 2
  number=$((number + 1))
  if is_there "$stem"@any@; then return; fi
  if [ "$looks" != no ]; then
    if [ ! -e "$stem.failed" ]; then looks=found; fi
    return
  fi
  if [ "$ranks" -gt "$warmed" ]; then
    # The first benchmark of a job on its nodes is slow, so the times of a short one are discarded.
    if [ "$warmed" -eq 0 ]; then record_job; fi
    (
      @short@
      set_command
      env "$@" @launch@ "${command[@]}" > /dev/null 2>&1
      rm -f "$times"
    )
    warmed=$ranks
  fi
  mkdir -p "$results/$collective"
  echo "$file$(progress)" >&2
  if env "$@" @launch@ "${command[@]}" > "$unfinished"@reports@@forced@; then
    mv "$times" "$file"
    rm -f "$stem.failed" "$unfinished"
  else
    # The commands that read the results report what failed.
    { echo "# failed with status $?: $* ${command[*]}"; cat "$unfinished"; } > "$stem.failed"
    rm -f "$unfinished" "$times"
    failed+=("$stem.failed")
  fi
  measured=$((measured + 1))
}
is_there() { [ -e "$1" ]; }
