import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { findProgram, lacks } from "@weir/testing";

const folder = join(import.meta.dirname, "../../../monitoring");

async function promtool(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(findProgram("promtool") ?? "promtool", args, { cwd: folder });
  return stdout;
}

for (const prefix of ["", "console-"]) {
  describe(`the rules in ${prefix}alerts.yaml`, { skip: lacks("prometheus") }, () => {
    it("are valid for Prometheus", async () => {
      assert.match(await promtool("check", "rules", `${prefix}alerts.yaml`), /SUCCESS: \d+ rules found/);
    });

    it("fire when they should, and only then, with these words", async () => {
      assert.match(await promtool("test", "rules", `${prefix}alerts.test.yaml`), /SUCCESS/);
    });
  });
}
