import type { AddressInfo } from "node:net";
import { ListenError } from "./listen-error.ts";

/** Takes "host:port" apart, with IPv6 in brackets; no host is every interface. Throws ListenError for other text. */
export function parseAddress(address: string): { readonly host: string; readonly port: number } {
  const match = /^(?:\[([^\]]*)\]|([^:]*)):(\d+)$/.exec(address);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) {
    throw new ListenError(address, 'it is not host:port, e.g. ":3030" or "127.0.0.1:3030"');
  }
  return { host: match[1] ?? match[2] ?? "", port };
}

/** The address of a server that listens, as parseAddress reads it; "" for one that does not. */
export function printAddress(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") {
    return address ?? "";
  }
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `${host}:${address.port}`;
}
