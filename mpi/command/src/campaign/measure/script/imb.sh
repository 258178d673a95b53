# Sets `command` to the benchmark of `$collective` with messages from `$from` to `$greatest` bytes. Its names begin with a capital.
# Without -npmin it also measures every smaller communicator.
set_command() {
  command=(IMB-MPI1 -npmin "$ranks" -msglog "$(log2 "$from"):$(log2 "$greatest")" "${collective^}")
}
log2() {
  local size=$1 exponent=0
  while [ "$size" -gt 1 ]; do size=$((size / 2)) exponent=$((exponent + 1)); done
  echo "$exponent"
}
