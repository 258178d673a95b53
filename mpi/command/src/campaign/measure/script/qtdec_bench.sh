# Sets `command` to the benchmark of `$collective` by `$methods` with messages of `$sizes` bytes, on the first ranks as many as each of
# `$comm_sizes`. Algorithms that are far slower than the best one are not repeated as often. Launchers may keep variables to themselves.
set_command() {
  command=(env "QTDEC_JOB=$job" "QTDEC_JOB_NODES=$job_nodes" "QTDEC_JOB_START=$job_start"
    qtdec-bench --collective "$collective" --comm-sizes "$comm_sizes" --msg-sizes "$sizes"
    --methods "$methods" --race --launch "$run" --process "$process" --output "$times")
}
