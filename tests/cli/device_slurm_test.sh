#!/bin/bash
# Runs on a device that srun leads to, in a real Slurm of one node that this test starts, and a job array whose rows
# come back. usage: device_slurm_test.sh PROGRAM RUNNER [TIMES [SEED [VICTIMS]]]. Skipped (77) where Slurm is missing or
# cannot start.
set -eu
cli=$1
runner=$2
times=${3:-5}
RANDOM=${4:-1}
victims=(${5:-slurmd slurmstepd far})

# shellcheck source=tests/cli/expect.sh
. "$(dirname "$0")/expect.sh"
export PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd srun sbatch; do
  command -v "$program" >/dev/null || skip "$program is not installed (Debian: slurm-wlm, munge)"
done
[ "$(id -u)" = 0 ] || skip "slurmd starts jobs as root alone"

folder=$(mktemp -d)
started=()
end() {
  scancel --quiet --user=root 2>/dev/null || true
  for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
  sleep 0.3
  for process in "${started[@]}"; do kill -9 "$process" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap end EXIT
cd "$folder"
export XDG_CONFIG_HOME="$folder/config" SLURM_CONF="$folder/slurm.conf"

# ---- a cluster of one node ----
mkdir state spool
head -c 1024 /dev/urandom >key
chmod 400 key
munged --foreground --force --key-file="$folder/key" --socket="$folder/munge" --pid-file="$folder/munged.pid" \
  --log-file="$folder/munged.log" --seed-file="$folder/seed" >munged.out 2>&1 &
started+=($!)
host=$(hostname -s)
port=$((41000 + 2 * ($(od -An -N2 -tu2 /dev/urandom) % 10000)))  # sshd of other tests has those below
cat >slurm.conf <<END
ClusterName=kdscope
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$folder/munge
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/linear
SchedulerParameters=sched_interval=2,bf_interval=2
ReturnToService=2
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=30 State=UP
END
touch slurmctld.log slurmd.log
start_node() {
  slurmd -D >slurmd.out 2>&1 &
  node=$!
  started+=("$node")
}
node_answers() {
  for _ in $(seq 100); do
    if [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ]; then return 0; fi
    sleep 0.2
  done
  return 1
}
sleep 0.5
slurmctld -D >slurmctld.out 2>&1 &
started+=($!)
start_node
node_answers ||
  skip "Slurm does not start: $(cat slurmctld.out slurmctld.log slurmd.out slurmd.log 2>&1 | tail -n 3 | tr '\n' ' ')"

# ---- runs through srun ----
expect 0 "$cli" device add queue --silence 10 -- srun --quiet --ntasks=1 "$runner" --far
expect 0 "$cli" device list --check
says out "$(hostname)"
for data in wald-10 uniform:n=20000,dim=3; do
  expect 0 "$cli" record --data "$data" --backend cpu --device queue -o there.kdtrace
  expect 0 "$cli" record --data "$data" --backend cpu -o here.kdtrace
  expect 0 "$cli" diff there.kdtrace here.kdtrace
done

# A queue that takes longer than the device waits is one sentence, with what Slurm says.
sbatch --quiet --wrap "sleep 600" --output=/dev/null
for _ in $(seq 50); do [ "$(squeue --noheader --states=running | wc -l)" = 0 ] || break; sleep 0.1; done
expect 0 "$cli" device add patient --wait 3 -- srun --ntasks=1 "$runner" --far
expect 5 "$cli" build --data wald-10 --device patient
says err "no kdscope-runner has answered for 3 seconds"
says err "queued and waiting for resources"
scancel --user=root
node_answers
expect 0 "$cli" build --data wald-10 --backend cpu --device queue

# ---- a job array, whose rows come back ----
cat >sweep.yaml <<END
title: a sweep
algorithms: [wald, hu]
data: ["uniform:n={n},dim=3"]
n: [1000, 2000]
repeats: 3
backend: cpu
END
expect 0 "$cli" experiment sweep.yaml --keep rows.json --slurm "--time=5 --output=/dev/null" --submit
says out "of 4 tasks"
for _ in $(seq 1500); do
  [ "$(squeue --noheader | wc -l)" != 0 ] || break
  sleep 0.2
done
expect 0 "$cli" bench rows.json
for algorithm in wald hu; do says rows.json "\"$algorithm\""; done
[ "$(grep -o '"work": *"build"' rows.json | wc -l)" = 4 ] || { echo "not four rows:"; cat rows.json; exit 1; }
[ -z "$(ls rows.part-* 2>/dev/null)" ] || { echo "parts are left"; exit 1; }

# ---- slurmd, slurmstepd and the far side are killed at moments that a seed chooses, in turn ----
for time in $(seq "$times"); do
  moment=$((RANDOM % 4000))
  victim=${victims[$((time % ${#victims[@]}))]}
  "$cli" repeat --times 40 --data uniform:n=20000,dim=3 --backend cpu --device queue >out 2>err &
  run=$!
  sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
  if [ "$victim" = slurmd ]; then
    kill -9 "$node" 2>/dev/null || true
  else
    for far in $(pgrep -f "^$runner --far" || true); do
      if [ "$victim" = slurmstepd ]; then
        far=$(ps -o ppid= -p "$far" | tr -d ' ')
        [ "$(ps -o comm= -p "$far")" = slurmstepd ] || far=
      fi
      [ -z "$far" ] || kill -9 "$far" 2>/dev/null || true
    done
  fi
  code=0
  wait "$run" || code=$?
  if [ "$code" != 0 ] && { [ "$code" != 5 ] || [ "$(wc -l <err)" != 1 ]; }; then
    echo "time $time, $victim after $moment ms: exit code $code, and not one sentence:"
    cat err
    exit 1
  fi
  echo "$victim after $moment ms: exit code $code $(cut -c 1-200 err)"
  scancel --user=root
  if [ "$victim" = slurmd ]; then
    wait "$node" 2>/dev/null || true
    start_node
  fi
  node_answers || { echo "the node does not come back"; tail slurmctld.log slurmd.log; exit 1; }
  expect 0 "$cli" build --data wald-10 --backend cpu --device queue
done
