if [ "${#failed[@]}" -gt 0 ]; then
  echo "${#failed[@]} benchmarks failed:" >&2
  for file in "${failed[@]}"; do echo "  $file" >&2; done
  exit 1
fi
