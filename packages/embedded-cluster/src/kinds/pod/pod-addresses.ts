import type { StoreEvent } from "../../storage/bucket.ts";
import { treeOf } from "../../storage/stored-object.ts";
import { stringAt } from "../../tree.ts";

/** Pods have addresses in 10.244.0.0/16: the last two bytes count. */
const prefix = "10.244.";

const last = 0xfffe;

/** Gives each pod an address of its own, until it is gone. */
export class PodAddresses {
  readonly #byUid = new Map<string, string>();
  readonly #taken = new Set<string>();
  #next = 1;

  /** Follows a write: what a pod has that was there before, and what one that is gone had. */
  observe({ type, object }: StoreEvent): void {
    if (object.bucket !== "pods") {
      return;
    }
    if (type === "DELETED") {
      this.#taken.delete(this.#byUid.get(object.uid) ?? "");
      this.#byUid.delete(object.uid);
    } else if (!this.#byUid.has(object.uid)) {
      this.#note(object.uid, stringAt(treeOf(object), "status", "podIP"));
    }
  }

  /** The address of a pod. */
  take(uid: string): string {
    const own = this.#byUid.get(uid);
    if (own !== undefined) {
      return own;
    }
    let address = this.#following();
    for (let tries = 0; tries < last && this.#taken.has(address); tries++) {
      address = this.#following();
    }
    this.#note(uid, address);
    return address;
  }

  #following(): string {
    this.#next = (this.#next % last) + 1;
    return `${prefix}${this.#next >> 8}.${this.#next & 0xff}`;
  }

  #note(uid: string, address: string): void {
    if (address.startsWith(prefix)) {
      this.#byUid.set(uid, address);
      this.#taken.add(address);
    }
  }
}
