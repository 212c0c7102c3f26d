import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LogRequest, logQuery } from "../../../../../cmd/fluxctl/logs/query.ts";

describe("the query for a log", () => {
  const nothing = { sinceMs: undefined, sinceTime: undefined, tail: undefined };
  const first: LogRequest = {
    container: "main",
    previous: false,
    follow: true,
    wanted: nothing,
    place: undefined,
    sinceFirstMs: undefined,
  };
  const place = "2026-01-01T00:00:00.123456789Z";

  for (const [what, request, query] of [
    ["asks for all", first, {}],
    [
      "asks for what is wanted",
      { ...first, wanted: { ...nothing, sinceMs: 90_500, tail: 5 } },
      { sinceSeconds: "91", tailLines: "5" },
    ],
    ["asks for a time", { ...first, wanted: { ...nothing, sinceTime: place } }, { sinceTime: place }],
    [
      "continues from the second of the last line",
      { ...first, wanted: { ...nothing, sinceMs: 1_000, tail: 5 }, place, sinceFirstMs: 9_000 },
      { sinceTime: "2026-01-01T00:00:00Z" },
    ],
    [
      "asks for all if there was nothing to begin with",
      { ...first, wanted: { ...nothing, tail: 5 }, sinceFirstMs: 9_000 },
      {},
    ],
    [
      "asks for what was logged since, if nothing was wanted before",
      { ...first, wanted: { ...nothing, tail: 0 }, sinceFirstMs: 9_000 },
      { sinceSeconds: "9" },
    ],
    [
      "keeps the beginning of a time that has gone on",
      { ...first, wanted: { ...nothing, sinceMs: 60_000 }, sinceFirstMs: 9_000 },
      { sinceSeconds: "69" },
    ],
  ] as const) {
    it(what, () => {
      assert.deepEqual(logQuery(request), {
        container: "main",
        timestamps: "true",
        follow: "true",
        ...query,
      });
    });
  }

  it("asks for the run before", () => {
    assert.deepEqual(logQuery({ ...first, follow: false, previous: true }), {
      container: "main",
      timestamps: "true",
      previous: "true",
    });
  });
});
