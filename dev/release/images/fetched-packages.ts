import { basename } from "node:path";
import { addressesOf, type PinnedPackage } from "./debian-packages.ts";
import { fetchedFile } from "./fetched-file.ts";

/** How many downloads are under way at once. */
const atOnce = 6;

/**
 * The paths of the .deb files of packages, in the same order. Throws an error that names the package and what to do where
 * one can't be had.
 */
export async function fetchedPackages(
  packages: readonly PinnedPackage[],
  signal: AbortSignal,
  addresses: (pinned: PinnedPackage) => readonly string[] = addressesOf,
): Promise<readonly string[]> {
  const queue = packages.entries();
  const files: string[] = [];
  const work = async (): Promise<void> => {
    for (const [index, pinned] of queue) {
      const { path, sha256 } = pinned;
      const file = { name: basename(path), addresses: addresses(pinned), sha256, signal };
      files[index] = await fetchedFile(file).catch((error: unknown) => {
        signal.throwIfAborted();
        throw new Error(explain(pinned, error), { cause: error });
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return files;
}

function explain({ package: name, version, architecture }: PinnedPackage, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `the Debian package ${name} ${version} (${architecture}) of docker/packages-lock.json can't be had: ${reason}
If Debian no longer has this version, pin the current one: run "node scripts/lock-packages.ts", and commit docker/packages-lock.json.`;
}
