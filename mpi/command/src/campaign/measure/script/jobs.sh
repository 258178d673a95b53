# The name of this job in the times: the scheduler's, else the host and the second of the start. With its nodes, and its start if that is
# known: a job may start several scripts.
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
job=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID:-}}
job=${job:-${SLURM_JOB_ID:-${PBS_JOBID:-${LSB_JOBID:+$LSB_JOBID-${LSB_JOBINDEX:-0}}}}}
job_start=
if [ -n "${SLURM_JOB_START_TIME:-}" ]; then job_start=$(date -u -d "@$SLURM_JOB_START_TIME" +%Y-%m-%dT%H:%M:%SZ); fi
if [ -z "$job" ]; then job=$HOSTNAME-$(date +%s) job_start=$now; fi
job=${job//[!A-Za-z0-9.-]/-}
job_nodes=${SLURM_JOB_NODELIST:-${LSB_HOSTS:-$HOSTNAME}}
if [ -r "${PBS_NODEFILE:-}" ]; then job_nodes=$(sort -u "$PBS_NODEFILE" | paste -sd ' ' -); fi
case ${QTDEC_LAUNCHES:-next} in
  next | all) ;;
  *) echo "QTDEC_LAUNCHES=$QTDEC_LAUNCHES: set it to all, or not at all" >&2; exit 1 ;;
esac

# Adds this job to the list of jobs that measured something, with its start, or else that of this script, and its nodes.
record_job() {
  echo "$job ${job_start:-$now} $job_nodes" >> @jobs_file@
}
