import assert from "node:assert/strict";
import { it } from "node:test";
import {
  addEvents,
  type EventFilter,
  findEvent,
  listEvents,
  markDispatched,
  undispatchedEventIds,
} from "../../../../src/store/events.ts";
import { describeOnBothDatabases, describeOnServer } from "../../../support/databases.ts";
import { addInstance, now, syncEvent } from "../../../support/stored.ts";

const newestFirst = { sort: "at", descending: true, limit: 100 } as const;

describeOnBothDatabases("events", (databases) => {
  it("are stored once, however often they're posted", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const id = await addInstance(connection, "prod");

    const first = await addEvents(
      connection,
      [syncEvent(id, "1"), syncEvent(id, "2"), syncEvent(id, "1")],
      now,
    );
    const again = await addEvents(connection, [syncEvent(id, "2"), syncEvent(id, "3")], now);

    assert.deepEqual([first.length, again.length], [2, 1]);
    const { items } = await listEvents(connection, { scope: "everything" }, newestFirst);
    assert.deepEqual(items.toReversed(), [...first, ...again]);
  });

  it("are what was posted, as far as a database can hold it", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const id = await addInstance(connection, "prod");
    const posted = syncEvent(id, "1", {
      message: "a\0b",
      revision: "r".repeat(10_000),
      metadata: { "a\0": ["<script>", "\ud800"], text: "'; drop table events; --" },
      workloadIds: ['a:deployment/{"x"}', "\0"],
    });

    const [added] = await addEvents(connection, [posted], now);

    assert.deepEqual(added && (await findEvent(connection, added.id, "everything")), {
      id: added?.id,
      instanceId: id,
      type: "sync",
      severity: "info",
      at: new Date(now),
      receivedAt: new Date(now),
      namespaces: ["default"],
      workloadIds: ['a:deployment/{"x"}', "\ufffd"],
      revision: `${"r".repeat(499)}…`,
      message: "a\ufffdb",
      metadata: { "a\ufffd": ["<script>", "\ufffd"], text: "'; drop table events; --" },
    });
  });

  it("leave out metadata that's too large", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const id = await addInstance(connection, "prod");

    const [added] = await addEvents(
      connection,
      [syncEvent(id, "1", { metadata: "x".repeat(2_000_000) })],
      now,
    );

    assert.deepEqual(added?.metadata, { omitted: "too large" });
  });

  it("are found by what they are about", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const prod = await addInstance(connection, "prod");
    const other = await addInstance(connection, "other");
    await addEvents(
      connection,
      [
        syncEvent(prod, "sync", { message: "Sync: 0a1b2c, no workloads changed" }),
        syncEvent(prod, "release", {
          type: "release",
          severity: "error",
          namespaces: ["shop"],
          workloadIds: ["shop:deployment/cart"],
          revision: "def",
          message: "Released: quay.io/shop/cart:2 to shop:deployment/cart",
          at: new Date(now + 1_000),
        }),
        syncEvent(other, "commit", { type: "commit", at: new Date(now + 2_000), namespaces: [] }),
      ],
      now,
    );
    const found = async (filter: Partial<EventFilter>): Promise<readonly string[]> => {
      const { items } = await listEvents(connection, { scope: "everything", ...filter }, newestFirst);
      return items.map(({ type }) => type);
    };

    assert.deepEqual(await found({}), ["commit", "release", "sync"]);
    assert.deepEqual(await found({ instanceIds: [prod] }), ["release", "sync"]);
    assert.deepEqual(await found({ namespaces: ["shop", "nowhere"] }), ["release"]);
    assert.deepEqual(await found({ workloadIds: ["shop:deployment/cart"] }), ["release"]);
    assert.deepEqual(await found({ types: ["sync", "commit"] }), ["commit", "sync"]);
    assert.deepEqual(await found({ severities: ["error"] }), ["release"]);
    assert.deepEqual(await found({ from: new Date(now + 1_000), to: new Date(now + 2_000) }), ["release"]);
    assert.deepEqual(await found({ search: "CART rel" }), ["release"]);
    assert.deepEqual(await found({ search: "0a1b" }), ["sync"]);
    assert.deepEqual(await found({ search: "':* | & !(\0" }), ["commit", "release", "sync"]);
    assert.deepEqual(await found({ scope: [{ instanceId: prod, namespace: "shop" }] }), ["release"]);
    assert.deepEqual(await found({ scope: [{ instanceId: other, namespace: null }] }), ["commit"]);
    assert.deepEqual(await found({ scope: [] }), []);
  });

  it("are listed page by page while new ones come", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const id = await addInstance(connection, "prod");
    await addEvents(
      connection,
      Array.from({ length: 5 }, (_, index) => syncEvent(id, `${index}`)),
      now,
    );
    const page = { ...newestFirst, limit: 2 };

    const first = await listEvents(connection, { scope: "everything" }, page);
    await addEvents(connection, [syncEvent(id, "new", { at: new Date(now + 1) })], now);
    const second = await listEvents(connection, { scope: "everything" }, { ...page, cursor: first.next });
    const third = await listEvents(connection, { scope: "everything" }, { ...page, cursor: second.next });

    const ids = [first, second, third].flatMap(({ items }) => items.map((event) => event.id));
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    );
    assert.deepEqual([ids.length, third.next], [5, undefined]);
  });

  it("are compared with rules once", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const id = await addInstance(connection, "prod");
    await addEvents(
      connection,
      Array.from({ length: 3 }, (_, index) => syncEvent(id, `${index}`)),
      now,
    );
    const dispatch = (limit: number): Promise<number> =>
      database.transaction(async (transaction) => {
        const ids = await undispatchedEventIds(transaction, limit);
        const last = ids.at(-1);
        if (last !== undefined) {
          await markDispatched(transaction, last);
        }
        return ids.length;
      });

    assert.deepEqual([await dispatch(2), await dispatch(2), await dispatch(2)], [2, 1, 0]);
  });
});

describeOnServer("events of several consoles", (databases) => {
  it("become visible in the order of their IDs", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    const id = await addInstance(one.connection, "prod");
    const seen: number[] = [];
    const watch = async (): Promise<void> => {
      while (seen.length < 200) {
        await other.transaction(async (transaction) => {
          const ids = await undispatchedEventIds(transaction, 100);
          await markDispatched(transaction, ids.at(-1) ?? seen.at(-1) ?? 0);
          seen.push(...ids);
        });
      }
    };

    const additions = Array.from({ length: 100 }, (_, index) =>
      addEvents(
        (index % 2 === 0 ? one : other).connection,
        [syncEvent(id, `${index}a`), syncEvent(id, `${index}b`)],
        now,
      ),
    );
    await Promise.all([...additions, watch()]);

    assert.equal(new Set(seen).size, 200);
  });
});
