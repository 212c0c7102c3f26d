import assert from "node:assert/strict";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { TempFolder } from "@weir/testing";
import { markUsed, removeOldBuilds } from "../../src/old-builds.ts";

const now = new Date("2026-03-31T12:00:00Z");
const recent = new Date("2026-03-02T12:00:00Z");
const old = new Date("2026-03-01T11:59:00Z");

it("removes builds that nobody has used for 30 days, and nothing else", async () => {
  using cache = new TempFolder();
  await folder(cache.path, "controlplane-0123456789abcdef", old);
  await folder(cache.path, "program-helm-fedcba9876543210", recent);
  await folder(cache.path, "building-old", old);
  await folder(cache.path, "building-recent", recent);
  await folder(cache.path, "notes-old", old);
  await writeFile(join(cache.path, "controlplane-0123456789abcdef.lock"), "1");
  await utimes(join(cache.path, "controlplane-0123456789abcdef.lock"), old, old);

  await removeOldBuilds(cache.path, now);

  const left = await readdir(cache.path);
  assert.deepEqual(left.toSorted(), ["building-recent", "notes-old", "program-helm-fedcba9876543210"]);
});

it("keeps an old build that is used", async () => {
  using cache = new TempFolder();
  await folder(cache.path, "controlplane-0123456789abcdef", old);
  await markUsed(join(cache.path, "controlplane-0123456789abcdef"), now);

  await removeOldBuilds(cache.path, now);

  assert.deepEqual(await readdir(cache.path), ["controlplane-0123456789abcdef"]);
});

it("does its work beside another run that does the same", async () => {
  using cache = new TempFolder();
  await folder(cache.path, "controlplane-0123456789abcdef", old);

  await Promise.all([removeOldBuilds(cache.path, now), removeOldBuilds(cache.path, now)]);

  assert.deepEqual(await readdir(cache.path), []);
});

async function folder(cache: string, name: string, used: Date): Promise<void> {
  await mkdir(join(cache, name));
  await writeFile(join(cache, name, "controlplane"), "a program");
  await utimes(join(cache, name), used, used);
}
