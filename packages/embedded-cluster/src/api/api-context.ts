import { randomInt, randomUUID } from "node:crypto";
import type { Clock } from "@weir/base";
import { ServiceAddresses } from "../kinds/service/service-addresses.ts";
import type { ClusterView } from "../resources/kind-rules.ts";
import type { ResourceRegistry } from "../resources/resource-registry.ts";
import type { ObjectCodec } from "../resources/served-resource.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { treeOf } from "../storage/stored-object.ts";

/** What every verb works with. */
export interface ApiContext {
  readonly store: ObjectStore;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  readonly cluster: ClusterView;
  /** How the scale subresources of all kinds read what they are sent. */
  readonly scaleCodec: ObjectCodec;
}

/** The cluster as the rules of kinds see it. */
export function viewOf(store: ObjectStore): ClusterView {
  const addresses = new ServiceAddresses();
  store
    .bucket("services")
    .list("")
    .forEach((service) => addresses.add(service));
  store.onEvent((event) => addresses.observe(event));
  return {
    addresses,
    read: (bucket, namespace, name) => {
      const object = store.get(bucket, namespace, name);
      return object === undefined ? undefined : treeOf(object);
    },
    all: (bucket) => store.bucket(bucket).list(""),
  };
}

/** The time as objects write it: UTC, whole seconds. */
export function timestamp(clock: Clock, plusSeconds = 0): string {
  return new Date(clock.now() + plusSeconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}

/** A new uid. */
export function newUid(): string {
  return randomUUID();
}

/** Without vowels and look-alikes, so that no words appear. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const maxGenerated = 63;

/** A name that begins with a prefix and ends in five letters of chance. */
export function generateName(prefix: string): string {
  const suffix = Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)] ?? "b").join("");
  return prefix.slice(0, maxGenerated - suffix.length) + suffix;
}
