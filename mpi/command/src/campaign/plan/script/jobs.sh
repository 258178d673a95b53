# The name of this job in the times: the scheduler's, else the host and the second of the start.
job=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID:-}}
job=${job:-${SLURM_JOB_ID:-${PBS_JOBID:-${LSB_JOBID:+$LSB_JOBID-${LSB_JOBINDEX:-0}}}}}
job=${job:-$HOSTNAME-$(date +%s)}
job=${job//[!A-Za-z0-9.-]/-}
case ${QTDEC_LAUNCHES:-next} in
  next | all) ;;
  *) echo "QTDEC_LAUNCHES is \`all\`, or is not set: $QTDEC_LAUNCHES" >&2; exit 1 ;;
esac

# Adds this job to the list of jobs that measured something, with its start and its nodes.
record_job() {
  local nodes=${SLURM_JOB_NODELIST:-${LSB_HOSTS:-$HOSTNAME}}
  if [ -r "${PBS_NODEFILE:-}" ]; then nodes=$(sort -u "$PBS_NODEFILE" | tr '\n' ' '); fi
  printf '%s\t%s\t%s\n' "$job" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$nodes" >> @jobs_file@
}
