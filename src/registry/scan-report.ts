/** The results of scanning image repositories, according to the cache. */
import { canonicalImageName, type ImageName, printImageName } from "@weir/flux";
import { repositoryKey } from "./cache/keys.ts";
import { parseRepository } from "./cache/records.ts";
import type { CacheStore } from "./cache/store.ts";

/** Repositories by the state of their scan, under their canonical names. */
export interface ScanReport {
  readonly scanned: readonly string[];
  /** Not scanned yet. */
  readonly waiting: readonly string[];
  /** The last scan failed. */
  readonly failed: readonly { readonly name: string; readonly error: string }[];
}

/** Looks up the state of some repositories. Rejects if the cache can't be reached. */
export async function scanReport(names: readonly ImageName[], store: CacheStore): Promise<ScanReport> {
  const repositories = new Map(
    names.map(canonicalImageName).map((name) => [printImageName(name), name] as const),
  );
  const looked = await Promise.all(
    [...repositories].map(async ([name, repository]) => {
      const item = await store.get(repositoryKey(repository));
      return { name, record: item && parseRepository(item.value) };
    }),
  );
  return {
    scanned: looked.filter(({ record }) => record?.lastError === "").map(({ name }) => name),
    waiting: looked.filter(({ record }) => record === undefined).map(({ name }) => name),
    failed: looked.flatMap(({ name, record }) =>
      record === undefined || record.lastError === "" ? [] : [{ name, error: record.lastError }],
    ),
  };
}
