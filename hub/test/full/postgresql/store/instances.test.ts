import assert from "node:assert/strict";
import { it } from "node:test";
import { Problem } from "../../../../src/problem/problem.ts";
import {
  createInstance,
  findInstance,
  findInstancesByToken,
  type InstanceFilter,
  listInstances,
  removeInstance,
  renameInstance,
  replaceInstanceToken,
  updateInstanceState,
} from "../../../../src/store/instances.ts";
import type { Connection } from "../../../../src/store/schema.ts";
import { replaceWorkloads } from "../../../../src/store/workloads.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { addConnectedInstance, addInstance, now, workload } from "../../../support/stored.ts";

const byName = { sort: "name", descending: false, limit: 2 } as const;

describeOnBothDatabases("instances", (databases) => {
  it("are found by their token until it's replaced or they're removed", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const id = await createInstance(connection, { name: "prod", description: "", tokenHash: "one" }, now);

    const other = await createInstance(
      connection,
      { name: "test", description: "", tokenHash: "three" },
      now,
    );
    const found = () => findInstancesByToken(connection, ["one", "two", "three", "four"]);
    assert.deepEqual(
      await found(),
      new Map([
        ["one", id],
        ["three", other],
      ]),
    );
    await replaceInstanceToken(connection, { id, tokenHash: "two" });
    assert.deepEqual(
      await found(),
      new Map([
        ["two", id],
        ["three", other],
      ]),
    );
    assert.equal(await removeInstance(connection, id, now), true);
    assert.deepEqual(await found(), new Map([["three", other]]));
    assert.equal(await removeInstance(connection, id, now), false);
    assert.equal(await findInstance(connection, id, "everything"), undefined);
  });

  it("have different names, until one is removed", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const first = await addInstance(connection, "Prod");
    const second = await addInstance(connection, "staging");
    const isConflict = (error: unknown): boolean => error instanceof Problem && error.kind === "conflict";

    await assert.rejects(addInstance(connection, "prod"), isConflict);
    await assert.rejects(renameInstance(connection, second, { name: "PROD", description: "" }), isConflict);
    await removeInstance(connection, first, now);
    assert.equal(await renameInstance(connection, second, { name: "PROD", description: "x" }), true);
    assert.equal(await renameInstance(connection, first, { name: "other", description: "" }), false);
    assert.equal((await findInstance(connection, second, "everything"))?.name, "PROD");
  });

  it("are listed page by page, in each order", async () => {
    await using database = await databases.open();
    const { connection } = database;
    for (const name of ["d", "B", "a", "C", "e"]) {
      const id = await addInstance(connection, name);
      const at = name === "a" ? null : new Date(now + name.charCodeAt(0));
      await updateInstanceState(connection, id, { lastSeenAt: at });
    }

    assert.deepEqual(await namesOf(connection, { scope: "everything" }, byName), [
      ["a", "B"],
      ["C", "d"],
      ["e"],
    ]);
    assert.deepEqual(await namesOf(connection, { scope: "everything" }, { ...byName, descending: true }), [
      ["e", "d"],
      ["C", "B"],
      ["a"],
    ]);
    assert.deepEqual(await namesOf(connection, { scope: "everything" }, { ...byName, sort: "lastSeen" }), [
      ["a", "B"],
      ["C", "d"],
      ["e"],
    ]);
  });

  it("refuse the cursor of another list", async () => {
    await using database = await databases.open();
    const { connection } = database;
    await Promise.all(["a", "b", "c"].map((name) => addInstance(connection, name)));
    const { next } = await listInstances(connection, { scope: "everything" }, byName);

    const cursor = (...parts: readonly unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");

    for (const page of [
      { ...byName, sort: "lastSeen", cursor: next },
      { ...byName, cursor: "x" },
      { ...byName, cursor: cursor("name", "a\0", "b") },
      { ...byName, cursor: cursor("name", true, "b") },
      { ...byName, sort: "lastSeen", cursor: cursor("lastSeen", 5, "b") },
      { ...byName, sort: "lastSeen", cursor: cursor("lastSeen", "no time", "b") },
      { ...byName, sort: "unhealthy", cursor: cursor("unhealthy", "many", "b") },
      { ...byName, sort: "unhealthy", cursor: cursor("unhealthy", 1e300, "b") },
    ] as const) {
      await assert.rejects(listInstances(connection, { scope: "everything" }, page), Problem);
    }
  });

  it("are filtered by what they are, and what a person may see", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const prod = await addInstance(connection, "prod 100%");
    const staging = await addInstance(connection, "staging");
    await updateInstanceState(connection, staging, {
      suspended: true,
      syncState: "failed",
      gitUrl: "git@example.com:weir/config",
    });
    const found = async (filter: Partial<InstanceFilter>): Promise<readonly string[]> =>
      (await namesOf(connection, { scope: "everything", ...filter }, byName)).flat();

    assert.deepEqual(await found({ search: "%" }), ["prod 100%"]);
    assert.deepEqual(await found({ search: "WEIR/conf" }), ["staging"]);
    assert.deepEqual(await found({ suspended: true }), ["staging"]);
    assert.deepEqual(await found({ syncStates: ["failed", "behind"] }), ["staging"]);
    assert.deepEqual(await found({ connected: true }), []);
    assert.deepEqual(await found({ scope: [{ instanceId: prod, namespace: "default" }] }), ["prod 100%"]);
    assert.deepEqual(await found({ scope: [] }), []);
    assert.deepEqual(await found({ search: "x'; drop table instances; --\0" }), []);
  });

  it("say how their workloads are", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const lease = await addConnectedInstance(connection, "prod");
    const workloads = [
      workload("a:deployment/one"),
      workload("a:deployment/two", { health: "degraded" }),
      workload("a:deployment/three", { syncError: "no" }),
    ];
    await replaceWorkloads(connection, lease, { workloads, now });

    const instance = await findInstance(connection, lease.instanceId, "everything");

    assert.deepEqual([instance?.workloads, instance?.unhealthy, instance?.connected], [3, 2, true]);
    assert.equal(instance?.userAgent, "fluxd/1.25.4");
  });

  it("hold whatever a daemon says", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const id = await addInstance(connection, "prod");

    await updateInstanceState(connection, id, { problem: `a\0b${"x".repeat(100_000)}`, gitUrl: "\ud800" });

    const instance = await findInstance(connection, id, "everything");
    assert.deepEqual([instance?.problem.slice(0, 3), instance?.problem.length], ["a\ufffdb", 16_000]);
    assert.equal(instance?.gitUrl, "\ufffd");
  });
});

/** The names on each page of a list. */
async function namesOf(
  connection: Connection,
  filter: InstanceFilter,
  request: Parameters<typeof listInstances>[2],
): Promise<readonly (readonly string[])[]> {
  const { items, next } = await listInstances(connection, filter, request);
  const names = items.map(({ name }) => name);
  return next === undefined
    ? [names]
    : [names, ...(await namesOf(connection, filter, { ...request, cursor: next }))];
}
