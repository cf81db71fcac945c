#!/usr/bin/env bash
# What Skipper keeps on disk, on a real GPU: kernels, plans and the tuning file are damaged, cut short, made read-only, written
# by two processes at once and by one that is killed. Every run after that must be right, or refuse with a message.
#   bench/gpu/kept.sh [SKIPPER]       default build/gpu/bin/skipper; about two minutes
set -u
skipper=${1:-build/gpu/bin/skipper}
device=${DEVICE:-cuda:0}
work=$(mktemp -d)
trap 'umount "$work/mounted" 2>/dev/null; chmod -R u+w "$work"; rm -rf "$work"' EXIT
export SKIPPER_CACHE=$work/cache
failed=0
problem="c2c f32 forward 96x20 batch 64"
# Verifies against a reference, then times for a moment; not 0 where the result is wrong.
verify() { "$skipper" bench "$problem" --device "$device" --no-peers --repeats 1 --seconds 0.01 >"$work/log" 2>&1; }
expect() {
  local what=$1
  shift
  if "$@"; then echo "ok: $what"; else
    echo "FAILED: $what" && tail -3 "$work/log"
    failed=1
  fi
}
damage() {
  python3 - "$1" "$2" <<'PYTHON'
import os, random, sys
random.seed(int(sys.argv[2]))
root = sys.argv[1]
for name in sorted(os.listdir(root)) if os.path.isdir(root) else [""]:
    path = os.path.join(root, name) if name else root
    data = bytearray(open(path, "rb").read())
    at = random.randrange(len(data)) if data else 0
    how = random.randrange(5)
    if how == 0: data = data[:at]
    elif how == 1: data = data + data[at:]
    elif how == 2: data = bytearray()
    elif how == 3: data = bytearray(len(data))
    elif data: data[at] ^= 1 << random.randrange(8)
    open(path, "wb").write(data)
PYTHON
}
expect "a first run" verify
expect "a run from what was kept" verify
all=true
for seed in 1 2 3 4 5 6 7 8; do
  damage "$SKIPPER_CACHE" $seed
  verify || all=false
done
expect "eight runs on damaged kernels and plans" $all

mkdir "$work/mounted"
if mount -t tmpfs tmpfs "$work/mounted" 2>/dev/null; then
  cp -r "$SKIPPER_CACHE/." "$work/mounted"
  mount -o remount,ro "$work/mounted"
  SKIPPER_CACHE=$work/mounted expect "a read-only folder" verify
  mount -o remount,rw "$work/mounted"
  damage "$work/mounted" 9
  mount -o remount,ro "$work/mounted"
  SKIPPER_CACHE=$work/mounted expect "a damaged read-only folder" verify
  umount "$work/mounted"
else
  echo "not run: nothing can be mounted here"
fi

all=true
for milliseconds in 300 600 900 1200 1500 1800 2100 2400 2700 3000; do
  rm -rf "$SKIPPER_CACHE"
  verify &
  child=$!
  sleep "$(awk "BEGIN { print $milliseconds / 1000 }")"
  pkill -9 -P $child 2>/dev/null
  kill -9 $child 2>/dev/null
  wait $child 2>/dev/null
  verify || all=false
done
expect "ten runs after one that was killed" $all

rm -rf "$SKIPPER_CACHE"
"$skipper" bench "$problem" --device "$device" --no-peers --repeats 1 --seconds 0.01 >"$work/other" 2>&1 &
other=$!
expect "one of two that begin at once" verify
expect "the other" wait $other

tune() { timeout 60 "$skipper" tune "$problem" --device "$device" --candidates 2 >"$work/log" 2>&1; }
expect "tuning" tune
file=$(find "$SKIPPER_CACHE" -name 'tuning-*.txt' | head -1)
cp "$file" "$work/whole.txt"
all=true
for seed in 1 2 3 4 5 6; do
  cp "$work/whole.txt" "$file"
  damage "$file" $seed
  verify || all=false
done
expect "six runs with a damaged tuning file" $all
rm -f "$file"
tune &
other=$!
sleep 1
pkill -9 -P $other 2>/dev/null
wait $other 2>/dev/null
expect "tuning after one that was killed" tune
"$skipper" tune "$problem" --device "$device" --candidates 2 >"$work/other" 2>&1 &
other=$!
expect "one of two that tune at once" tune
expect "the other" wait $other
expect "a run after all" verify
exit $failed
