import type { KubeObject } from "@weir/kube";
import { compareResourceVersions } from "./resource-version.ts";

/** One of our changes to an object that the watch hasn't reported yet. */
interface OwnWrite {
  readonly kind: "written" | "deleted";
  readonly uid: string;
  /** The version that we wrote, or the last known version of an object that we deleted. */
  readonly version: string;
  readonly at: number;
}

/**
 * Prevents older watch events from undoing our own writes: after a write, the watch still delivers what
 * happened before it, until it delivers the write itself. The entry for an object is dropped with that event,
 * with a later one, or with a list that began after the write, so nothing is held back forever.
 */
export class OwnWrites {
  readonly #writes = new Map<string, OwnWrite>();
  /** By namespace, a version up to which the watch has reported everything; "": elsewhere. */
  readonly #reached = new Map<string, string>();
  #now = 0;

  /** A point in time that separates the writes before it from those after it. */
  moment(): number {
    this.#now += 1;
    return this.#now;
  }

  wrote(object: KubeObject): void {
    this.#set("written", object);
  }

  /** The existing object was deleted. */
  deleted(object: KubeObject): void {
    this.#set("deleted", object);
  }

  /** Drops the writes before that moment: a list that began then contains them. */
  forgetUntil(moment: number): void {
    for (const [key, write] of this.#writes) {
      if (write.at < moment) {
        this.#writes.delete(key);
      }
    }
  }

  /** A list of a namespace, or of all, is of that version. Only lists can go back, to that of a restored backup. */
  listed(version: string, namespace?: string): void {
    if (namespace === undefined) {
      this.#reached.clear();
    }
    this.#reached.set(namespace ?? "", version);
  }

  /** The watch reports that this object was deleted, in the order of versions. */
  reported({ metadata: { namespace = "", resourceVersion = "" } }: KubeObject): void {
    this.#reached.set(namespace, resourceVersion);
  }

  /** True if the watch has already reported what came of this version of an object. */
  isReported(object: KubeObject): boolean {
    const reached = this.#reached.get(object.metadata.namespace ?? "") ?? this.#reached.get("");
    const order = compareResourceVersions(object.metadata.resourceVersion ?? "", reached ?? "");
    return order !== undefined && order <= 0;
  }

  /** True if we wrote this object and the watch hasn't reported it yet. */
  isAwaited(object: KubeObject): boolean {
    return this.#writes.get(textOf(object))?.kind === "written";
  }

  /** True if this change event is older than our own write. */
  outdatesChange(object: KubeObject): boolean {
    // An object that we deleted and that has a deletion timestamp still exists.
    const lives = object.metadata.deletionTimestamp === undefined;
    return this.#outdates(
      object,
      (write) =>
        isOlder(object, write.version) ||
        (write.kind === "deleted" && write.uid === object.metadata.uid && lives),
    );
  }

  /** True if this deletion event is older than our own write. */
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

/**
 * True for an object that is older than a version. If versions can't be compared, the later arrival counts as
 * newer.
 */
export function isOlder(object: KubeObject, version: string): boolean {
  return (compareResourceVersions(object.metadata.resourceVersion ?? "", version) ?? 0) < 0;
}

function textOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`;
}
