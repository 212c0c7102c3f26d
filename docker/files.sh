#!/bin/sh
# Makes what images have of this repository, after its build: `docker/files.sh weir FOLDER` for those of fluxd, and
# `docker/files.sh console FOLDER` for that of the console. Needs root, for files of the images' own user, 1000.
set -eu
umask 022
cd "$(dirname "$0")/.."
image=$1 to=$2
mkdir -p "$to/opt" "$to/usr/local/bin" "$to/usr/sbin"
# Where programs are in Flux's image, for Deployments and scripts that name their paths.
ln -s /usr/bin/tini "$to/usr/sbin/tini"
case $image in
  weir)
    node scripts/copy-programs.ts "$to/opt/weir" fluxctl fluxd
    ln -s /opt/weir/fluxd "$to/usr/local/bin/fluxd"
    ln -s /opt/weir/fluxctl "$to/usr/local/bin/fluxctl"
    # The keys of git hosts that are known from the beginning; of others, see the comments in deploy/flux-deployment.yaml.
    install -D --mode=0644 docker/known_hosts "$to/etc/ssh/ssh_known_hosts"
    install -D --mode=0644 docker/ssh_config "$to/etc/ssh/ssh_config"
    install --directory --mode=0700 "$to/root"
    install -D --mode=0644 docker/kubeconfig "$to/root/.kube/config"
    mkdir "$to/home"
    install --directory --owner=1000 --group=1000 "$to/home/flux" "$to/home/flux/.kube"
    install --mode=0644 --owner=1000 --group=1000 docker/kubeconfig "$to/home/flux/.kube/config"
    ;;
  console)
    node scripts/copy-programs.ts "$to/opt/weir" weir-console
    ln -s /opt/weir/weir-console "$to/usr/local/bin/weir-console"
    # For its data; a volume may replace it.
    mkdir -p "$to/var/lib"
    install --directory --mode=0700 --owner=1000 --group=1000 "$to/var/lib/weir-console"
    ;;
esac
