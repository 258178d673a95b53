#!/usr/bin/env bash
#@resources@
#
# Measures the own choice of @library@ for @collectives@ by turns, without and with the deployment in @deployed_folder@,
# using @benchmark@, which must be on the PATH.
# Written by qtdec @version@.
#
# Two neighbours form a pair. The first pair is measured without and then with the deployment, the second one with and then without.
#@one_a_job@
# You can stop and restart it without losing measurements. Afterwards, start it with the word `compare`, where qtdec is on the PATH.

set -u

switches=@switches@
least=@least@
greatest=@greatest@
launches=@launches@
# The benchmarks of a pair.
benchmarks=@benchmarks@
#@state@

if [ "${1:-}" = compare ]; then
  status=0
  #@comparisons@
  exit "$status"
fi

require() { command -v "$1" > /dev/null || { echo "$1 is not on the PATH" >&2; exit 1; }; }
#@programs@
[ -r "$switches" ] || { echo "$switches cannot be read: start the script in the folder in which qtdec-mpi tune was started" >&2; exit 1; }

#@benchmark_functions@

#@jobs@

#@describe@
describe @without@
describe @with@

#@measure@

# The variables of the deployment reach the launcher and nothing else.
# shellcheck disable=SC2016
with_switches=(bash -c '. "$0" && exec "$@"' "$switches")

# by_turns WORDS…: what these words of `measure` name, on both sides of a pair.
by_turns() {
  if [ "$((launch % 2))" -eq 1 ]; then
    without "$@"
    with "$@"
  else
    with "$@"
    without "$@"
  fi
}
without() {
  results=@without@
  measure "$@"
}
with() {
  results=@with@
  measure "$@" "${with_switches[@]}"
}

#@choose@

#@failures@
