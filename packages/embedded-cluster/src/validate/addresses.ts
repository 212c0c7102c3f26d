/** IP addresses and ranges as objects may have them: also in forms that are frowned upon, e.g. with leading zeros. */
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import type { FieldError } from "../field-errors.ts";
import type { Field } from "./field.ts";

/** The family of an address; undefined where it is none. */
export function familyOf(address: string): "IPv4" | "IPv6" | undefined {
  const plain = withoutZeros(address);
  if (isIPv4(plain)) {
    return "IPv4";
  }
  // A zone ("fe80::1%eth0") is understood by Node, but no address to Kubernetes.
  return isIPv6(plain) && !plain.includes("%") ? "IPv6" : undefined;
}

/** An address. */
export function checkIp(address: Field): FieldError[] {
  const why = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  return address.follows((text) => (familyOf(text) === undefined ? [why] : []));
}

/** An address and the length of its prefix. */
export function checkCidr(cidr: Field): FieldError[] {
  const why = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
  return cidr.follows((text) => (parseCidr(text) === undefined ? [why] : []));
}

interface Cidr {
  readonly address: string;
  readonly family: "IPv4" | "IPv6";
  readonly bits: number;
}

/** The parts of a range; undefined where it is none. */
export function parseCidr(cidr: string): Cidr | undefined {
  const [, address = "", digits = ""] = /^([^/]+)\/(\d{1,3})$/.exec(cidr) ?? [];
  const family = familyOf(address);
  const bits = Number(digits);
  return family === undefined || bits > (family === "IPv4" ? 32 : 128)
    ? undefined
    : { address: withoutZeros(address), family, bits };
}

/** True where the inner range lies in the outer one and is smaller. */
export function isStrictSubset(inner: Cidr, outer: Cidr): boolean {
  if (inner.family !== outer.family || inner.bits <= outer.bits) {
    return false;
  }
  const family = outer.family === "IPv4" ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(outer.address, outer.bits, family);
  return list.check(inner.address, family);
}

const notForEndpoints: readonly {
  readonly ranges: readonly string[];
  readonly message: (address: string) => string;
}[] = [
  { ranges: ["0.0.0.0/32", "::/128"], message: (address) => `may not be unspecified (${address})` },
  {
    ranges: ["127.0.0.0/8", "::1/128"],
    message: () => "may not be in the loopback range (127.0.0.0/8, ::1/128)",
  },
  {
    ranges: ["169.254.0.0/16", "fe80::/10"],
    message: () => "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
  },
  {
    ranges: ["224.0.0.0/24", "ff02::/16"],
    message: () => "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
  },
];

/** An address to which traffic is sent: none that means this machine or this link. */
export function checkEndpointIp(address: Field): FieldError[] {
  return address.follows((text) => {
    const family = familyOf(text);
    if (family === undefined) {
      return ["must be a valid IP address"];
    }
    const one: Cidr = { address: withoutZeros(text), family, bits: 129 };
    return notForEndpoints
      .filter(({ ranges }) => ranges.some((range) => contains(range, one)))
      .map(({ message }) => message(text));
  });
}

function contains(range: string, one: Cidr): boolean {
  const outer = parseCidr(range);
  return outer !== undefined && isStrictSubset(one, outer);
}

/** Leading zeros of IPv4 octets are ignored, as they ever were. */
function withoutZeros(address: string): string {
  return isIP(address) === 0 ? address.replace(/\b0+(?=\d)/g, "") : address;
}
