import { type Finding, failed, passed, warning } from "@weir/base";
import type { DaemonPod, MountedVolume } from "./daemon-pod.ts";
import { knownHosts } from "./known-hosts.ts";

/** Where ssh looks for the keys of hosts, and the folders that may bring such a file. */
const places: readonly (readonly [folder: string, file: string])[] = [
  ["/root/.ssh", "known_hosts"],
  ["/etc/ssh", "ssh_known_hosts"],
];

const subject = "host keys";

/** A mounted volume that may hold host keys, and the name of the file in it. */
export interface HostKeyFile {
  readonly volume: MountedVolume;
  readonly file: string;
}

/** Where the Deployment brings host keys of its own; undefined where it does not. */
export function hostKeyFileOf({ volumes }: DaemonPod): HostKeyFile | undefined {
  for (const [folder, file] of places) {
    const volume = volumes.find(({ path }) => path === folder || path === `${folder}/${file}`);
    if (volume !== undefined) {
      return { volume, file: volume.subPath || file };
    }
  }
  return undefined;
}

/** What is known about the host keys that a fluxd will have. */
export interface HostKeys {
  /** As ssh writes it: "host", or "[host]:port". */
  readonly host: string;
  readonly mounted: HostKeyFile | undefined;
  /** The content of the mounted file; undefined where it cannot be looked at. */
  readonly content: string | undefined;
}

/** Will ssh know the git host? It asks nobody, and refuses a host that it does not know. */
export function hostKeyFinding({ host, mounted, content }: HostKeys): Finding {
  if (isKnown(host, mounted?.file === "known_hosts" || mounted === undefined ? knownHosts : [])) {
    return passed(subject, `Weir's image has the host keys of ${host}`);
  }
  if (mounted === undefined) {
    return failed(
      subject,
      `Weir's image has no host key of ${host}, and the Deployment does not mount a known_hosts file`,
      `mount a ConfigMap with a known_hosts file at /root/.ssh (chart: set ssh.known_hosts); \`ssh-keyscan ${scanArguments(host)}\` prints the keys, which you must verify`,
    );
  }
  const { kind, name } = mounted.volume;
  if (content === undefined) {
    return warning(
      subject,
      `the host keys of ${host} have to come from ${kind} ${name}, which this check does not read`,
      `make sure that it has a key of ${host}`,
    );
  }
  const names = content.split("\n").flatMap((line) => hostsIn(line));
  return isKnown(host, names)
    ? passed(subject, `ConfigMap ${name} has the host keys of ${host}`)
    : failed(
        subject,
        `neither Weir's image nor ConfigMap ${name} has a host key of ${host}`,
        `add the keys to ${mounted.file} in ConfigMap ${name}; \`ssh-keyscan ${scanArguments(host)}\` prints them, and you must verify them`,
      );
}

/** The host of an SSH URL, in the form in which ssh looks it up; undefined for another URL. */
export function sshHostOf(url: string): string | undefined {
  const proper = /^(?:git\+)?ssh(?:\+git)?:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)(?::(\d+))?/i.exec(url);
  const scp = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? null : /^(?:[^@/:]+@)?([\w.-]+):/.exec(url);
  const [, host, port] = proper ?? scp ?? [];
  if (host === undefined) {
    return undefined;
  }
  return port === undefined || port === "22" ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;
}

/** Hashed names cannot be told, so they count for any host. */
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

/** The hosts of a line in a known_hosts file; revoked keys are for none. */
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
