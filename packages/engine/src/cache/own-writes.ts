import type { KubeObject } from "@weir/kube";
import { compareResourceVersions } from "./resource-version.ts";

/** What we did to an object, which the watch has not told us of yet. */
interface OwnWrite {
  readonly kind: "written" | "deleted";
  readonly uid: string;
  /** The version that we wrote, or the last one that we knew of what we deleted. */
  readonly version: string;
  readonly at: number;
}

/**
 * Keeps news that are older than our own writes from undoing them: after a write of ours the watch still brings
 * what happened before it, until it brings the write itself. What is kept for an object is let go with that
 * event, with a later one, or with a list that began after the write, so nothing is held back for ever.
 */
export class OwnWrites {
  readonly #writes = new Map<string, OwnWrite>();
  #now = 0;

  /** A moment between the writes before it and those after it. */
  moment(): number {
    this.#now += 1;
    return this.#now;
  }

  wrote(object: KubeObject): void {
    this.#set("written", object);
  }

  /** The object that was there is gone. */
  deleted(object: KubeObject): void {
    this.#set("deleted", object);
  }

  /** Forgets what was done before that moment: a list that began then shows it. */
  forgetUntil(moment: number): void {
    for (const [key, write] of this.#writes) {
      if (write.at < moment) {
        this.#writes.delete(key);
      }
    }
  }

  /** True where this object was written by us and the watch has not said so yet. */
  isAwaited(object: KubeObject): boolean {
    return this.#writes.get(textOf(object))?.kind === "written";
  }

  /** True where the news that the object is like this is older than our own write. */
  outdatesChange(object: KubeObject): boolean {
    // An object that we deleted and that has a deletion time on it is on its way out, and still there.
    const lives = object.metadata.deletionTimestamp === undefined;
    return this.#outdates(
      object,
      (write) =>
        isOlder(object, write.version) ||
        (write.kind === "deleted" && write.uid === object.metadata.uid && lives),
    );
  }

  /** True where the news that the object is gone is older than our own write. */
  outdatesDeletion(object: KubeObject): boolean {
    return this.#outdates(
      object,
      (write) => write.uid !== object.metadata.uid || isOlder(object, write.version),
    );
  }

  #set(kind: OwnWrite["kind"], object: KubeObject): void {
    const { uid = "", resourceVersion: version = "" } = object.metadata;
    this.#writes.set(textOf(object), { kind, uid, version, at: this.moment() });
  }

  #outdates(object: KubeObject, isNewer: (write: OwnWrite) => boolean): boolean {
    const key = textOf(object);
    const write = this.#writes.get(key);
    if (write === undefined) {
      return false;
    }
    if (isNewer(write)) {
      return true;
    }
    this.#writes.delete(key);
    return false;
  }
}

/** True for an object that is older than a version; where they cannot be compared, what comes later is taken for later. */
export function isOlder(object: KubeObject, version: string): boolean {
  return (compareResourceVersions(object.metadata.resourceVersion ?? "", version) ?? 0) < 0;
}

function textOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`;
}
