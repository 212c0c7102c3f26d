import { crc32 } from "node:zlib";
import { compareGoStrings } from "@weir/base";

/** The address of a server. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** "host:port". */
export function printAddress({ host, port }: ServerAddress): string {
  return `${host}:${port}`;
}

/**
 * The server that stores a key. Same as Go's gomemcache, so that a Flux with the same servers finds our items.
 * Undefined if there are no servers.
 */
export function serverOf(key: string, servers: readonly ServerAddress[]): ServerAddress | undefined {
  return servers.length <= 1 ? servers[0] : servers[crc32(key) % servers.length];
}

/** Sorts servers for distributing keys: by DNS name, including the final dot. */
export function sortServers(servers: readonly ServerAddress[]): readonly ServerAddress[] {
  const keyOf = ({ host, port }: ServerAddress): string => `${host.replace(/\.$/, "")}.:${port}`;
  return servers.toSorted((a, b) => compareGoStrings(keyOf(a), keyOf(b)));
}
