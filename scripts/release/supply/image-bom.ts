import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goModuleSources, goProgram } from "@weir/toolchain";
import { imageTools } from "../../image/tools.ts";
import { type Bom, joinBoms, settleBom } from "./boms.ts";
import type { LayoutImage } from "./image-layouts.ts";
import { withModuleLicenses } from "./module-licenses.ts";
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
    env: {
      ...process.env,
      SYFT_CHECK_FOR_APP_UPDATE: "false",
      SYFT_PARALLELISM: "2",
      // Programs don't contain the licenses of their modules; the sources do.
      SYFT_GOLANG_SEARCH_LOCAL_MOD_CACHE_LICENSES: "true",
      SYFT_GOLANG_LOCAL_MOD_CACHE_DIR: await sourcesOfTools(signal),
    },
    signal,
  });
  const bom = settleBom(JSON.parse(readFileSync(found, "utf8")) as Bom, {
    name: image.name,
    version,
    digest: image.descriptor.digest,
    timestamp: new Date(sourceDate * 1000).toISOString(),
  });
  const text = `${JSON.stringify(joinBoms(withModuleLicenses(bom), programs), undefined, 2)}\n`;
  await assertValidBom(text, image.name);
  writeFileSync(output, text);
}

/** The modules are the same for every architecture. */
function sourcesOfTools(signal: AbortSignal): Promise<string> {
  const names = imageTools.downloads.map(({ command }) => command);
  return goModuleSources(names, { system: "linux", architecture: "amd64" }, signal);
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
