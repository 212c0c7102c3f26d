import { readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

const unusedDays = 30;
const dayMs = 86_400_000;

/** What builds leave in the cache: finished folders, folders of builds that were killed, and their locks. */
const ofBuilds = /^(building|removing)-|-[0-9a-f]{16,64}(\.lock)?$/;

/** Notes that a build is in use, so that `removeOldBuilds` keeps it. */
export async function markUsed(folder: string, now: Date): Promise<void> {
  await utimes(folder, now, now).catch(() => undefined);
}

/** Removes the builds of a cache folder that nobody has used for 30 days. */
export async function removeOldBuilds(cache: string, now: Date): Promise<void> {
  const oldest = now.getTime() - unusedDays * dayMs;
  for (const name of await readdir(cache)) {
    if (ofBuilds.test(name) && (await isUnusedSince(join(cache, name), oldest))) {
      await removeAtOnce(cache, name);
    }
  }
}

async function isUnusedSince(path: string, time: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs < time;
}

/** First gives it another name, so that nobody finds a build of which a part is gone. */
async function removeAtOnce(cache: string, name: string): Promise<void> {
  const doomed = join(cache, `removing-${name}`);
  try {
    await rename(join(cache, name), doomed);
  } catch {
    // Another run removes it, too.
    return;
  }
  await rm(doomed, { recursive: true, force: true });
}
