import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goModuleSources, goProgram } from "@weir/toolchain";
import { imageTools } from "../../../scripts/image/tools.ts";
import { type Bom, joinBoms, settleBom } from "./boms.ts";
import { type LayoutImage, layersOf } from "./image-layouts.ts";
import { withModuleLicenses } from "./module-licenses.ts";
import { run } from "./run.ts";
import { assertValidBom } from "./valid-bom.ts";

/** Finds what is in images. Those with the same layers have the same contents, and are read once. */
export class ImageScanner {
  readonly #work: string;
  readonly #found = new Map<string, Bom>();
  #sources: Promise<string> | undefined;

  /** The folder is for temporary files. */
  constructor(work: string) {
    this.#work = work;
  }

  /** What Syft finds in the files of an image: Debian packages, Go modules in programs, Node.js. */
  async scan(image: LayoutImage, signal: AbortSignal): Promise<Bom> {
    const contents = layersOf(image)
      .map(({ digest }) => digest)
      .join();
    const found = this.#found.get(contents) ?? (await this.#read(image, signal));
    this.#found.set(contents, found);
    return found;
  }

  async #read(image: LayoutImage, signal: AbortSignal): Promise<Bom> {
    const output = join(this.#work, `${image.name}.json`);
    this.#sources ??= sourcesOfTools(signal);
    await run({
      program: await goProgram("syft", { signal }),
      args: [
        "scan",
        `oci-dir:${layoutOf(image, this.#work)}`,
        "--output",
        `cyclonedx-json@1.6=${output}`,
        "--quiet",
      ],
      env: {
        ...process.env,
        SYFT_CHECK_FOR_APP_UPDATE: "false",
        SYFT_PARALLELISM: "2",
        // Programs don't contain the licenses of their modules; the sources do.
        SYFT_GOLANG_SEARCH_LOCAL_MOD_CACHE_LICENSES: "true",
        SYFT_GOLANG_LOCAL_MOD_CACHE_DIR: await this.#sources,
      },
      signal,
    });
    return withModuleLicenses(JSON.parse(readFileSync(output, "utf8")) as Bom);
  }
}

/** An image, and what is in it. */
export interface ImageBomOptions {
  readonly image: LayoutImage;
  /** As the scanner has it. */
  readonly found: Bom;
  readonly version: string;
  /** In seconds since the epoch. */
  readonly sourceDate: number;
  /** The SBOM of the bundles, which the image contains. */
  readonly programs: Bom;
  /** The file to write. */
  readonly output: string;
}

/** Writes the SBOM of an image: what was found in it, and the packages in the bundles, which leave no traces there. */
export async function writeImageBom(options: ImageBomOptions): Promise<void> {
  const { image, found, version, sourceDate, programs, output } = options;
  const bom = settleBom(found, {
    name: image.name,
    version,
    digest: image.descriptor.digest,
    timestamp: new Date(sourceDate * 1000).toISOString(),
  });
  const text = `${JSON.stringify(joinBoms(bom, programs), undefined, 2)}\n`;
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
