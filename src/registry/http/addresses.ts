import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { ForbiddenAddressError } from "./transport.ts";

/** Link-local networks, where clouds serve the credentials of a machine, and such services elsewhere. */
const forbidden = new BlockList();
forbidden.addSubnet("169.254.0.0", 16);
forbidden.addSubnet("fe80::", 10, "ipv6");
forbidden.addAddress("fd00:ec2::254", "ipv6");
forbidden.addAddress("100.100.100.200");

/** True for an IP address that a name from outside must not lead to. False for names. */
export function isForbiddenAddress(address: string): boolean {
  const bare = address.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, "");
  const family = isIP(bare);
  return family !== 0 && forbidden.check(bare, family === 6 ? "ipv6" : "ipv4");
}

/**
 * Looks a name up as Node does, but fails with ForbiddenAddressError for one that leads to such an address: it
 * is the address that is then connected to that is looked at, so the name cannot change its mind in between.
 */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  const all: LookupOptions & { all: true } = { ...options, all: true };
  lookup(hostname, all, (error, addresses) => {
    const bad = error ? undefined : addresses.find(({ address }) => isForbiddenAddress(address));
    const problem = bad === undefined ? error : new ForbiddenAddressError(bad.address);
    answer(problem, error ? [] : addresses, options.all === true, callback);
  });
};

function answer(
  problem: Error | null,
  addresses: LookupAddress[],
  all: boolean,
  callback: Parameters<LookupFunction>[2],
): void {
  const [first] = addresses;
  if (problem !== null || first === undefined) {
    callback(problem ?? new Error("no address"), []);
  } else if (all) {
    callback(null, addresses);
  } else {
    callback(null, first.address, first.family);
  }
}
