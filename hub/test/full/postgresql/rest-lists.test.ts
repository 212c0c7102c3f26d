import assert from "node:assert/strict";
import { it } from "node:test";
import type { Grant } from "../../../src/access/actor.ts";
import type { SentQuery } from "../../../src/contract/schemas.ts";
import { eventHandlers } from "../../../src/operations/events.ts";
import { instanceHandlers } from "../../../src/operations/listed-instances.ts";
import { workloadHandlers } from "../../../src/operations/listed-workloads.ts";
import { addEvents } from "../../../src/store/events.ts";
import { updateInstanceState } from "../../../src/store/instances.ts";
import type { Connection } from "../../../src/store/schema.ts";
import { createUser, listUsers, type UserSort } from "../../../src/store/users.ts";
import { replaceWorkloads } from "../../../src/store/workloads.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { RestCaller } from "../../support/rest-caller.ts";
import { addConnectedInstance, now, syncEvent, workload } from "../../support/stored.ts";

const everywhere: Grant = { role: "viewer", instanceId: null, namespace: null };

/** Two instances, the first with a workload in each of two namespaces, and an event of each. */
async function fill(connection: Connection): Promise<{ readonly prod: string; readonly test: string }> {
  const prod = await addConnectedInstance(connection, "prod");
  const test = await addConnectedInstance(connection, "test");
  const container = { name: "main", image: "quay.io/weir/cart:1", newest: "quay.io/weir/cart:2", newer: 1 };
  await replaceWorkloads(connection, prod, {
    workloads: [
      workload("shop:deployment/cart", { containers: [container], policies: { automated: "true" } }),
      workload("ops:deployment/<b>grafana</b>", { health: "degraded", syncError: "no such field" }),
    ],
    now,
  });
  await replaceWorkloads(connection, test, { workloads: [workload("shop:deployment/cart")], now });
  const events = [
    { instanceId: prod.instanceId, namespaces: ["shop"], message: "shop of prod" },
    { instanceId: prod.instanceId, namespaces: ["ops"], message: "ops of prod" },
    { instanceId: test.instanceId, namespaces: [], message: "all of test" },
  ];
  const rows = events.map((event, index) => ({
    ...({ type: "sync", severity: "info", workloadIds: [], revision: "", metadata: {} } as const),
    ...event,
    at: new Date(now + index),
    fingerprint: String(index),
  }));
  await addEvents(connection, rows, now);
  return { prod: prod.instanceId, test: test.instanceId };
}

