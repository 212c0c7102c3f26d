/** One pass over one repository: reads what changed since the last pass and stores it in the cache. */

import { type Clock, messageOf } from "@weir/base";
import { ImageStoreAwayError, printCredentials, printImageName, timestampOf } from "@weir/flux";
import type { RepositoryRecord } from "../cache/records.ts";
import type { CacheStore } from "../cache/store.ts";
import type { RegistryClients } from "../client.ts";
import { RegistryError } from "../errors.ts";
import type { WarmItem } from "./backlog.ts";
import { type DueImage, judgeImages } from "./due-images.ts";
import { hasNewImages, unchangedTags } from "./new-images.ts";
import { RepositoryCache } from "./repository-cache.ts";
import type { Settled } from "./settled.ts";
import { type UpdateContext, type UpdateResult, updateImages } from "./update-images.ts";

/** The result of a pass. */
export interface WarmResult {
  /** True if there are new images. */
  readonly news: boolean;
  /** The noticed tags that haven't changed since before the pass. */
  readonly unseen: readonly string[];
  /** True if the registry or the cache couldn't be read. */
  readonly failed: boolean;
}

/**
 * Scans a repository. Errors are logged, and stored for queries about a repository that was never read completely.
 * Rejects only with the signal's reason.
 */
export async function warmRepository(
  item: WarmItem,
  context: WarmContext,
  signal: AbortSignal,
): Promise<WarmResult> {
  const cache = new RepositoryCache(context.store, item.repository);
  const { noticed = new Set() } = context;
  const pass: PassContext = { ...context, item, cache, noticed, now: context.clock.now(), signal };
  const before = await read(pass);
  if (before === undefined) {
    context.told.endPass();
    return { news: false, unseen: [...noticed], failed: true };
  }
  const outcome = await refresh(before, pass).catch((error: unknown) => failureOf(error, pass));
  const after = await recordAfter(outcome, before, pass);
  // An unchanged record needn't be written; it's kept for two weeks.
  if (after !== before) {
    await cache.setRecord(after, pass.now).catch((error: unknown) => {
      context.settled.end();
      tell("writing result to cache", error, pass);
    });
    context.settled.wrote(after);
  }
  context.told.endPass();
  return {
    news: hasNewImages(before, after),
    unseen: unchangedTags(noticed, before, after),
    failed: outcome.kind === "failed",
  };
}

export interface WarmContext extends Pick<UpdateContext, "burst" | "trace" | "logger" | "told"> {
  readonly clients: RegistryClients;
  readonly store: CacheStore;
  readonly clock: Clock;
  readonly settled: Settled;
  /** Tags that a notice named; they're read even if they aren't due. */
  readonly noticed?: ReadonlySet<string>;
}

/** What a pass found out: the whole repository, that it's as before, or why it can't be read, "" if only this time. */
type Outcome =
  | { readonly kind: "read"; readonly record: RepositoryRecord }
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed"; readonly lastError: string };

/** A pass and its dependencies. */
type PassContext = Omit<UpdateContext, "client"> & Required<WarmContext>;

/** If the cache can't be read, it can't be written either, so the registry isn't queried. */
async function read(pass: PassContext): Promise<RepositoryRecord | undefined> {
  try {
    return await pass.cache.record();
  } catch (error) {
    tell("fetching previous result from cache", error, pass);
    return undefined;
  }
}

async function refresh(before: RepositoryRecord, pass: PassContext): Promise<Outcome> {
  const { item, cache, clients, clock, noticed, now, signal, settled } = pass;
  const client = clients.clientFor(item.repository, item.credentials);
  const tags = await client.tags(signal);
  if (noticed.size === 0 && settled.holds(tags, before, now)) {
    clients.succeed(item.repository);
    return { kind: "unchanged" };
  }
  const { images, due, dueAt } = judgeImages(tags, await cache.images(tags), { now, noticed });
  if (due.length === 0) {
    settled.begin(dueAt, now);
  } else {
    settled.end();
  }
  tellStart(tags.length, due, pass);
  const result = await updateImages(due, { ...pass, client });
  tellEnd(result, due.length, pass);
  if (result.error !== undefined) {
    return { kind: "failed", lastError: result.error.message };
  }
  clients.succeed(item.repository);
  const all = new Map([...images, ...result.images]);
  const lastUpdate = timestampOf(new Date(clock.now()));
  return { kind: "read", record: { tags, images: all, lastError: "", lastUpdate } };
}

/** As in Flux v1, a timeout isn't stored: the next pass may get further. */
function failureOf(error: unknown, pass: PassContext): Outcome {
  pass.signal.throwIfAborted();
  if (!(error instanceof RegistryError)) {
    tell("reading images", error, pass);
    return { kind: "failed", lastError: "" };
  }
  tell("requesting tags", error, pass);
  return { kind: "failed", lastError: error.failure === "timeout" ? "" : error.message };
}

async function recordAfter(
  outcome: Outcome,
  before: RepositoryRecord,
  pass: PassContext,
): Promise<RepositoryRecord> {
  switch (outcome.kind) {
    case "read":
      return outcome.record;
    case "unchanged":
      return before.lastError === "" ? before : { ...before, lastError: "" };
    case "failed": {
      // An error must not replace what the cache knows by now: memcached may have taken over, or others share it.
      const known = outcome.lastError === "" ? undefined : await read(pass);
      return known === undefined ? before : { ...known, lastError: outcome.lastError };
    }
  }
}

function tell(what: string, error: unknown, { item, logger, told, signal }: PassContext): void {
  if (error instanceof ImageStoreAwayError) {
    return;
  }
  const name = printImageName(item.repository);
  const err = `${what}: ${messageOf(error)}`;
  if (!signal.aborted && told.isNew(name, err)) {
    logger.log({ canonical_name: name, auth: printCredentials(item.credentials), err });
  }
}

function tellStart(tagCount: number, due: readonly DueImage[], { item, logger }: PassContext): void {
  if (due.length > 0) {
    const refresh = due.filter(({ known }) => known !== undefined).length;
    logger.log({
      info: "refreshing image",
      image: printImageName(item.name),
      tag_count: tagCount,
      to_update: due.length,
      of_which_refresh: refresh,
      of_which_missing: due.length - refresh,
    });
  }
}

function tellEnd({ successful }: UpdateResult, attempted: number, { item, logger }: PassContext): void {
  if (attempted > 0) {
    logger.log({ updated: printImageName(item.name), successful, attempted });
  }
}
