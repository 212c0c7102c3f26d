import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { type AddressRefusal, ForbiddenAddressError } from "./transport.ts";

/** Link-local networks, where clouds serve the credentials of a machine, and the addresses of similar services. */
const forbidden = new BlockList();
forbidden.addSubnet("169.254.0.0", 16);
forbidden.addSubnet("fe80::", 10, "ipv6");
forbidden.addAddress("fd00:ec2::254", "ipv6");
forbidden.addAddress("fd20:ce::254", "ipv6");
forbidden.addAddress("100.100.100.200");
forbidden.addAddress("168.63.129.16");
forbidden.addAddress("192.0.0.192");
// What a NAT64 gateway makes of link-local addresses.
forbidden.addSubnet("64:ff9b::a9fe:0", 112, "ipv6");

/** True for an IP address that a name from outside must not resolve to. False for names. */
export function isForbiddenAddress(address: string): boolean {
  return isIn(forbidden, address);
}

/** Networks that can be reached only from inside: this machine, a cluster, or a company. */
const inner = new BlockList();
inner.addSubnet("0.0.0.0", 8);
inner.addSubnet("10.0.0.0", 8);
inner.addSubnet("100.64.0.0", 10);
inner.addSubnet("127.0.0.0", 8);
inner.addSubnet("172.16.0.0", 12);
inner.addSubnet("192.168.0.0", 16);
inner.addAddress("::", "ipv6");
inner.addAddress("::1", "ipv6");
inner.addSubnet("fc00::", 7, "ipv6");

/** True for an IP address of this machine or of a private network. False for names. */
export function isPrivateAddress(address: string): boolean {
  return isIn(inner, address);
}

/** Resolves a name to all its addresses, with the signature of Node's lookup. */
export type LookUp = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves names, but fails with ForbiddenAddressError if a name resolves to a forbidden address. Because this checks
 * the address that's then connected to, the name can't change in between.
 */
export function guardedLookup(
  refusalOf: (address: string) => AddressRefusal | undefined,
  lookUp: LookUp = lookup,
): LookupFunction {
  return (hostname, options, callback) => {
    const all: LookupOptions & { all: true } = { ...options, all: true };
    lookUp(hostname, all, (error, addresses) => {
      const [problem = error] = (error ? [] : addresses).flatMap(({ address }) => {
        const refusal = refusalOf(address);
        return refusal === undefined ? [] : [new ForbiddenAddressError(address, refusal)];
      });
      answer(problem, error ? [] : addresses, options.all === true, callback);
    });
  };
}

function isIn(networks: BlockList, address: string): boolean {
  const bare = address.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, "");
  const family = isIP(bare);
  return family !== 0 && networks.check(bare, family === 6 ? "ipv6" : "ipv4");
}

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
