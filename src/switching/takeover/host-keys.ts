import { type Finding, failed, passed, warning } from "@weir/base";
import type { DaemonPod, MountedVolume } from "../running-install/daemon-pod.ts";
import { knownHosts } from "./known-hosts.ts";

/** Where ssh looks for host keys: folders that a volume can replace, and the file in each. */
const places: readonly (readonly [folder: string, file: string])[] = [
  ["/root/.ssh", "known_hosts"],
  ["/etc/ssh", "ssh_known_hosts"],
];

const subject = "host keys";

/** A mounted volume that can contain host keys, and the name of the file in it. */
export interface HostKeyFile {
  readonly volume: MountedVolume;
  readonly file: string;
}

/** The volume that the Deployment mounts for host keys; undefined if there's none. */
export function hostKeyFileOf({ volumes }: DaemonPod): HostKeyFile | undefined {
  for (const [folder, file] of places) {
    const volume = volumes.find(({ path }) => path === folder || path === `${folder}/${file}`);
    if (volume !== undefined) {
      return { volume, file: volume.subPath || file };
    }
  }
  return undefined;
}

/** What's known about the host keys that fluxd will have. */
export interface HostKeys {
  /** As in known_hosts: "host", or "[host]:port". */
  readonly host: string;
  readonly mounted: HostKeyFile | undefined;
  /** The content of the mounted file; undefined if it can't be read. */
  readonly content: string | undefined;
}

/** Will ssh know the key of the git host? Otherwise, it refuses to connect. */
export function hostKeyFinding({ host, mounted, content }: HostKeys): Finding {
  if (isKnown(host, mounted?.file === "known_hosts" || mounted === undefined ? knownHosts : [])) {
    return passed(subject, `Weir's image has the host keys for ${host}`);
  }
  if (mounted === undefined) {
    return failed(
      subject,
      `Weir's image has no host key for ${host}, and the Deployment doesn't mount a known_hosts file`,
      `mount a ConfigMap with a known_hosts file at /root/.ssh (chart: set ssh.known_hosts); \`ssh-keyscan ${scanArguments(host)}\` prints the keys; verify them before you use them`,
    );
  }
  const { kind, name } = mounted.volume;
  if (content === undefined) {
    return warning(
      subject,
      `the host keys for ${host} must be in ${kind === "other" ? "volume" : kind} ${name}, which this command can't read`,
      `make sure that it contains a key for ${host}`,
    );
  }
  const names = content.split("\n").flatMap((line) => hostsIn(line));
  return isKnown(host, names)
    ? passed(subject, `ConfigMap ${name} has the host keys for ${host}`)
    : failed(
        subject,
        `neither Weir's image nor ConfigMap ${name} has a host key for ${host}`,
        `add the keys to ${mounted.file} in ConfigMap ${name}; \`ssh-keyscan ${scanArguments(host)}\` prints them; verify them before you use them`,
      );
}

/** The host of an SSH URL, as in known_hosts; undefined for other URLs. */
export function sshHostOf(url: string): string | undefined {
  const proper = /^(?:git\+)?ssh(?:\+git)?:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)(?::(\d+))?/i.exec(url);
  const scp = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? null : /^(?:[^@/:]+@)?([\w.-]+):/.exec(url);
  const [, host, port] = proper ?? scp ?? [];
  if (host === undefined) {
    return undefined;
  }
  return port === undefined || port === "22" ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;
}

/** Hashed names can't be read, so they count for any host. */
function isKnown(host: string, names: readonly string[]): boolean {
  return names.some((name) => name === host || name.startsWith("|1|") || matches(name, host));
}

function matches(pattern: string, host: string): boolean {
  if (!/[*?]/.test(pattern)) {
    return false;
  }
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`).test(host);
}

/** The hosts of a line in a known_hosts file; none for a revoked key. */
function hostsIn(line: string): readonly string[] {
  const [first = "", second = ""] = line.trim().split(/\s+/);
  if (first.startsWith("#") || first === "@revoked") {
    return [];
  }
  return (first === "@cert-authority" ? second : first).split(",").filter((name) => name !== "");
}

function scanArguments(host: string): string {
  const [, name, port] = /^\[(.+)\]:(\d+)$/.exec(host) ?? [];
  return name === undefined ? host : `-p ${port} ${name}`;
}
