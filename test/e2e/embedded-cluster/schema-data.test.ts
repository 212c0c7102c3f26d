import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { goModules, makeDataFiles } from "../../../scripts/openapi-data/make-data.ts";
import type { ApiData } from "../../../src/embedded-cluster/schema/api-data-format.ts";
import { readDataFile } from "../../../src/embedded-cluster/schema/data-file.ts";
import { startControlPlane } from "../../support/control-plane.ts";
import { findProgram, lacks } from "../../support/machine.ts";

describe("the data files of the embedded cluster", { skip: lacks("Go") }, () => {
  it("hold what an API server and its Go declarations tell", async () => {
    await using plane = await startControlPlane();
    await go("mod", "download", ...goModules);
    const folder = join(await go("env", "GOMODCACHE"), "k8s.io");

    const made = await makeDataFiles(plane, folder);

    assert.equal(summarize(readDataFile("api-data")), summarize(made["api-data"]));
    assert.deepEqual(readDataFile("api-data").types, made["api-data"].types);
    assert.deepEqual(readDataFile("api-text"), made["api-text"]);
  });
});

/** All but the types, and what the machine that built the server says of itself. */
function summarize({ types: _, version, ...rest }: ApiData): string {
  return JSON.stringify({ ...rest, gitVersion: version["gitVersion"] });
}

async function go(...args: readonly string[]): Promise<string> {
  const cwd = join(import.meta.dirname, "../controlplane");
  const { stdout } = await promisify(execFile)(findProgram("go") ?? "go", args, { cwd });
  return stdout.trim();
}
