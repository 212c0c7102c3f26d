import { basename } from "node:path";
import { addressesOf, type PinnedPackage } from "./debian-packages.ts";
import { fetchedFile } from "./fetched-file.ts";

/** How many downloads are under way at once. */
const atOnce = 6;

/** The paths of the .deb files of packages, in the same order. */
export async function fetchedPackages(
  packages: readonly PinnedPackage[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const queue = packages.entries();
  const files: string[] = [];
  const work = async (): Promise<void> => {
    for (const [index, pinned] of queue) {
      files[index] = await fetchedFile({
        name: basename(pinned.path),
        addresses: addressesOf(pinned),
        sha256: pinned.sha256,
        signal,
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return files;
}
