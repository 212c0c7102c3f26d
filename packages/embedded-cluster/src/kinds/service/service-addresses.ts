import type { StoreEvent } from "../../storage/bucket.ts";
import { type StoredObject, treeOf } from "../../storage/stored-object.ts";
import { numberAt, stringsAt, treesAt } from "../../tree.ts";

/** The addresses and node ports that services may be given. */
export interface AddressPool {
  /** True for an address of the range from which services get theirs. */
  hasAddress(address: string): boolean;
  isAddressTaken(address: string): boolean;
  /** An address that nobody has; undefined where all are taken. It is taken once a service with it is stored. */
  freeAddress(): string | undefined;
  isPortTaken(port: number): boolean;
  /** A port that nobody has and that is not among `except`; undefined where there is none. */
  freePort(except: ReadonlySet<number>): number | undefined;
}

/** The ports that nodes open for services. */
export const nodePorts: { readonly first: number; readonly last: number } = { first: 30_000, last: 32_767 };

/** Services have addresses in 10.0.0.0/16: the last two bytes count. */
const prefix = "10.0.";

const lastAddress = 0xfffe;

/** Knows which addresses and ports the services of the cluster have, from the events of the store. */
export class ServiceAddresses implements AddressPool {
  readonly #addresses = new Map<string, number>();
  readonly #ports = new Map<number, number>();
  #nextAddress = 1;
  #nextPort = nodePorts.first;

  /** Takes what a service has that was there before. */
  add(service: StoredObject): void {
    this.#count(service, 1);
  }

  /** Follows a write; of other resources than services nothing is noted. */
  observe({ type, object, previous }: StoreEvent): void {
    if (object.bucket !== "services") {
      return;
    }
    if (previous !== undefined) {
      this.#count(previous, -1);
    }
    if (type !== "DELETED") {
      this.#count(object, 1);
    }
  }

  hasAddress(address: string): boolean {
    return numberOf(address) !== undefined;
  }

  isAddressTaken(address: string): boolean {
    return this.#addresses.has(address);
  }

  freeAddress(): string | undefined {
    for (let tries = 0; tries < lastAddress; tries++) {
      this.#nextAddress = (this.#nextAddress % lastAddress) + 1;
      const address = `${prefix}${this.#nextAddress >> 8}.${this.#nextAddress & 0xff}`;
      if (!this.#addresses.has(address)) {
        return address;
      }
    }
    return undefined;
  }

  isPortTaken(port: number): boolean {
    return this.#ports.has(port);
  }

  freePort(except: ReadonlySet<number>): number | undefined {
    for (let tries = nodePorts.first; tries <= nodePorts.last; tries++) {
      const port = this.#nextPort;
      this.#nextPort = port === nodePorts.last ? nodePorts.first : port + 1;
      if (!this.#ports.has(port) && !except.has(port)) {
        return port;
      }
    }
    return undefined;
  }

  #count(service: StoredObject, by: number): void {
    const spec = treeOf(service)["spec"];
    for (const address of stringsAt(spec, "clusterIPs")) {
      add(this.#addresses, address, by);
    }
    const ports = treesAt(spec, "ports").map((port) => numberAt(port, "nodePort") ?? 0);
    for (const port of new Set([...ports, numberAt(spec, "healthCheckNodePort") ?? 0])) {
      add(this.#ports, port, by);
    }
  }
}

function numberOf(address: string): number | undefined {
  const [, high, low] = /^10\.0\.(\d{1,3})\.(\d{1,3})$/.exec(address) ?? [];
  const number = Number(high) * 256 + Number(low);
  return number >= 1 && number <= lastAddress ? number : undefined;
}

function add<K>(counts: Map<K, number>, key: K, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) {
    counts.set(key, count);
  } else {
    counts.delete(key);
  }
}
