# The name of this job in the times: the scheduler's, else the host and the second of the start. With its nodes, and its start if that is
# known: a job may start several scripts.
now=$(date +%s)
job=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID:-}}
job=${job:-${SLURM_JOB_ID:-${PBS_JOBID:-${LSB_JOBID:+$LSB_JOBID-${LSB_JOBINDEX:-0}}}}}
job_start=${SLURM_JOB_START_TIME:-}
if [ -z "$job" ]; then job=$HOSTNAME-$now job_start=$now; fi
job=${job//[!A-Za-z0-9.-]/-}
if [ -n "$job_start" ]; then job_start=$(date -u -d "@$job_start" +%Y-%m-%dT%H:%M:%SZ); fi
job_nodes=${SLURM_JOB_NODELIST:-${LSB_HOSTS:-$HOSTNAME}}
if [ -r "${PBS_NODEFILE:-}" ]; then job_nodes=$(sort -u "$PBS_NODEFILE" | paste -sd ' ' -); fi
case ${QTDEC_LAUNCHES:-next} in
  next | all) ;;
  *) echo "QTDEC_LAUNCHES is \`all\`, or is not set: $QTDEC_LAUNCHES" >&2; exit 1 ;;
esac

# Adds this job to the list of jobs that measured something, with the start of this script and the nodes.
record_job() {
  printf '%s\t%s\t%s\n' "$job" "$(date -u -d "@$now" +%Y-%m-%dT%H:%M:%SZ)" "$job_nodes" >> @jobs_file@
}
