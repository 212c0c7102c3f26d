import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readFilters, writeFilters } from "../../../page/state/filters.ts";

const filters = {
  q: { kind: "text" },
  instance: { kind: "several" },
  health: { kind: "several", values: ["healthy", "degraded"] },
  problems: { kind: "flag" },
  sort: { kind: "choice", values: ["id", "-id"], otherwise: "id" },
} as const;

const unset = { q: "", instance: [], health: [], problems: false, sort: "id" } as const;

describe("filters in an address", () => {
  it("are unset without a query", () => {
    assert.deepEqual(readFilters("", filters), unset);
  });

  it("are written without those that are unset", () => {
    assert.equal(writeFilters(unset, filters), "");
    assert.equal(
      writeFilters({ ...unset, q: "a b", instance: ["x", "y"], problems: true, sort: "-id" }, filters),
      "?q=a+b&instance=x&instance=y&problems=true&sort=-id",
    );
  });

  it("come back as they were written, with any characters", () => {
    for (const q of ["50%", "%41", "a+b&c=d", "#?/", "é漢", "<b>"]) {
      const values = { ...unset, q, instance: [q, "second"] };

      assert.deepEqual(readFilters(writeFilters(values, filters), filters), values);
    }
  });

  it("leave out what isn't known, so that old links open", () => {
    const search =
      "?health=degraded&health=purple&health=degraded&sort=color&problems=maybe&other=1&instance=";

    assert.deepEqual(readFilters(search, filters), { ...unset, health: ["degraded"] });
  });
});
