# Prints which benchmark of this job is next and, judging by those so far, how long the rest takes.
progress() {
  local seconds left=''
  if [ "$measured" -gt 0 ]; then
    seconds=$((SECONDS * (total - number + 1) / measured))
    left=$(printf ', about %d:%02d:%02d left' "$((seconds / 3600))" "$((seconds / 60 % 60))" "$((seconds % 60))")
  fi
  echo " ($number of $total$left)"
}
