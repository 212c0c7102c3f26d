import assert from "node:assert/strict";
import { it } from "node:test";
import { takeLease } from "../../../../src/store/leases.ts";
import {
  countWorkloads,
  findWorkload,
  listWorkloads,
  replaceWorkloads,
  type WorkloadFilter,
  type WorkloadSort,
} from "../../../../src/store/workloads.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { addConnectedInstance, now, workload } from "../../../support/stored.ts";

const byNamespace = { sort: "namespace", descending: false, limit: 100 } as const;

const container = { name: "main", image: "quay.io/weir/cart:1", newest: "quay.io/weir/cart:2", newer: 1 };

describeOnBothDatabases("workloads", (databases) => {
  it("are those of the last snapshot, of which only changes are written", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const lease = await addConnectedInstance(connection, "prod");
    const [one, two, three] = ["a:deployment/1", "a:deployment/2", "a:deployment/3"] as const;

    const first = await replaceWorkloads(connection, lease, {
      workloads: [workload(one), workload(two)],
      now,
    });
    const same = await replaceWorkloads(connection, lease, {
      workloads: [workload(two), workload(one)],
      now,
    });
    const changed = await replaceWorkloads(connection, lease, {
      workloads: [workload(two, { status: "error", health: "degraded" }), workload(three)],
      now: now + 1,
    });

    assert.deepEqual(first, { written: [one, two], removed: [] });
    assert.deepEqual(same, { written: [], removed: [] });
    assert.deepEqual(changed, { written: [two, three], removed: [one] });
    const found = await findWorkload(connection, { instanceId: lease.instanceId, id: two }, "everything");
    assert.deepEqual([found?.status, found?.changedAt], ["error", new Date(now + 1)]);
  });

  it("aren't overwritten by a connection that was replaced", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const lease = await addConnectedInstance(connection, "prod");
    await replaceWorkloads(connection, lease, { workloads: [workload("a:deployment/1")], now });
    await takeLease(connection, { ...lease, leaseId: "newer", userAgent: "", protocol: "" }, now);

    const change = await replaceWorkloads(connection, lease, { workloads: [], now });

    assert.equal(change, undefined);
    assert.equal((await countWorkloads(connection, { scope: "everything" })).total, 1);
  });

  it("are what the daemon said, as far as a database can hold it", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const lease = await addConnectedInstance(connection, "prod");
    const id = "a:deployment/<b>";
    const said = workload(id, {
      policies: { automated: "true", locked: "true", locked_msg: "a\0b", "tag.x": "glob:*" },
      containers: [{ ...container, name: '"{}' }],
      syncError: "e".repeat(100_000),
    });

    await replaceWorkloads(connection, lease, { workloads: [said], now });

    const found = await findWorkload(connection, { instanceId: lease.instanceId, id }, "everything");
    assert.deepEqual(found, {
      ...said,
      instanceId: lease.instanceId,
      instanceName: "prod",
      instanceConnected: true,
      ready: 1,
      desired: 1,
      automated: true,
      locked: true,
      ignored: false,
      lockedReason: "a\ufffdb",
      newImages: 1,
      policies: { ...said.policies, locked_msg: "a\ufffdb" },
      syncError: `${"e".repeat(15_999)}…`,
      changedAt: new Date(now),
    });
  });

  it("are found by what they are", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const prod = await addConnectedInstance(connection, "prod");
    const test = await addConnectedInstance(connection, "test");
    const cart = workload("shop:deployment/cart", {
      containers: [container],
      policies: { automated: "true" },
    });
    const log = workload("kube-system:daemonset/log-agent", {
      status: "error",
      health: "degraded",
      syncError: "refused",
      policies: { locked: "true", automated: "false" },
    });
    await replaceWorkloads(connection, prod, { workloads: [cart, log], now });
    await replaceWorkloads(connection, test, { workloads: [workload("shop:cronjob/report")], now });
    const found = async (filter: Partial<WorkloadFilter>): Promise<readonly string[]> => {
      const { items } = await listWorkloads(connection, { scope: "everything", ...filter }, byNamespace);
      return items.map(({ name }) => name).toSorted();
    };

    assert.deepEqual(await found({}), ["cart", "log-agent", "report"]);
    assert.deepEqual(await found({ instanceIds: [test.instanceId] }), ["report"]);
    assert.deepEqual(await found({ namespaces: ["shop"] }), ["cart", "report"]);
    assert.deepEqual(await found({ kinds: ["cronjob", "daemonset"] }), ["log-agent", "report"]);
    assert.deepEqual(await found({ health: ["healthy"] }), ["cart", "report"]);
    assert.deepEqual(await found({ policies: ["automated"] }), ["cart", "log-agent"]);
    assert.deepEqual(await found({ policies: ["automated", "locked"] }), ["log-agent"]);
    assert.deepEqual(await found({ newImages: true }), ["cart"]);
    assert.deepEqual(await found({ search: "agent sys" }), ["log-agent"]);
    assert.deepEqual(await found({ search: "quay.io/weir" }), ["cart"]);
    assert.deepEqual(await found({ search: "nothing" }), []);
    assert.deepEqual(await found({ scope: [{ instanceId: prod.instanceId, namespace: "shop" }] }), ["cart"]);
    assert.deepEqual(await countWorkloads(connection, { scope: "everything", namespaces: ["shop"] }), {
      total: 2,
      namespaces: [{ value: "shop", count: 2 }],
      kinds: [
        { value: "cronjob", count: 1 },
        { value: "deployment", count: 1 },
      ],
      health: [{ value: "healthy", count: 2 }],
    });
  });

  it("are listed page by page in every order, each once", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const health = ["healthy", "progressing", "degraded", "unknown"] as const;
    for (let index = 0; index < 10; index++) {
      const lease = await addConnectedInstance(connection, `instance-${index}`);
      const workloads = Array.from({ length: 100 }, (_item, each) =>
        workload(`ns-${each % 20}:deployment/app-${each}`, {
          health: health[each % 4] ?? "unknown",
          containers: [{ ...container, image: `quay.io/weir/app-${each}:${index}` }],
        }),
      );
      await replaceWorkloads(connection, lease, { workloads, now: now + index });
    }
    const sorts: readonly WorkloadSort[] = ["namespace", "health", "newImages", "changedAt"];
    const filters = [{}, { search: "app 7" }, { search: "quay.io/weir/app-7" }, { health: ["degraded"] }];

    for (const sort of sorts) {
      for (const [index, filter] of filters.entries()) {
        const seen = new Set<string>();
        let cursor: string | undefined;
        const { total } = await countWorkloads(connection, { scope: "everything", ...filter });
        for (let read = 0; read < total; read += 50) {
          const request = { sort, descending: index % 2 === 1, limit: 50, cursor };
          const { items, next } = await listWorkloads(
            connection,
            { scope: "everything", ...filter },
            request,
          );
          items.forEach(({ instanceId, id }) => seen.add(`${instanceId} ${id}`));
          cursor = next;
        }
        assert.equal(cursor, undefined);
        assert.equal(seen.size, total, `${sort} ${JSON.stringify(filter)}`);
      }
    }

    assert.equal((await countWorkloads(connection, { scope: "everything" })).total, 1_000);
  });
});
