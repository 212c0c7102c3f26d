#!/bin/sh
# Verifies downloaded files of a release: that the owner of a key signed the checksums and the provenance, that each file
# has its checksum, and of which commit it all was made. See docs/verifying.md. Needs cosign or openssl.
set -eu

usage='Usage: verify-release.sh --key FILE [--commit HASH] [FOLDER]

  --key FILE      the public key of the releases; not one that came with the files
  --commit HASH   the full name of the commit that the release must be made of
  FOLDER          the downloaded files, with checksums.txt; by default the current folder'

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

misused() {
  printf 'Error: %s\n\n%s\n' "$1" "$usage" >&2
  exit 2
}

key=
commit=
folder=.
while [ $# -gt 0 ]; do
  case $1 in
    --key | --commit)
      [ $# -gt 1 ] || misused "$1 needs a value"
      if [ "$1" = --key ]; then key=$2; else commit=$2; fi
      shift
      ;;
    --help | -h)
      echo "$usage"
      exit 0
      ;;
    -*) misused "unknown option $1" ;;
    *) folder=$1 ;;
  esac
  shift
done
[ -n "$key" ] || misused "--key is missing"
[ -f "$key" ] || misused "there is no file $key"
[ -d "$folder" ] || misused "there is no folder $folder"
case $key in /*) ;; *) key=$PWD/$key ;; esac
cd "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sha256() {
  if command -v sha256sum >/dev/null; then
    sha256sum <"$1"
  elif command -v shasum >/dev/null; then
    shasum -a 256 <"$1"
  else
    openssl dgst -sha256 -r <"$1"
  fi | cut -d ' ' -f 1
}

# A signature of cosign with such a key is one of ECDSA, over the SHA-256 of the file, in base64.
is_signed() {
  if command -v cosign >/dev/null; then
    cosign verify-blob --key "$key" --insecure-ignore-tlog=true --signature "$1.sig" "$1" >"$work/said" 2>&1
  elif command -v openssl >/dev/null; then
    openssl base64 -d -A -in "$1.sig" -out "$work/signature" 2>"$work/said" &&
      openssl dgst -sha256 -verify "$key" -signature "$work/signature" "$1" >"$work/said" 2>&1
  else
    fail "install cosign or openssl"
  fi
}

check_signature() {
  [ -f "$1" ] || fail "$1 is missing"
  [ -f "$1.sig" ] || fail "$1 isn't signed: $1.sig is missing"
  is_signed "$1" || fail "$1 isn't signed with this key: $(cat "$work/said")"
  echo "ok: $1 is signed with this key"
}

check_files() {
  present=0
  : >"$work/listed"
  while IFS= read -r line; do
    path=${line#*  }
    printf '%s\n' "$path" >>"$work/listed"
    [ -f "$path" ] || continue
    [ "$(sha256 "$path")" = "${line%%  *}" ] || fail "$path differs from what was released"
    present=$((present + 1))
  done <checksums.txt
  [ "$present" -gt 0 ] || fail "none of the files in checksums.txt is here"
  echo "ok: $present of $(wc -l <checksums.txt | tr -d ' ') files are here, and have their checksums"
}

# What isn't in the release wasn't verified, whatever its name promises.
check_nothing_else() {
  printf '%s\n' checksums.txt checksums.txt.sig provenance.intoto.json.sig cosign.pub >>"$work/listed"
  find . -type f | sed 's|^\./||' >"$work/present"
  others=$(grep -v -x -F -f "$work/listed" "$work/present" || true)
  [ -z "$others" ] || fail "not part of the release, so not verified: $(printf '%s' "$others" | tr '\n' ' ')"
}

check_commit() {
  found=$(sed -n 's/.*"gitCommit": *"\([0-9a-f]*\)".*/\1/p' provenance.intoto.json)
  [ "$(printf '%s' "$found" | wc -w)" -eq 1 ] || fail "provenance.intoto.json doesn't name one commit"
  if [ -n "$commit" ] && [ "$found" != "$commit" ]; then
    fail "made of commit $found, not $commit"
  fi
  echo "ok: made of commit $found"
}

check_signature checksums.txt
check_signature provenance.intoto.json
check_files
check_nothing_else
check_commit
echo "verified"
