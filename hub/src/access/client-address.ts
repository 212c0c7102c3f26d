import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** A proxy in the list of trusted ones is neither an address nor a range of addresses. */
export class TrustedProxyError extends Error {
  override readonly name = "TrustedProxyError";
}

/** Finds out from which address a request was sent. */
export class ClientAddresses {
  readonly #trusted = new BlockList();

  /**
   * Proxies whose X-Forwarded-For is believed: addresses, and ranges such as 10.0.0.0/8. Without any, the header is
   * ignored. Throws TrustedProxyError.
   */
  constructor(trustedProxies: readonly string[]) {
    for (const proxy of trustedProxies) {
      this.#trust(proxy);
    }
  }

  /** The address of the client; "" if the connection is closed. It's the last one in the chain that isn't a proxy's. */
  of({ socket, headers }: Pick<IncomingMessage, "headers"> & ConnectedRequest): string {
    const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
    const chain = [
      ...forwarded.map((each) => plainAddress(each.trim())),
      plainAddress(socket.remoteAddress ?? ""),
    ];
    let address = chain.pop() ?? "";
    while (this.#isTrusted(address)) {
      const before = chain.pop() ?? "";
      if (isIP(before) === 0) {
        break;
      }
      address = before;
    }
    return address;
  }

  #isTrusted(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#trusted.check(address, version === 6 ? "ipv6" : "ipv4");
  }

  #trust(proxy: string): void {
    const [address = "", prefix] = proxy.trim().split("/", 2);
    const version = isIP(address);
    const longest = version === 6 ? 128 : 32;
    const length = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (version === 0 || !(length <= longest)) {
      throw new TrustedProxyError(
        `${JSON.stringify(proxy)} is no address of a proxy: write an address such as 10.1.2.3, or a range such as 10.0.0.0/8`,
      );
    }
    this.#trusted.addSubnet(address, length, version === 6 ? "ipv6" : "ipv4");
  }
}

/** The part of a request that says who is connected. */
interface ConnectedRequest {
  readonly socket: Pick<IncomingMessage["socket"], "remoteAddress">;
}

/** IPv4 addresses come as IPv6 ones where a server listens on both. */
function plainAddress(address: string): string {
  return address.toLowerCase().startsWith("::ffff:") && isIP(address.slice(7)) === 4
    ? address.slice(7)
    : address;
}

/**
 * Whose attempts are counted together: an IPv4 address, or the first 64 bits of an IPv6 address, of which one client has
 * all the others.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) {
    return address;
  }
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::", 2);
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => "0"), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
