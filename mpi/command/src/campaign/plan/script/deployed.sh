deployed=${1:-}
if [ -n "$deployed" ]; then
  # shellcheck source=/dev/null
  . "$deployed" || exit 1
  results=$results-deployed
  benchmarks=@deployed_benchmarks@
fi
