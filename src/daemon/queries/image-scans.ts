import { messageOf } from "@weir/base";
import { FluxError, type ImageRegistry, parseImageRefLoosely, ScanningDisabledError } from "@weir/flux";
import type { ImageScan } from "@weir/flux/api";

/** What the last scans of repositories found, or why they failed. Sends no requests to registries. */
export function imageScans(
  images: readonly string[],
  registry: Pick<ImageRegistry, "repositoryMetadata">,
  signal: AbortSignal,
): Promise<readonly ImageScan[]> {
  return Promise.all(images.map((image) => imageScan(image, registry, signal)));
}

async function imageScan(
  image: string,
  registry: Pick<ImageRegistry, "repositoryMetadata">,
  signal: AbortSignal,
): Promise<ImageScan> {
  try {
    const { scanError = "" } = await registry.repositoryMetadata(parseImageRefLoosely(image), signal);
    return { image, state: scanError === "" ? "scanned" : "stale", error: scanError };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ScanningDisabledError) {
      return { image, state: "off", error: "" };
    }
    const isMissing = error instanceof FluxError && error.kind === "missing";
    return isMissing
      ? { image, state: "waiting", error: "" }
      : { image, state: "failed", error: scanErrorIn(error) };
  }
}

/** Without the words around it. */
function scanErrorIn(error: unknown): string {
  const inner = error instanceof Error && "lastError" in error ? error.lastError : undefined;
  return typeof inner === "string" ? inner : messageOf(error);
}
