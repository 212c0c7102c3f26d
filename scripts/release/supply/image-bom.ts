import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goProgram } from "@weir/toolchain";
import { type Bom, joinBoms, settleBom } from "./boms.ts";
import type { LayoutImage } from "./image-layouts.ts";
import { run } from "./run.ts";
import { assertValidBom } from "./valid-bom.ts";

/** What to list the contents of. */
export interface ImageBomOptions {
  readonly image: LayoutImage;
  readonly version: string;
  /** In seconds since the epoch. */
  readonly sourceDate: number;
  /** The SBOM of the bundles, which the image contains. */
  readonly programs: Bom;
  /** For temporary files. */
  readonly work: string;
  /** The file to write. */
  readonly output: string;
  readonly signal: AbortSignal;
}

/**
 * Writes the SBOM of an image: what Syft finds in its files (Debian packages, Go modules in programs, Node.js), and the
 * packages in the bundles, which leave no traces that it knows.
 */
export async function writeImageBom(options: ImageBomOptions): Promise<void> {
  const { image, version, sourceDate, programs, work, output, signal } = options;
  const found = join(work, `${image.name}.json`);
  await run({
    program: await goProgram("syft", { signal }),
    args: ["scan", `oci-dir:${layoutOf(image, work)}`, "--output", `cyclonedx-json@1.6=${found}`, "--quiet"],
    env: { ...process.env, SYFT_CHECK_FOR_APP_UPDATE: "false", SYFT_PARALLELISM: "2" },
    signal,
  });
  const bom = settleBom(JSON.parse(readFileSync(found, "utf8")) as Bom, {
    name: image.name,
    version,
    digest: image.descriptor.digest,
    timestamp: new Date(sourceDate * 1000).toISOString(),
  });
  const text = `${JSON.stringify(joinBoms(bom, programs), undefined, 2)}\n`;
  await assertValidBom(text, image.name);
  writeFileSync(output, text);
}

/** A layout with the same blobs that has only this image, because Syft takes layouts of one. */
function layoutOf({ layout, name, descriptor }: LayoutImage, work: string): string {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  const { mediaType, digest, size } = descriptor;
  writeFileSync(join(folder, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
  writeFileSync(
    join(folder, "index.json"),
    JSON.stringify({ schemaVersion: 2, manifests: [{ mediaType, digest, size }] }),
  );
  symlinkSync(join(layout, "blobs"), join(folder, "blobs"));
  return folder;
}
