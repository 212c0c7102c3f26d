import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { timestampOf } from "@weir/flux";
import { repositoryKey } from "../../../src/registry/cache/keys.ts";
import { emptyRecord, printRepository } from "../../../src/registry/cache/records.ts";
import { scanReport } from "../../../src/registry/scan-report.ts";

const lastUpdate = timestampOf(new Date("2020-01-01T00:00:00Z"));

/** A cache of some repositories of example.test. */
function cacheOf(records: Readonly<Record<string, string>>) {
  const items = new Map(
    Object.entries(records).map(([image, value]) => [
      repositoryKey({ domain: "example.test", image }),
      value,
    ]),
  );
  return {
    get: (key: string) => {
      const value = items.get(key);
      return Promise.resolve(value === undefined ? undefined : { value, deadline: 0 });
    },
    set: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

describe("scanReport", () => {
  it("tells what is known of each repository, however it is written", async () => {
    const store = cacheOf({
      well: printRepository({ ...emptyRecord, lastUpdate }),
      never: printRepository({ ...emptyRecord, lastError: "no such host" }),
      since: printRepository({ ...emptyRecord, lastUpdate, lastError: "refused" }),
    });
    const names = ["well", "well", "never", "since", "new"].map((image) => ({
      domain: "example.test",
      image,
    }));

    assert.deepEqual(await scanReport([...names, { domain: "", image: "alpine" }], store), {
      scanned: ["example.test/well"],
      waiting: ["example.test/new", "index.docker.io/library/alpine"],
      failed: [
        { name: "example.test/never", error: "no such host" },
        { name: "example.test/since", error: "refused" },
      ],
    });
  });
});
