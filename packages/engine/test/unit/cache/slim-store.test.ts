import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { leanObject } from "@weir/kube/rest";
import { kubeObject } from "@weir/testing";
import fc from "fast-check";
import { StoredKind } from "../../support/stored-kind.ts";

const never = (): boolean => false;

/** A Pod as the server sends it. */
const pod = kubeObject`
  apiVersion: v1
  kind: Pod
  metadata:
    name: web-1
    namespace: shop
    uid: u1
    resourceVersion: "7"
    creationTimestamp: "2026-11-23T00:00:00Z"
    labels: { app: web }
    annotations: { kubectl.kubernetes.io/last-applied-configuration: "{}", note: n }
    ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: r1 }]
    finalizers: [a/b]
    managedFields: [{ manager: m }]
  spec: { containers: [] }
  status: { phase: Failed, message: out of memory }
`;

describe("an object that nobody needs whole", () => {
  it("costs its key, versions, owners, and health", () => {
    const stored = new StoredKind(never);

    stored.changed(pod);

    const held = stored.store.get("shop", "web-1");
    assert.deepEqual(held?.object, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: "web-1",
        namespace: "shop",
        uid: "u1",
        resourceVersion: "7",
        ownerReferences: pod.metadata.ownerReferences,
      },
    });
    assert.deepEqual(held.health, { status: "Degraded", message: "out of memory" });
    assert.equal(held.isWhole, false);
  });

  it("keeps what prune guards look at, if it's managed", () => {
    const stored = new StoredKind(never);
    const { annotations, ...metadata } = pod.metadata;
    const labels = { owner: "us", app: "web" };
    const many = { ...annotations, "weir.dev/sync-options": "Prune=false", long: "x".repeat(2_000) };

    stored.changed({ ...pod, metadata: { ...metadata, labels, annotations: many } });

    assert.deepEqual(stored.get("shop", "web-1")?.metadata, {
      ...leanObject({ ...pod, metadata }).metadata,
      labels,
      annotations: { note: "n", "weir.dev/sync-options": "Prune=false" },
    });
  });

  it("has no health if only its metadata is received", () => {
    const stored = new StoredKind(never);

    stored.store.changed(stored.take(pod, "metadata"));

    assert.equal(stored.store.get("shop", "web-1")?.health, undefined);
    assert.deepEqual(stored.changed(pod), []);
    assert.equal(stored.store.get("shop", "web-1")?.health?.status, "Degraded");
  });

  it("shares its owners with its siblings", () => {
    const stored = new StoredKind(never);
    const sibling = structuredClone(pod);

    stored.changed(pod);
    stored.changed({ ...sibling, metadata: { ...sibling.metadata, name: "web-2", uid: "u2" } });

    const [one, other] = [...stored.store.list()];
    assert.equal(one?.object.metadata.ownerReferences, other?.object.metadata.ownerReferences);
    assert.equal(one?.owners, other?.owners);
    assert.equal(one?.health, other?.health);
  });

  it("becomes whole when its body is read, without an event", () => {
    let isWanted = false;
    const stored = new StoredKind(() => isWanted);
    stored.changed(pod);
    isWanted = true;

    assert.deepEqual(stored.store.read(pod), []);

    assert.equal(stored.get("shop", "web-1")?.spec, pod.spec);
    assert.equal(stored.get("shop", "web-1")?.metadata["managedFields"], undefined);
  });

  it("is whole already if the watch was faster than the read", () => {
    let isWanted = false;
    const stored = new StoredKind(() => isWanted);
    stored.changed(pod);
    isWanted = true;
    const newer = { ...pod, metadata: { ...pod.metadata, resourceVersion: "x" } };
    stored.changed(newer);

    assert.deepEqual(stored.store.read(pod), []);

    assert.equal(stored.get("shop", "web-1")?.metadata.resourceVersion, "x");
  });

  it("is slim again as soon as nobody needs it whole, without an event", () => {
    let isWanted = true;
    const stored = new StoredKind(() => isWanted);
    stored.changed(pod);
    stored.store.slim("shop", "web-1");
    assert.equal(stored.store.get("shop", "web-1")?.isWhole, true);

    isWanted = false;
    stored.store.slim("shop", "web-1");

    assert.equal(stored.get("shop", "web-1")?.spec, undefined);
    assert.equal(stored.store.get("shop", "web-1")?.health?.status, "Degraded");
  });

  it("stays whole if a list brings a page that was read before it became wanted", () => {
    let isWanted = false;
    const stored = new StoredKind(() => isWanted);
    const moment = stored.listing();
    const taken = stored.take(pod);
    isWanted = true;
    stored.changed(pod);

    stored.store.listed([taken], moment);

    assert.equal(stored.get("shop", "web-1")?.spec, pod.spec);
  });
});

const names = ["a", "b", "c"] as const;
const owners = ["x", "y"] as const;

