import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { provenanceStatement } from "../../../dev/release/supply/provenance.ts";

describe("the provenance of a release", () => {
  it("names the commit, what was fetched for it, and what came of it, sorted", () => {
    const statement = provenanceStatement({
      version: "1.2.3",
      commit: "c0ffee",
      materials: new Map([["package-lock.json", "aa"]]),
      made: new Map([
        ["packages/weir.tgz", "bb"],
        ["bin/fluxd", "cc"],
      ]),
      node: "v24.0.0",
    });

    assert.deepEqual(statement, {
      _type: "https://in-toto.io/Statement/v1",
      subject: [
        { name: "bin/fluxd", digest: { sha256: "cc" } },
        { name: "packages/weir.tgz", digest: { sha256: "bb" } },
      ],
      predicateType: "https://slsa.dev/provenance/v1",
      predicate: {
        buildDefinition: {
          buildType: "https://weir.dev/release/v1",
          externalParameters: { command: "npm run release", version: "1.2.3" },
          internalParameters: {},
          resolvedDependencies: [
            { name: "source", digest: { gitCommit: "c0ffee" } },
            { name: "package-lock.json", digest: { sha256: "aa" } },
          ],
        },
        runDetails: { builder: { id: "https://weir.dev/release", version: { node: "v24.0.0" } } },
      },
    });
  });
});
