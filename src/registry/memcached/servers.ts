import { crc32 } from "node:zlib";
import { compareGoStrings } from "@weir/base";

/** Where a server is. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** "host:port". */
export function printAddress({ host, port }: ServerAddress): string {
  return `${host}:${port}`;
}

/**
 * The server that a key is kept at. As Go's gomemcache, so that a Flux with the same servers finds what we put;
 * undefined where there are none.
 */
export function serverOf(key: string, servers: readonly ServerAddress[]): ServerAddress | undefined {
  return servers.length <= 1 ? servers[0] : servers[crc32(key) % servers.length];
}

/** Servers in the order in which keys are spread over them: by name as DNS has it, with the dot at its end. */
export function sortServers(servers: readonly ServerAddress[]): readonly ServerAddress[] {
  const keyOf = ({ host, port }: ServerAddress): string => `${host.replace(/\.$/, "")}.:${port}`;
  return servers.toSorted((a, b) => compareGoStrings(keyOf(a), keyOf(b)));
}
