#!/bin/sh
# Makes the Debian of the images: `docker/debian.sh ARCHITECTURE FOLDER [SOURCE...]` unpacks the packages that
# docker/debian pins into FOLDER/base, and what only the large image has into FOLDER/tools. Needs mmdebstrap, openssl, and
# root. A SOURCE is a line of apt's; without any, packages are those that Debian has now, or had when they were pinned.
#
# No script of a package runs: those of another architecture would need an emulator, and what scripts leave behind isn't the
# same each time. What they would do, as far as anybody would notice, is in configure_base and configure_tools.
set -eu
export LC_ALL=C
umask 022
here=$(cd "$(dirname "$0")" && pwd)

main() {
  architecture=$1 folder=$2
  shift 2
  for program in mmdebstrap openssl; do
    command -v "$program" >/dev/null || { echo "$program isn't installed: install the package $program" >&2; exit 1; }
  done
  pinned=$(cat "$here/debian/date")
  SOURCE_DATE_EPOCH=$(date --utc --date="$(echo "$pinned" | sed 's/T\(..\)\(..\)\(..\)Z/ \1:\2:\3/')" +%s)
  export SOURCE_DATE_EPOCH
  mkdir -p "$folder"
  folder=$(cd "$folder" && pwd)
  if [ "$#" = 0 ]; then
    archives http://deb.debian.org "" "" >"$folder/sources"
    if ! unpack base "$folder/sources"; then
      echo "debian.sh: trying snapshot.debian.org, as of $pinned" >&2
      archives https://snapshot.debian.org/archive "/$pinned" "[check-valid-until=no] " >"$folder/sources"
      unpack base "$folder/sources" || give_up
    fi
  else
    printf '%s\n' "$@" >"$folder/sources"
    unpack base "$folder/sources" || give_up
  fi
  configure_base "$folder/base"
  unpack tools "$folder/sources" || give_up
  configure_tools "$folder/tools"
  rm "$folder/sources"
}

# Lines of apt's sources: where, what follows the name of an archive, and options.
archives() {
  for archive in "debian$2 bookworm" "debian$2 bookworm-updates" "debian-security$2 bookworm-security"; do
    echo "deb $3$1/$archive main"
  done
}

give_up() {
  echo "debian.sh: a package of docker/debian can't be had, or differs: see above. If Debian no longer has it, pin what it
has now: run \"node scripts/lock-packages.ts\", and commit docker/debian." >&2
  exit 1
}

# The second set is unpacked beside the first one, which counts as installed.
unpack() {
  lock=$here/debian/$architecture-$1 tree=$folder/$1
  # Where every program for amd64 expects its loader.
  loader=$([ "$architecture" != amd64 ] || echo lib64)
  rm -rf "$tree"
  mmdebstrap --quiet --mode=chrootless --format=directory --variant=extract --architectures="$architecture" \
    --include="$(sed 's/.*  //; s/%3a/:/; s/_\([^_]*\)_.*/=\1/' "$lock" | paste -s -d ,)" \
    --setup-hook="sh '$here/debian.sh' --prepare \"\$1\" '$folder/base/var/lib/dpkg/status' $loader" \
    --extract-hook="sh '$here/debian.sh' --record \"\$1\" '$lock'" \
    bookworm "$tree" "$2" || return 1
  clean "$tree"
}

# Removes what mmdebstrap needed of its own, and what only people read.
clean() (
  cd "$1"
  rm -rf dev/* etc/apt/sources.list.d/0000* etc/dpkg/dpkg.cfg.d/99mmdebstrap etc/fstab etc/hostname etc/resolv.conf \
    var/cache/apt/* var/lib/apt/lists/* var/lib/dpkg/*-old var/lib/dpkg/lock* var/lib/dpkg/arch
  find usr/share/doc -mindepth 2 ! -type d ! -name copyright -delete
  find usr/share/doc -mindepth 1 -type d -empty -delete
  for name in info lintian linda groff man locale; do
    [ ! -e "usr/share/$name" ] || find "usr/share/$name" -mindepth 1 -delete
  done
)

# Before anything is unpacked: /bin and others are links, and what was unpacked before is installed.
prepare() {
  for name in bin sbin lib ${3:-}; do
    mkdir -p "$1/usr/$name"
    ln -s "usr/$name" "$1/$name"
  done
  if ! [ "$2" -ef "$1/var/lib/dpkg/status" ]; then
    cp "$2" "$1/var/lib/dpkg/status"
  fi
}

# After they were unpacked: checks that packages are the pinned ones, and enters them in dpkg's database, as dpkg would.
record() {
  cd "$1/var/cache/apt/archives"
  sha256sum --check --strict --quiet "$2" >&2
  info=$1/var/lib/dpkg/info
  mkdir -p "$info"
  echo 1 >"$info/format"
  for deb in *.deb; do
    name=$(dpkg-deb --field "$deb" Package)
    if [ "$(dpkg-deb --field "$deb" Multi-Arch)" = same ]; then
      name=$name:$(dpkg-deb --field "$deb" Architecture)
    fi
    dpkg-deb --control "$deb" control
    {
      sed '1a Status: install ok installed' control/control
      conffiles "$1" control/conffiles
      echo
    } >>"$1/var/lib/dpkg/status"
    rm control/control
    for file in control/*; do
      [ ! -e "$file" ] || mv "$file" "$info/$name.${file#*/}"
    done
    rmdir control
    dpkg-deb --fsys-tarfile "$deb" | tar --list --quoting-style=literal | sed 's|^\.||; s|\(.\)/$|\1|; s|^/$|/.|' >"$info/$name.list"
  done
}

