import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type EventPages, withFreshEvents } from "../../../page/api/fresh-events.ts";
import type { ConsoleEvent } from "../../../src/contract/events.ts";

const listed = pages({ ids: [30, 20], next: "older" });

describe("a list of events", () => {
  it("gets what has just happened, newest first, once", () => {
    const { list, missing } = withFreshEvents(listed, {}, [event(25), event(40), event(30)]);

    assert.deepEqual([idsOf(list), missing], [[40, 30, 25, 20], "nothing"]);
  });

  it("stays as it is for what its filters leave out", () => {
    for (const query of [
      { instance: ["other"] },
      { type: ["drift"] },
      { severity: ["error"] },
      { namespace: "elsewhere" },
      { workload: ["shop:deployment/cart"] },
      { since: "2026-01-01T00:01:00.000Z" },
      { until: "2026-01-01T00:00:01.000Z" },
    ] as const) {
      const { list, missing } = withFreshEvents(listed, query, [event(40)]);

      assert.equal(list, listed, JSON.stringify(query));
      assert.equal(missing, "nothing");
    }
    const { list } = withFreshEvents(
      listed,
      { instance: ["other", "i"], type: "sync", namespace: ["shop"], workload: ["shop:deployment/web"] },
      [event(40)],
    );
    assert.deepEqual(idsOf(list), [40, 30, 20]);
  });

  it("has to be asked for if there's a search, another order, or something further down", () => {
    assert.equal(withFreshEvents(listed, { q: "web" }, [event(40)]).missing, "all");
    assert.equal(withFreshEvents(listed, { sort: "at" }, [event(40)]).missing, "all");
    const { list, missing } = withFreshEvents(listed, {}, [event(10), event(40)]);
    assert.deepEqual([idsOf(list), missing], [[40, 30, 20], "some"]);
  });

  it("doesn't grow without end, and loses nothing of what was read on", () => {
    const many = Array.from({ length: 300 }, (_, index) => event(100 + index));
    const { list, missing } = withFreshEvents(listed, {}, many);
    assert.deepEqual([idsOf(list).length, idsOf(list)[0], missing], [200, 399, "some"]);

    const two = pages({ ids: [30, 20], next: "older" }, { ids: [10], next: null });
    const further = withFreshEvents(two, {}, many);
    assert.deepEqual([further.list, further.missing], [two, "some"]);
    assert.deepEqual(idsOf(withFreshEvents(two, {}, [event(40)]).list), [40, 30, 20, 10]);
  });
});

function event(id: number): ConsoleEvent {
  return {
    ...{ id, type: "sync", severity: "info", message: "", revision: "", metadata: null },
    instance: { id: "i", name: "prod" },
    at: new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString(),
    workloads: ["shop:deployment/web"],
    namespaces: ["shop"],
  };
}

function pages(
  ...all: readonly { readonly ids: readonly number[]; readonly next: string | null }[]
): EventPages {
  return {
    pages: all.map(({ ids, next }) => ({ rows: ids.map(event), next })),
    pageParams: all.map(() => undefined),
  };
}

function idsOf(list: EventPages): readonly number[] {
  return list.pages.flatMap(({ rows }) => rows.map(({ id }) => id));
}
