import { Deadline } from "@weir/base";
import type { ImageScan } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import type { CommandContext } from "../command.ts";

/** The time limit for the daemon to answer, in milliseconds. */
const askFor = 3_000;

/** The most repositories to ask about in one request, and to tell of. */
const mostAsked = 100;
const mostTold = 10;

/**
 * What the last scans of repositories found, by name; empty where nobody reads it, and from Flux v1, which can't say.
 */
export async function scansOf(
  images: readonly string[],
  client: ApiClient,
  { errScreen, clock, signal }: CommandContext,
): Promise<ReadonlyMap<string, ImageScan>> {
  const asked = [...new Set(images)].filter((image) => image !== "").slice(0, mostAsked);
  if (errScreen === undefined || asked.length === 0) {
    return new Map();
  }
  using deadline = new Deadline(clock, askFor, signal);
  const scans = await client.imageScans({ images: asked }, deadline.signal).catch(() => []);
  signal.throwIfAborted();
  return new Map(scans.map((scan) => [scan.image, scan]));
}

/** Which repositories couldn't be scanned, why, and what to do, in lines. */
export function describeScans(scans: Iterable<ImageScan>): readonly string[] {
  const all = [...scans];
  if (all.some(({ state }) => state === "off")) {
    return ["fluxd doesn't scan images (--registry-disable-scanning), so it knows of no new ones."];
  }
  const lines = all.flatMap(describeScan);
  const shown = lines.slice(0, mostTold);
  const more = lines.length > mostTold ? [`... and ${lines.length - mostTold} more`] : [];
  return lines.length === 0 ? [] : [...shown, ...more, scanAdvice];
}

function describeScan({ image, state, error }: ImageScan): readonly string[] {
  switch (state) {
    case "scanned":
    case "off":
      return [];
    case "waiting":
      return [`${image} isn't scanned yet; fluxd scans images that workloads use.`];
    case "stale":
      return [
        `The last scan of ${image} failed, so newer images may be missing: ${withoutName(image, error)}`,
      ];
    case "failed":
      return [`Cannot scan ${image}: ${withoutName(image, error)}`];
  }
}

/** The error of a scan without the name of the repository, which it begins with. */
export function withoutName(image: string, error: string): string {
  const [name = "", ...rest] = error.split(": ");
  return rest.length > 0 && name.endsWith(image) ? rest.join(": ") : error;
}

const scanAdvice =
  "fluxd tries again by itself. Make sure that it can reach the registry and has credentials (fluxctl check has advice).";
