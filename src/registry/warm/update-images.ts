import { forEachBounded, type Logger, printDuration, type Reported } from "@weir/base";
import { type ImageInfo, printImageName, printImageRef, timestampOf } from "@weir/flux";
import type { ImageEntry, RepositoryClient } from "../client.ts";
import { RegistryError } from "../errors.ts";
import { nextRefresh } from "../refresh.ts";
import type { WarmItem } from "./backlog.ts";
import { type DueImage, knownDigest } from "./due-images.ts";
import type { RepositoryCache } from "./repository-cache.ts";

/** The result of reading images. */
export interface UpdateResult {
  readonly images: ReadonlyMap<string, ImageInfo>;
  /** Images that were read and stored, including excluded ones. */
  readonly successful: number;
  /** Images without a manifest in the registry. */
  readonly unknown: number;
  /** An error from one of the others; undefined if there was none. */
  readonly error: RegistryError | undefined;
}

/** After this many timeouts, the rest is left for the next pass, because it would take too long. */
const mostLost = 10;
/** The maximum number of different errors to log in one pass; for the others, only the number of images is logged. */
const mostTold = 10;

/**
 * Reads images and stores each one immediately, so that a pass that ends early still makes progress. Rejects if the
 * cache does, or with the signal's reason.
 */
export async function updateImages(due: readonly DueImage[], context: UpdateContext): Promise<UpdateResult> {
  const images = new Map<string, ImageInfo>();
  let [successful, unknown] = [0, 0];
  const errors: RegistryError[] = [];
  await forEachBounded(due, context.burst, async (image) => {
    if (whyStop(errors) !== undefined) {
      return;
    }
    const outcome = await updateImage(image, context);
    if (!(outcome instanceof RegistryError)) {
      successful += 1;
      if (outcome.kind === "image") {
        images.set(image.tag, outcome.info);
      }
    } else if (outcome.failure === "unknown") {
      unknown += 1;
      tellMissing(image, outcome, context);
    } else {
      errors.push(outcome);
    }
  });
  tellErrors(errors, context);
  return { images, successful, unknown, error: errors[0] };
}

export interface UpdateContext {
  readonly item: WarmItem;
  readonly client: RepositoryClient;
  readonly cache: RepositoryCache;
  /** The number of images to read at a time. */
  readonly burst: number;
  /** When the pass started, in milliseconds since the epoch. */
  readonly now: number;
  /** Log each decision. */
  readonly trace: boolean;
  readonly logger: Logger;
  readonly told: Reported;
  readonly signal: AbortSignal;
}

async function updateImage(image: DueImage, context: UpdateContext): Promise<ImageEntry | RegistryError> {
  const { cache, now } = context;
  try {
    const entry = await readImage(image, context);
    const interval = nextRefresh(entry, image.known?.previous);
    if (context.trace) {
      trace({ trace: "caching manifest", refresh: printDuration(interval) }, image, context);
    }
    await cache.setImage(image.tag, entry, now + interval);
    return entry;
  } catch (error) {
    if (error instanceof RegistryError) {
      return error;
    }
    throw error;
  }
}

/** If the tag still has the known digest, nothing else is requested. */
async function readImage(image: DueImage, context: UpdateContext): Promise<ImageEntry> {
  const { client, signal, now } = context;
  const known = knownDigest(image);
  if (known !== undefined && image.known && known === (await client.digest(image.tag, signal))) {
    return readAt(image.known.entry, now);
  }
  if (context.trace) {
    trace({ trace: "refreshing manifest" }, image, context);
  }
  const { entry, badLabels } = await client.image(image.tag, signal);
  const ref = refOf(image, context);
  if (badLabels.length > 0) {
    context.logger.log({ err: badLabelsMessage(badLabels), ref });
  }
  if (entry.kind === "excluded") {
    context.logger.log({ excluded: entry.reason, ref });
  }
  return readAt(entry, now);
}

function readAt(entry: ImageEntry, now: number): ImageEntry {
  return entry.kind === "excluded"
    ? entry
    : { ...entry, info: { ...entry.info, lastFetched: timestampOf(new Date(now)) } };
}

/** Why the rest of a repository is left for later; undefined to continue. */
function whyStop(errors: readonly RegistryError[]): string | undefined {
  if (errors.some(({ failure }) => failure === "rate-limited")) {
    return "aborting image tag fetching due to rate limiting, will try again later";
  }
  const lost = errors.filter(({ failure }) => failure === "timeout" || failure === "unreachable");
  return lost.length >= mostLost
    ? "aborting image tag fetching because the registry doesn't respond, will try again later"
    : undefined;
}

function refOf({ tag }: DueImage, { item }: UpdateContext): string {
  return printImageRef({ ...item.name, tag, sha: "" });
}

/** Flux v1's message. */
function badLabelsMessage(labels: readonly string[]): string {
  return `failed to parse ${labels.length} timestamp label(s) as RFC3339 (${labels.join(", ")}); ask the repository administrator to correct this as it conflicts with the spec`;
}

function tellMissing(image: DueImage, error: RegistryError, { item, told, logger }: UpdateContext): void {
  if (told.isNew(error.image, error.message)) {
    logger.log({
      warn: `manifest for tag ${image.tag} missing in repository ${printImageName(item.name)}`,
      impact:
        "flux will fail to auto-release workloads with matching images, ask the repository administrator to fix the inconsistency",
    });
  }
}

function tellErrors(errors: readonly RegistryError[], { logger, told }: UpdateContext): void {
  const warn = whyStop(errors);
  if (warn !== undefined) {
    logger.log({ warn });
  }
  const others = errors.filter(({ failure }) => failure !== "rate-limited");
  const news = others.filter((error) => told.isNew(error.image, error.message));
  const alike = [...Map.groupBy(news, ({ why }) => why).values()];
  alike.slice(0, mostTold).forEach((each) => tellAlike(each, logger));
  if (alike.length > mostTold) {
    logger.log({ warn: "more images could not be read", count: alike.slice(mostTold).flat().length });
  }
}

/** If many images fail for the same reason, such as an unreachable registry, only one of them is logged. */
function tellAlike([error, ...others]: readonly RegistryError[], logger: Logger): void {
  if (error !== undefined) {
    logger.log({ err: error, ref: error.image, ...(others.length > 0 ? { others: others.length } : {}) });
  }
}

function trace(fields: Readonly<Record<string, string>>, image: DueImage, context: UpdateContext): void {
  context.logger.log({ ...fields, ref: refOf(image, context) });
}
