#!/usr/bin/env bash
#@resources@
#
# Races the algorithms of @library@ for @collectives@, with @benchmark@: each round leaves out the methods
# that have been much slower than the best. qtdec and the benchmark must be on the PATH.
# Written by qtdec @version@.
#
#@one_a_job@
# The race ends by itself. You can stop and restart it without losing measurements. Afterwards, run:
#
#@map_commands@
#
# Whether the library follows a tuning file is measured by another script: qtdec-mpi plan --verify.

set -u

results=@results@
least=@least@
greatest=@greatest@
#@ppn@
# No benchmark is started after this number of seconds; empty for no limit.
seconds=@seconds@
#@state@

require() { command -v "$1" > /dev/null || { echo "$1 is not on the PATH" >&2; exit 1; }; }
require qtdec
#@programs@

#@functions@

#@jobs@

#@measure@

mkdir -p "$results"
while :; do
  @next_command@ -o "$results/round" || exit 1
  if ! [ -s "$results/round" ]; then break; fi
  if [ "$measured" -gt 0 ] && [ "${QTDEC_LAUNCHES:-next}" != all ]; then
    echo "this round is over: the next one is for another job" >&2
    exit 0
  fi
  # The benchmarks of this round.
  total=$(wc -l < "$results/round") number=0
  # The launcher must not read the list.
  while read -r -a fields <&3; do
    if [ -n "$seconds" ] && [ "$SECONDS" -ge "$seconds" ]; then
      echo "the time limit is reached: start the script again to continue" >&2
      exit 0
    fi
    collective=${fields[0]} method=${fields[1]} segment=${fields[2]} ranks=${fields[3]} run=${fields[4]}
    least=${fields[5]} greatest=${fields[6]}
    before=${#failed[@]}
    measure "$collective" "$method" "$segment" "$least" "${fields[@]:7}"
    if [ "${#failed[@]}" -gt "$before" ]; then
      echo "$collective $method $segment $ranks" >> "$results/failed"
    fi
  done 3< "$results/round"
done
rm -f "$results/round"
