import { join } from "node:path";
import { findProgram, type PodImage } from "@weir/testing";
import { deliveredImage, imageVariable, ownUser, rootImageVariable } from "./delivered-image.ts";

const root = join(import.meta.dirname, "../../..");

/** As in each container of these tests: the users that their programs run as. */
const users = { "/etc/passwd": join(import.meta.dirname, "passwd") };

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Weir's image that runs as root, under whatever name it is installed: the one that is to be tested, or else the machine's
 * own files.
 */
export function weirRootImage(match: string): PodImage {
  const delivered = deliveredImage(rootImageVariable);
  return delivered === undefined ? sourceImage(match) : { match, ...delivered };
}

/** The same without root. */
function weirImage(match: string): PodImage {
  const delivered = deliveredImage(imageVariable);
  return delivered === undefined ? { ...sourceImage(match), user: ownUser } : { match, ...delivered };
}

/** What the Dockerfile makes of dist/, over the machine's files. */
export function sourceImage(match: string): PodImage {
  return {
    match,
    command: ["fluxd"],
    env: { PATH: `/opt/weir:${path}` },
    mounts: {
      ...users,
      "/opt/weir": join(root, "dist"),
      "/usr/local/bin/node": process.execPath,
      "/etc/ssh/ssh_config": join(root, "docker/ssh_config"),
      "/etc/ssh/ssh_known_hosts": join(root, "docker/known_hosts"),
      "/root/.kube/config": join(root, "docker/kubeconfig"),
    },
  };
}

/** The images that tests in pods start from. */
export function usualImages(): readonly PodImage[] {
  return [
    weirRootImage("*fluxcd/flux:*"),
    weirRootImage("*weir:*-root"),
    weirImage("*weir:*"),
    { match: "*memcached:*", command: ["memcached", "-u", "root"] },
    {
      match: "registry:*",
      command: [findProgram("docker-registry") ?? "docker-registry", "serve", "/etc/registry.yaml"],
      mounts: { "/etc/registry.yaml": join(import.meta.dirname, "registry.yaml") },
    },
    {
      match: gitServerImage,
      command: ["sh", "-c", "mkdir -p /run/sshd && exec /usr/sbin/sshd -D -e -f /etc/git-server/sshd_config"],
      mounts: users,
    },
  ];
}

/** The name of an image with sshd and git. */
export const gitServerImage = "git-server:1";
