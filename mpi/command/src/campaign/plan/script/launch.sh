# launch FILE [NAME=VALUE…]: runs `command` for `method` unless the file is there. What becomes of `times` is the file.
launch() {
  local file=$1 failure="${1%.*}.failed"
  shift
  # With a tuning file, no algorithm is forced, and its own switches are the settings.
  if [ -n "$deployed" ]; then
    if [ "$method" != default ]; then return; fi
    set --
  fi
  number=$((number + 1))
  if [ -e "$file" ]; then return; fi
  mkdir -p "$results/$collective"
  echo "$file$(progress)" >&2
  if env "$@" @launch@ "${command[@]}" > "$results.unfinished"@reports@@forced@; then
    mv "$times" "$file"
    rm -f "$failure" "$results.unfinished"
  else
    # The commands that read the results report what failed.
    { echo "# failed with status $?: $* ${command[*]}"; cat "$results.unfinished"; } > "$failure"
    rm -f "$results.unfinished" "$times"
    failed+=("$file")
  fi
  measured=$((measured + 1))
}
