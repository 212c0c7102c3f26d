import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";

const weir = join(import.meta.dirname, "../../dist/weir");

describe("a demo that is called wrongly", () => {
  it("says what is wrong and how to call it, and starts nothing", async () => {
    const run = promisify(execFile)(weir, ["demo", "--turo"]);

    await assert.rejects(run, (error: Error & { code?: number; stderr?: string; stdout?: string }) => {
      assert.deepEqual([error.code, error.stdout], [2, ""]);
      assert.match(error.stderr ?? "", /^Error: the demo has no argument "--turo"\n\nUsage:\n/);
      return true;
    });
  });
});
