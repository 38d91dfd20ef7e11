#!/usr/bin/env bash
# Runs commands on a bare Debian: do the README's two commands work for a new user?
#
#     clean_room.sh                     make demo, then make test, on a clone of HEAD
#     clean_room.sh COMMAND...          that instead, in the clone
#
#     CLEAN_ROOM_SUITE=trixie           Debian 13 instead of 12
#     CLEAN_ROOM_WITH="golang-go"       packages to install first
#     CLEAN_ROOM_USER=1                 runs the command as an ordinary user, without sudo, after
#                                       installing what `make test` needs
#     CLEAN_ROOM_FOLDER="a folder"      where the clone is in the room; by default /srv/hotseat
#     CLEAN_ROOM_OFFLINE=1              without a network, once CLEAN_ROOM_WITH is installed
#     CLEAN_ROOM=/var/tmp/clean-room    where the base systems are kept
#
# The room is a chroot with make, git and certificates: no compiler, no Go, no Java, no compiler cache.
# debootstrap makes the base system once; each call works on a copy of it.  Needs root.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=${CLEAN_ROOM_SUITE:-bookworm}
base=${CLEAN_ROOM:-/var/tmp/clean-room}/hotseat-$suite
folder=${CLEAN_ROOM_FOLDER:-/srv/hotseat}

fail() {
  echo "clean_room: $1" >&2
  exit 2
}
[[ $(id -u) == 0 ]] || fail "needs root, for chroot and mount"
git rev-parse --verify --quiet HEAD >/dev/null || fail "not a clone with a commit"
command -v debootstrap >/dev/null || fail "needs debootstrap (apt-get install debootstrap)"

# The mirror and the settings of this machine's apt, which may be behind a proxy.
make_base() {
  local mirror
  mirror=$(cat /etc/apt/sources.list.d/*.sources 2>/dev/null | awk '/^URIs:/ {print $2; exit}')
  [[ $mirror ]] || mirror=$(awk '/^deb / {print $2; exit}' /etc/apt/sources.list 2>/dev/null)
  [[ $mirror ]] || fail "no Debian mirror in /etc/apt"
  echo "clean_room: making the base system, once"
  rm -rf --one-file-system "$base.part"
  mkdir -p "$base.part"
  debootstrap --variant=minbase --include=ca-certificates,git,make "$suite" "$base.part" "$mirror" \
    >"$base.log" 2>&1 || fail "debootstrap failed; see $base.log"
  local part
  for part in apt.conf.d auth.conf.d keyrings trusted.gpg.d; do
    if [[ -d /etc/apt/$part ]]; then cp --recursive --no-clobber "/etc/apt/$part" "$base.part/etc/apt/"; fi
  done
  mv "$base.part" "$base"  # All or nothing.
}
[[ -d $base ]] || make_base

room=$(mktemp --directory "$base.XXXXXX")
leave() {
  local point
  for point in dev/shm dev sys proc; do umount "$room/$point" 2>/dev/null || true; done
  if grep --quiet " $room/" /proc/mounts; then fail "something is still mounted in $room"; fi
  rm -rf --one-file-system "$room"
}
trap leave EXIT
cp --archive "$base/." "$room/"
cp /etc/resolv.conf /etc/hosts "$room/etc/"
mount -t proc proc "$room/proc"
mount --bind /sys "$room/sys"
mount --bind /dev "$room/dev"
mount -t tmpfs tmpfs "$room/dev/shm"
git clone --quiet . "$room$folder"

# inside USER COMMAND...
inside() {
  local user=$1 launcher=()
  shift
  if [[ ${CLEAN_ROOM_OFFLINE:-0} == 1 ]]; then launcher=(unshare --net); fi
  "${launcher[@]}" chroot --userspec="$user" "$room" /usr/bin/env --ignore-environment LANG=C.UTF-8 \
    HOME="$(awk -F: -v user="$user" '$1 == user {print $6}' "$room/etc/passwd")" CI="${CI:-}" \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    bash -c 'cd "$1" && shift && exec "$@"' _ "$folder" "$@"
}
if [[ ${CLEAN_ROOM_WITH:-} ]]; then
  # Split into words on purpose.
  # shellcheck disable=SC2086
  CLEAN_ROOM_OFFLINE=0 inside root apt-get --quiet update >/dev/null &&
    CLEAN_ROOM_OFFLINE=0 inside root apt-get --quiet --yes --no-install-recommends install $CLEAN_ROOM_WITH >/dev/null ||
    fail "cannot install $CLEAN_ROOM_WITH"
fi
user=root
if [[ ${CLEAN_ROOM_USER:-0} == 1 ]]; then
  inside root tools/install_deps.sh >/dev/null
  inside root useradd --create-home guest
  inside root chown --recursive guest "$folder"
  user=guest
fi

# timed COMMAND...
timed() {
  local start=$SECONDS
  inside "$user" "$@"
  echo "clean_room: $* took $((SECONDS - start)) s"
}
if [[ $# != 0 ]]; then
  timed "$@"
else
  timed make demo
  timed make test
fi
