#!/usr/bin/env bash
# Unpacks Debian's source package of LevelDB, without touching the system's package sources.
#
#     fetch.sh FOLDER      leaves FOLDER/source
set -euo pipefail
mkdir -p "$1"
cd "$1"
if [[ -f source/db/db_impl.cc ]]; then exit 0; fi
if ! command -v apt-get >/dev/null || ! command -v dpkg-source >/dev/null; then
  echo "fetch.sh: needs apt-get and dpkg-source (Debian: dpkg-dev); or unpack the source" \
    "package of LevelDB yourself as $PWD/source" >&2
  exit 1
fi
# shellcheck source=/dev/null
. /etc/os-release
mkdir -p lists/partial sources
cat >sources/source.sources <<SOURCES
Types: deb-src
URIs: ${HOTSEAT_DEBIAN_MIRROR:-http://deb.debian.org/debian}
Suites: ${VERSION_CODENAME:-bookworm}
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
apt=(apt-get --quiet --option Dir::Etc::sourcelist=/dev/null
  --option "Dir::Etc::sourceparts=$PWD/sources" --option "Dir::State::lists=$PWD/lists")
"${apt[@]}" update
"${apt[@]}" source --download-only leveldb
rm -rf source
dpkg-source --extract leveldb_*.dsc source
