import { type Checkup, type Finding, failed, messageOf, passed, warning } from "@weir/base";
import { parseImageRefLoosely } from "@weir/flux";
import type { CacheStore } from "../../src/registry/cache/store.ts";
import type { ImageSource } from "../../src/registry/image-source.ts";
import { type ScanReport, scanReport } from "../../src/registry/scan-report.ts";
import { cacheSubject, memcachedAdvice, type OpenedCache } from "./image-cache.ts";

const subject = "registry";
/** The maximum number of repositories to name. */
const told = 5;

/** If images aren't scanned, there's nothing to check. */
export const noScanCheckup: Checkup = {
  subject,
  look: () => Promise.resolve([passed(subject, "images are not scanned (--registry-disable-scanning)")]),
};

/** Checks that the cache is available, and the results of scanning the images in use. */
export function imageCheckup(images: ImageSource, store: CacheStore, opening: Promise<OpenedCache>): Checkup {
  return { subject, look: (signal) => look(images, store, opening, signal) };
}

async function look(
  images: ImageSource,
  store: CacheStore,
  opening: Promise<OpenedCache>,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const used = await images.imageCredentials(signal);
  try {
    const report = await scanReport([...used.keys()].map(parseImageRefLoosely), store);
    return [scanFinding(report), (await opening).look()];
  } catch (error) {
    return [failed(cacheSubject, `cannot read the image cache: ${messageOf(error)}`, memcachedAdvice)];
  }
}

/** The results of scanning, in one sentence. */
export function scanFinding({ scanned, waiting, failed: missed }: ScanReport): Finding {
  const all = scanned.length + waiting.length + missed.length;
  if (missed.length > 0) {
    const errors = missed.slice(0, told).map(({ error }) => error);
    const more = missed.length > told ? `; and ${missed.length - told} more` : "";
    return failed(
      subject,
      `cannot scan ${missed.length} of ${all} image repositories in use: ${errors.join("; ")}${more}`,
      scanAdvice,
    );
  }
  if (waiting.length > 0) {
    const names = waiting.slice(0, told).join(", ");
    return warning(
      subject,
      `${waiting.length} of ${all} image repositories in use are not scanned yet: ${names}${waiting.length > told ? ", ..." : ""}`,
      "wait a minute or two, and check again",
    );
  }
  return passed(
    subject,
    all === 0 ? "no workload uses an image" : `all image repositories in use are scanned: ${all}`,
  );
}

const scanAdvice =
  "check the image names, the connection from the cluster to the registry, and the workload's pull secret; to skip images, use --registry-exclude-image";
