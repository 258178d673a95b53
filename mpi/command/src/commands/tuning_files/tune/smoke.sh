#!/bin/sh
# Tests @tuning_file@ before production: one launch calls each collective that has rules at the sizes where these change, and just
# below them, on communicators of the first ranks, and checks the results. It ends within a minute, and times nothing.
# Its words start qtdec-bench of `qtdec-mpi build`, in a job like those of production:
#   sh smoke.sh mpirun -np 8 qtdec-bench
# Not called: communicators larger than the job, calls with more than 16 MiB on a rank, and of more than 500 calls those between the
# others. What was left out is said.
if [ $# -eq 0 ]; then
  echo "the words that start qtdec-bench are missing, such as: sh $0 mpirun -np 8 qtdec-bench" >&2
  exit 2
fi
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
result=$folder/smoke.txt
log=$folder/smoke.log
echo 'switches.sh' > "$result" || exit 1
# shellcheck source=/dev/null
if (. "$folder/switches.sh") > "$log" 2>&1; then
  . "$folder/switches.sh" 2> /dev/null
  echo 'the start of MPI' > "$result"
  timeout -k 5 60 "$@" @files@ --ruled @ruled@ -o "$result" < /dev/null > "$log" 2>&1
fi
code=$?
line=$(head -n 1 "$result")
case $line in
accepted*) ;;
failed:*) ;;
*)
  if [ "$code" -eq 124 ]; then
    why='it did not end within 60 s'
  else
    why=$(grep -i -m 1 -e error -e abort -e 'not found' -e 'no such' -e unrecognized -e unable -e failed -e 'signal:' -e 'on signal' "$log" || head -n 1 "$log")
    why=${why:-the launch ended with the code $code}
  fi
  line="failed: ${line:-the launch}: $why"
  ;;
esac
printf '%s\n' "$line" '@tuning_file@ @hash@' > "$result"
echo "$line"
case $line in
accepted*) exit 0 ;;
*) exit 1 ;;
esac
