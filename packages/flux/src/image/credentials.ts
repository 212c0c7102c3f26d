import { compareGoStrings } from "@weir/base";

/** The credentials for one registry. */
export interface HostCredentials {
  readonly username: string;
  readonly password: string;
  /** Where they come from, for logs: "default:secret/pull" or "/etc/docker/config.json". */
  readonly provenance: string;
}

/** Credentials by host, as "host" or "host:port". */
export type RegistryCredentials = ReadonlyMap<string, HostCredentials>;

/** For registries that anybody can read. */
export const noCredentials: RegistryCredentials = new Map();

/** Combines all credentials; for the same host, later ones take precedence. */
export function mergeCredentials(...all: readonly RegistryCredentials[]): RegistryCredentials {
  return new Map(all.flatMap((credentials) => [...credentials]));
}

/** Prints credentials without passwords, as Flux v1 logs them. */
export function printCredentials(credentials: RegistryCredentials): string {
  const hosts = [...credentials].sort(([a], [b]) => compareGoStrings(a, b));
  return `{map[${hosts.map(([host, each]) => `${host}:${printHostCredentials(host, each)}`).join(" ")}]}`;
}

/** Prints credentials without the password, as Flux v1 logs them. */
export function printHostCredentials(host: string, credentials: HostCredentials | undefined): string {
  return credentials === undefined
    ? "<zero creds>"
    : `<registry creds for ${credentials.username}@${host}, from ${credentials.provenance}>`;
}
