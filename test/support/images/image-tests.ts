import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { imageVariable } from "../pods/delivered-image.ts";

const root = join(import.meta.dirname, "../../..");

/** Asserts that end-to-end tests in pods pass when Weir's image is the unpacked one. */
export async function passesInImage(bundle: string, names: readonly string[]): Promise<void> {
  const files = names.map((name) => join(root, "test", "e2e", "pods", `${name}.test.ts`));
  const child = spawn(
    process.execPath,
    [
      `--import=${join(root, "packages/testing/src/property.ts")}`,
      "--test",
      "--test-concurrency=2",
      ...files,
    ],
    {
      cwd: root,
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, [imageVariable]: bundle },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [said, complained, exit] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  assert.equal(exit, 0, `${said.slice(-20_000)}${complained.slice(-5_000)}`);
  const skipped = /^ℹ skipped (\d+)$|^# skipped (\d+)$/m.exec(said);
  assert.equal(Number(skipped?.[1] ?? skipped?.[2]), 0, said.slice(-2_000));
}
