#!/usr/bin/env bash
#@resources@
#
# Races the algorithms of @library@ for @collectives@, with @benchmark@: each round leaves out the methods
# that have been much slower than the best. qtdec and the benchmark must be on the PATH.
# Written by qtdec @version@.
#
# It ends by itself. You can stop and restart it without losing measurements. Afterwards, run:
#
#@map_commands@
#
#@verify@

set -u

results=@results@
least=@least@
greatest=@greatest@
#@ppn@
# No benchmark is started after this number of seconds; empty for no limit.
seconds=@seconds@
number=0
measured=0
failed=()
#@deployed@

require() { command -v "$1" > /dev/null || { echo "$1 is not on the PATH" >&2; exit 1; }; }
if [ -z "$deployed" ]; then require qtdec; fi
#@programs@

#@functions@

#@measure@

if [ -n "$deployed" ]; then
  #@benchmarks@
  #@failures@
  exit 0
fi

mkdir -p "$results"
warm=no
while :; do
  @next_command@ -o "$results/round" || exit 1
  if ! [ -s "$results/round" ]; then break; fi
  # The launches of this round.
  launches=$(wc -l < "$results/round") number=0
  # The launcher must not read the list.
  while read -r -a fields <&3; do
    if [ -n "$seconds" ] && [ "$SECONDS" -ge "$seconds" ]; then
      echo "the time limit is reached: start the script again to continue" >&2
      exit 0
    fi
    collective=${fields[0]} method=${fields[1]} segment=${fields[2]} ranks=${fields[3]} run=${fields[4]}
    least=${fields[5]} greatest=${fields[6]}
    if [ "$warm" = no ]; then
      # The first benchmark on a machine is slow, so its times are discarded.
      run=warm-up measure "$collective" default 0 "$least" 2> "$results/warm-up"
      rm -f "$results/warm-up" "$results/$collective/"*_runwarm-up.*
      number=0 measured=0 failed=()
      warm=yes
    fi
    before=${#failed[@]}
    measure "$collective" "$method" "$segment" "$least" "${fields[@]:7}"
    if [ "${#failed[@]}" -gt "$before" ]; then
      echo "$collective $method $segment $ranks" >> "$results/failed"
    fi
  done 3< "$results/round"
done
rm -f "$results/round"
