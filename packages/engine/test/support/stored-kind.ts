import type { KubeObject } from "@weir/kube";
import type { HeldObject } from "../../src/cache/held-object.ts";
import { KindStore } from "../../src/cache/kind-store.ts";
import { ObjectHolder, type Received } from "../../src/cache/object-holder.ts";
import { OwnerIndex } from "../../src/cache/owner-index.ts";
import type { ResourceEvent } from "../../src/cache/resource-cache.ts";
import { healthOf } from "../../src/index.ts";

/** A store that is told of objects as a watcher tells it. */
export class StoredKind {
  readonly store: KindStore;
  readonly owners = new OwnerIndex();

  constructor(isWanted: (namespace: string, name: string) => boolean = () => true) {
    const holder = new ObjectHolder({ key: "owner" }, (object) => healthOf(object));
    this.store = new KindStore({ holder, isWanted, owners: this.owners });
  }

  take(object: KubeObject, received: Received = "whole"): HeldObject {
    return this.store.take(object, received);
  }

  get(namespace: string, name: string): KubeObject | undefined {
    return this.store.get(namespace, name)?.object;
  }

  list(): readonly KubeObject[] {
    return [...this.store.list()].map(({ object }) => object);
  }

  listing(): number {
    return this.store.listing();
  }

  listed(objects: readonly KubeObject[], moment: number, namespace?: string): readonly ResourceEvent[] {
    return this.store.listed(
      objects.map((object) => this.take(object)),
      moment,
      namespace,
    );
  }

  changed(object: KubeObject): readonly ResourceEvent[] {
    return this.store.changed(this.take(object));
  }

  deleted(object: KubeObject): readonly ResourceEvent[] {
    return this.store.deleted(this.take(object));
  }

  wrote(object: KubeObject): readonly ResourceEvent[] {
    return this.store.wrote(object);
  }

  listedAt(version: string, namespace?: string): void {
    this.store.listedAt(version, namespace);
  }

  wroteDeletion(namespace: string, name: string, uid?: string): readonly ResourceEvent[] {
    return this.store.wroteDeletion(namespace, name, uid);
  }

  clear(): readonly ResourceEvent[] {
    return this.store.clear();
  }
}
