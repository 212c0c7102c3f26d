import { compareGoStrings } from "@weir/base";

/** Who we are to one registry. */
export interface HostCredentials {
  readonly username: string;
  readonly password: string;
  /** Where they come from, as logs tell it: "default:secret/pull", "/etc/docker/config.json". */
  readonly provenance: string;
}

/** Credentials by the host that they are for, "host" or "host:port". */
export type RegistryCredentials = ReadonlyMap<string, HostCredentials>;

/** For registries that anybody may read. */
export const noCredentials: RegistryCredentials = new Map();

/** All of them; where two are for the same host, the later ones count. */
export function mergeCredentials(...all: readonly RegistryCredentials[]): RegistryCredentials {
  return new Map(all.flatMap((credentials) => [...credentials]));
}

/** Without passwords, as Flux v1 logs them. */
export function printCredentials(credentials: RegistryCredentials): string {
  const hosts = [...credentials].sort(([a], [b]) => compareGoStrings(a, b));
  return `{map[${hosts.map(([host, each]) => `${host}:${printHostCredentials(host, each)}`).join(" ")}]}`;
}

/** Without the password, as Flux v1 logs it. */
export function printHostCredentials(host: string, credentials: HostCredentials | undefined): string {
  return credentials === undefined
    ? "<zero creds>"
    : `<registry creds for ${credentials.username}@${host}, from ${credentials.provenance}>`;
}