# Files that an upgrade must not overwrite if somebody changed them, with their checksums as they are now.
conffiles() {
  if [ -e "$2" ]; then
    echo Conffiles:
    grep '^/' "$2" | while read -r path; do
      echo " $path $(md5sum <"$1$path" | cut -d ' ' -f 1)"
    done
  fi
}

configure_base() {
  cd "$1"
  for name in dev etc/opt home media mnt opt proc run srv sys usr/local/share/ca-certificates usr/local/share/man \
    var/cache/apt/archives/partial var/lib/apt/lists/partial var/opt; do
    mkdir -p "$name"
  done
  for name in bin etc games include lib sbin share src; do
    mkdir -p "usr/local/$name"
  done
  install -d -m 0700 root
  install -d -m 1777 run/lock tmp var/tmp
  install -d -m 2775 -g 8 var/mail
  ln -sfn ../mail var/spool/mail
  ln -sfn share/man usr/local/man
  ln -sfn debian etc/dpkg/origins/default
  rm -rf var/run var/lock
  ln -s /run var/run
  ln -s /run/lock var/lock
  cp usr/share/libc-bin/nsswitch.conf etc/nsswitch.conf
  cp usr/share/base-files/profile etc/profile
  cp usr/share/base-files/dot.bashrc root/.bashrc
  cp usr/share/base-files/dot.profile root/.profile
  # The user of the images that don't run as root, and a group of openssh-client.
  { cat usr/share/base-passwd/passwd.master; echo 'weir:*:1000:1000::/home/flux:/bin/bash'; } >etc/passwd
  { cat usr/share/base-passwd/group.master; echo '_ssh:*:101:'; echo 'weir:*:1000:'; } >etc/group
  install -d -o 1000 -g 1000 home/flux
  echo Etc/UTC >etc/timezone
  ln -sfn /usr/share/zoneinfo/Etc/UTC etc/localtime
  {
    echo 'path-exclude /usr/share/doc/*'
    echo 'path-include /usr/share/doc/*/copyright'
    printf 'path-exclude /usr/share/%s/*\n' info lintian groff man locale
  } >etc/dpkg/dpkg.cfg.d/small
  {
    apt_source debian bookworm bookworm-updates
    echo
    apt_source debian-security bookworm-security
  } >etc/apt/sources.list.d/debian.sources
  : >var/lib/dpkg/available
  alternative awk /usr/bin/mawk 5 --slave /usr/bin/nawk nawk /usr/bin/mawk
  alternative pager /bin/more 50
  alternative which /usr/bin/which.debianutils 0
  alternative pinentry /usr/bin/pinentry-curses 50
  certificates
}

apt_source() {
  echo Types: deb
  echo "URIs: http://deb.debian.org/$1"
  shift
  echo "Suites: $*"
  echo Components: main
  echo Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
}

configure_tools() {
  cd "$1"
  alternative awk /usr/bin/gawk 10 --slave /usr/bin/nawk nawk /usr/bin/gawk
  mkdir -p usr/local/bin
  ln -s /usr/bin/envsubst usr/local/bin/envsubst
}

# A program of several of a kind: its name, its path, its priority, and what else comes and goes with it.
alternative() {
  name=$1 path=$2 priority=$3
  shift 3
  update-alternatives --root "$PWD" --quiet --install "/usr/bin/$name" "$name" "$path" "$priority" "$@"
  rm -f var/log/alternatives.log
}

# What update-ca-certificates makes: all authorities in one file, and a link to each by its name and by its hash.
certificates() {
  source=usr/share/ca-certificates target=etc/ssl/certs
  (cd "$source" && find . -name '*.crt' | sed 's|^\./||' | sort) >etc/ca-certificates.conf
  mkdir -p "$target"
  while read -r name; do
    cat "$source/$name"
    cp "$source/$name" "$target/$(basename "$name" .crt).pem"
  done <etc/ca-certificates.conf >certificates
  openssl rehash "$target"
  while read -r name; do
    ln -sf "/$source/$name" "$target/$(basename "$name" .crt).pem"
  done <etc/ca-certificates.conf
  mv certificates "$target/ca-certificates.crt"
}

case $1 in
  --prepare) shift && prepare "$@" ;;
  --record) shift && record "$@" ;;
  *) main "$@" ;;
esac
