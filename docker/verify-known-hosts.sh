#!/bin/sh
# Checks that the keys in known_hosts have the published fingerprints, and that each of these has its key. Needs no
# network.
#
#     docker/verify-known-hosts.sh [KNOWN_HOSTS]
#
# When a host changes a key:
# 1. Take the new fingerprint from the page that known_hosts.fingerprints names, over HTTPS, and change it there.
# 2. Write the keys that the hosts present to another file:
#
#     ssh-keyscan github.com gitlab.com bitbucket.org ssh.dev.azure.com vs-ssh.visualstudio.com >scanned
#     ssh-keyscan -p 2022 source.developers.google.com >>scanned
#
# 3. Check that file with this script. It replaces docker/known_hosts only if the check passes, because ssh-keyscan
#    itself trusts everybody who answers.
set -eu

folder=$(cd "$(dirname "$0")" && pwd)
known_hosts=${1:-$folder/known_hosts}
LC_ALL=C
export LC_ALL

published=$(grep -v '^#' "$folder/known_hosts.fingerprints" | sort)
if ! listed=$(ssh-keygen -l -f "$known_hosts"); then
  echo "verify-known-hosts: ssh-keygen cannot read $known_hosts" >&2
  exit 1
fi
present=$(printf '%s\n' "$listed" | sort)

if [ "$present" != "$published" ]; then
  {
    echo "verify-known-hosts: $known_hosts does not have the published keys."
    echo "Published (docker/known_hosts.fingerprints):"
    echo "$published"
    echo "Present:"
    echo "$present"
  } >&2
  exit 1
fi