describeOnBothDatabases("lists of the REST API", (databases) => {
  it("are of the form that the contract says, and complete", async () => {
    await using database = await databases.open();
    const { prod } = await fill(database.connection);
    const api = callerOf(database.connection, [everywhere]);

    const instances = await api.call("instances");
    const workloads = await api.call("workloads");
    const events = await api.call("events");

    assert.deepEqual(
      instances.rows.map(({ name, connected, workloads: counts }) => [name, connected, counts]),
      [
        ["prod", true, { total: 2, degraded: 1, progressing: 0, newImages: 1 }],
        ["test", true, { total: 1, degraded: 0, progressing: 0, newImages: 0 }],
      ],
    );
    assert.deepEqual(workloads.rows.map(({ instance, id }) => `${instance.name} ${id}`).toSorted(), [
      "prod ops:deployment/<b>grafana</b>",
      "prod shop:deployment/cart",
      "test shop:deployment/cart",
    ]);
    assert.deepEqual(
      events.rows.map(({ instance, message }) => `${instance.name}: ${message}`),
      ["test: all of test", "prod: ops of prod", "prod: shop of prod"],
    );
    const one = await api.call("workload", { path: { instance: prod, workload: "shop:deployment/cart" } });
    assert.deepEqual(
      [one.automated, one.newImages, one.containers[0]?.newest],
      [true, 1, "quay.io/weir/cart:2"],
    );
  });

  it("have an address for each event, for those who may see it", async () => {
    await using database = await databases.open();
    const { test } = await fill(database.connection);
    const api = callerOf(database.connection, [everywhere]);
    const { rows } = await api.call("events");
    const elsewhere = callerOf(database.connection, [{ ...everywhere, instanceId: test }]);
    const [newest, ops] = rows.map(({ id }) => String(id));

    assert.deepEqual(await api.call("event", { path: { event: ops ?? "" } }), rows[1]);
    assert.deepEqual(await elsewhere.call("event", { path: { event: newest ?? "" } }), rows[0]);
    for (const event of [ops ?? "", "99", "0", "x", "1e3"]) {
      await assert.rejects(elsewhere.call("event", { path: { event } }), {
        message: "There is no such event.",
      });
    }
  });

  it("can be narrowed down, and come in pages", async () => {
    await using database = await databases.open();
    const { prod } = await fill(database.connection);
    const api = callerOf(database.connection, [everywhere]);
    const ids = async (query: SentQuery<"workloads">): Promise<readonly string[]> =>
      (await api.call("workloads", { query })).rows.map(({ instance, id }) => `${instance.name} ${id}`);

    assert.deepEqual(await ids({ instance: [prod], q: "cart" }), ["prod shop:deployment/cart"]);
    assert.deepEqual(await ids({ policy: ["automated"] }), ["prod shop:deployment/cart"]);
    assert.deepEqual(await ids({ newImages: "true" }), ["prod shop:deployment/cart"]);
    assert.deepEqual(await ids({ problems: "true" }), ["prod ops:deployment/<b>grafana</b>"]);
    const first = await api.call("workloads", { query: { limit: 2 } });
    const second = await api.call("workloads", { query: { limit: 2, cursor: first.next ?? assert.fail() } });
    assert.deepEqual([first.rows.length, second.rows.length, second.next], [2, 1, null]);
    const named = async (query: SentQuery<"instances">): Promise<readonly string[]> =>
      (await api.call("instances", { query })).rows.map(({ name }) => name);
    await updateInstanceState(database.connection, prod, { suspended: true });
    assert.deepEqual(await named({ suspended: "true" }), ["prod"]);
    assert.deepEqual(await named({ suspended: "false", connected: "true" }), ["test"]);
    const facets = await api.call("workloadFacets", { query: { namespace: ["shop"] } });
    assert.deepEqual([facets.total, facets.namespaces], [2, [{ name: "shop", count: 2 }]]);
    const since = new Date(now + 1).toISOString();
    assert.equal((await api.call("events", { query: { since } })).rows.length, 2);
  });

  const sights: readonly (readonly [string, (ids: Ids) => readonly Grant[], string])[] = [
    ["one instance", ({ test }) => [{ ...everywhere, instanceId: test }], "test | test shop | all of test"],
    [
      "one namespace of an instance",
      ({ prod }) => [{ ...everywhere, instanceId: prod, namespace: "ops" }],
      "prod | prod ops | ops of prod",
    ],
    [
      "one namespace of all instances",
      () => [{ ...everywhere, namespace: "shop" }],
      "prod test | prod shop, test shop | shop of prod",
    ],
  ];
  for (const [what, grants, seen] of sights) {
    it(`show ${what}`, async () => {
      await using database = await databases.open();
      const api = callerOf(database.connection, grants(await fill(database.connection)));

      const instances = (await api.call("instances")).rows.map(({ name }) => name);
      const workloads = (await api.call("workloads")).rows.map(
        ({ instance, namespace }) => `${instance.name} ${namespace}`,
      );
      const events = (await api.call("events")).rows.map(({ message }) => message);

      const told = [instances.join(" "), workloads.toSorted().join(", "), events.join(", ")];
      assert.equal(told.join(" | "), seen);
    });
  }

  it("show and find of events that span namespaces only what may be seen", async () => {
    await using database = await databases.open();
    const { prod } = await fill(database.connection);
    const [cart, vault] = ["shop:deployment/cart", "ops:deployment/vault"];
    const shared = syncEvent(prod, "shared", {
      ...{ namespaces: ["shop", "ops"], workloadIds: [cart, vault], at: new Date(now + 10) },
      message: `Sync: abc, ${cart}, ${vault}`,
    });
    await addEvents(database.connection, [shared], now);
    const viewer = callerOf(database.connection, [{ ...everywhere, instanceId: prod, namespace: "shop" }]);
    const everybody = callerOf(database.connection, [everywhere]);
    const found = async (api: ReturnType<typeof callerOf>, query: SentQuery<"events">) =>
      (await api.call("events", { query })).rows.map(({ workloads }) => workloads.join(" "));

    const queries = [{ limit: 1 }, { q: "vault" }, { workload: [vault] }, { namespace: ["ops"], limit: 1 }];
    const [ofViewer, ofEverybody] = await Promise.all(
      [viewer, everybody].map((api) => Promise.all(queries.map((query) => found(api, query)))),
    );

    assert.deepEqual(ofViewer, [[cart], [], [], []]);
    const all = [`${cart} ${vault}`];
    assert.deepEqual(ofEverybody, [all, all, all, all]);
    assert.deepEqual(await found(viewer, { workload: [cart, vault], namespace: ["shop"] }), [cart]);
    assert.ok(!JSON.stringify(await viewer.call("events")).includes("vault"));
  });

  it("can be sorted, and searched for several words", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const { prod } = await fill(connection);
    await updateInstanceState(connection, prod, {
      gitUrl: "git@git.test:acme/fleet",
      lastSyncAt: new Date(now),
    });
    const api = callerOf(connection, [everywhere]);
    const named = async (query: SentQuery<"instances">): Promise<readonly string[]> =>
      (await api.call("instances", { query })).rows.map(({ name }) => name);

    assert.deepEqual(await named({ sort: "-name" }), ["test", "prod"]);
    assert.deepEqual(await named({ sort: "-unhealthy" }), ["prod", "test"]);
    assert.deepEqual(await named({ sort: "lastSyncAt" }), ["test", "prod"]);
    assert.deepEqual(await named({ q: "fleet PROD" }), ["prod"]);
    assert.deepEqual(await named({ q: "fleet test acme other" }), []);
    const oldest = await api.call("events", { query: { sort: "at", limit: 2 } });
    const rest = await api.call("events", { query: { sort: "at", cursor: oldest.next ?? assert.fail() } });
    assert.deepEqual(
      [...oldest.rows, ...rest.rows].map(({ message }) => message),
      ["shop of prod", "ops of prod", "all of test"],
    );
    for (const [index, login] of ["bea", "Ada"].entries()) {
      const user = { login, name: `Name ${index}`, email: `${login}@example.com`, groups: [] };
      await createUser(connection, user, now + index);
    }
    const users = async (sort: UserSort, search = ""): Promise<readonly string[]> => {
      const { items } = await listUsers(connection, { search }, { sort, descending: false, limit: 10 });
      return items.map(({ login }) => login);
    };
    assert.deepEqual(await users("login"), ["Ada", "bea"]);
    assert.deepEqual(await users("name"), ["bea", "Ada"]);
    assert.deepEqual(await users("lastLogin", "name EXAMPLE 1"), ["Ada"]);
  });

  it("say that there's no such thing of what isn't there or may not be seen", async () => {
    await using database = await databases.open();
    const { prod } = await fill(database.connection);
    const api = callerOf(database.connection, [{ ...everywhere, instanceId: prod, namespace: "ops" }]);
    const missing = { name: "Problem", kind: "not-found" };
    const workloadOf = (id: string) => api.call("workload", { path: { instance: prod, workload: id } });

    await assert.rejects(workloadOf("shop:deployment/cart"), missing);
    await assert.rejects(workloadOf("ops:deployment/none\0"), missing);
    await assert.rejects(api.call("instance", { path: { instance: "none" } }), missing);
  });
});

type Ids = Awaited<ReturnType<typeof fill>>;

/** Lists as somebody with these roles gets them. */
function callerOf(connection: Connection, grants: readonly Grant[]) {
  const handlers = {
    ...instanceHandlers(connection),
    ...workloadHandlers(connection),
    ...eventHandlers(connection),
  };
  return new RestCaller(handlers, { kind: "user", userId: "u", credentialId: "s", name: "vera", grants });
}