/** What happens to the server, to the watch, or to what's wanted. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("written", "deleted"),
      name: fc.constantFrom(...names),
      owner: fc.constantFrom(...owners),
      isOurs: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("wanted"), name: fc.constantFrom(...names) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("told") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("list begins", "list ends") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("read begins", "read ends") }) },
);

/** A server with three objects, a store that follows it, and what's on the way between them. */
class World {
  readonly wanted = new Set<string>();
  readonly stored = new StoredKind((_, name) => this.wanted.has(name));
  readonly #server = new Map<string, KubeObject>();
  readonly #watch: (() => void)[] = [];
  #version = 0;
  #list: { readonly taken: ReturnType<StoredKind["take"]>[]; readonly moment: number } | undefined;
  #read: readonly KubeObject[] = [];

  write(name: string, owner: string, isOurs: boolean): void {
    this.#version += 1;
    const uid = this.#server.get(name)?.metadata.uid ?? `${name}-${this.#version}`;
    const object: KubeObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name,
        namespace: "ns",
        uid,
        resourceVersion: String(this.#version),
        ownerReferences: [{ apiVersion: "v1", kind: "Owner", name: owner, uid: owner }],
      },
      data: { version: String(this.#version) },
    };
    this.#server.set(name, object);
    this.#watch.push(() => this.stored.changed(object));
    if (isOurs) {
      this.stored.wrote(object);
    }
  }

  delete(name: string, isOurs: boolean): void {
    const object = this.#server.get(name);
    if (object === undefined) {
      return;
    }
    this.#version += 1;
    this.#server.delete(name);
    const last = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(this.#version) },
    };
    this.#watch.push(() => this.stored.deleted(last));
    if (isOurs) {
      this.stored.wroteDeletion("ns", name);
    }
  }

  want(name: string): void {
    if (!this.wanted.delete(name)) {
      this.wanted.add(name);
    }
    this.stored.store.slim("ns", name);
  }

  /** A watch goes on after the list that it follows. */
  tell(): void {
    if (this.#list === undefined) {
      this.#watch.shift()?.();
    }
  }

  /** A new list replaces the watch: what it hasn't told is in the list. */
  beginList(): void {
    this.#watch.length = 0;
    const moment = this.stored.listing();
    this.#list = { taken: [...this.#server.values()].map((object) => this.stored.take(object)), moment };
  }

  endList(): void {
    if (this.#list !== undefined) {
      this.stored.store.listed(this.#list.taken, this.#list.moment);
    }
    this.#list = undefined;
  }

  beginRead(): void {
    this.#read = this.#slim().flatMap((name) => this.#server.get(name) ?? []);
  }

  endRead(): void {
    this.#read.forEach((object) => this.stored.store.read(object));
    this.#read = [];
  }

  settle(): void {
    this.endList();
    while (this.#watch.length > 0) {
      this.tell();
    }
    this.endRead();
    this.beginRead();
    this.endRead();
  }

  /** Nothing is held that isn't needed, at any time. */
  checkSlim(): void {
    for (const { object, isWhole } of this.stored.store.list()) {
      const { name = "", resourceVersion } = object.metadata;
      assert.ok(!isWhole || this.wanted.has(name), `${name} is whole`);
      assert.deepEqual(object.data, isWhole ? { version: resourceVersion } : undefined);
    }
  }

  /** The store and its index have what the server has. */
  checkEqual(): void {
    const held = [...this.stored.store.list()].map(
      ({ object, isWhole }) =>
        `${object.metadata.name ?? ""}@${object.metadata.resourceVersion ?? ""} ${String(isWhole)}`,
    );
    const there = [...this.#server.values()].map(({ metadata: { name = "", resourceVersion = "" } }) => {
      return `${name}@${resourceVersion} ${String(this.wanted.has(name))}`;
    });
    assert.deepEqual(held.sort(), there.sort());
    for (const owner of owners) {
      const claimant = { object: { apiVersion: "v1", kind: "Owner", metadata: { uid: owner } }, claims: [] };
      const children = [...this.stored.owners.childrenOf(claimant)];
      const owned = [...this.stored.store.list()].filter((each) => each.owners.includes(owner));
      assert.deepEqual(new Set(children), new Set(owned));
    }
  }

  #slim(): readonly string[] {
    return [...this.wanted].filter((name) => this.stored.store.get("ns", name)?.isWhole === false);
  }
}

describe("a store that holds some objects whole", () => {
  it("has what the server has, whatever the order of lists, watches, reads, and our own writes", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = new World();
        for (const each of steps) {
          if ("owner" in each) {
            const { name, owner, isOurs, kind } = each;
            if (kind === "written") {
              world.write(name, owner, isOurs);
            } else {
              world.delete(name, isOurs);
            }
          } else if ("name" in each) {
            world.want(each.name);
          } else {
            actOn(world, each.kind);
          }
          world.checkSlim();
        }
        world.settle();
        world.checkSlim();
        world.checkEqual();
      }),
      { numRuns: 3_000 },
    );
  });
});

function actOn(world: World, kind: string): void {
  const acts: Readonly<Record<string, () => void>> = {
    told: () => world.tell(),
    "list begins": () => world.beginList(),
    "list ends": () => world.endList(),
    "read begins": () => world.beginRead(),
    "read ends": () => world.endRead(),
  };
  acts[kind]?.();
}
