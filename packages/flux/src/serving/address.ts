import type { AddressInfo } from "node:net";
import { ListenError } from "./listen-error.ts";

/**
 * Splits "host:port", with IPv6 addresses in brackets; an empty host means every interface. Throws
 * ListenError for other text.
 */
export function parseAddress(address: string): { readonly host: string; readonly port: number } {
  const match = /^(?:\[([^\]]*)\]|([^:]*)):(\d+)$/.exec(address);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) {
    throw new ListenError(address, 'expected host:port, e.g. ":3030" or "127.0.0.1:3030"');
  }
  return { host: match[1] ?? match[2] ?? "", port };
}

/** The address of a listening server, in parseAddress format; "" if it isn't listening. */
export function printAddress(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") {
    return address ?? "";
  }
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `${host}:${address.port}`;
}
