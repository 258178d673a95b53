# Sets `command` to the benchmark of `$collective` with messages from `$from` to `$greatest` bytes.
set_command() {
  command=("osu_$collective" -f)
  if [ "$collective" != barrier ]; then command+=(-m "$from:$greatest"); fi
}
