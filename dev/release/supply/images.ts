/** The images of a release, and what Syft finds in them. */
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { goModuleSources, goProgram } from "@weir/toolchain";
import { imageTools } from "../../../scripts/image/tools.ts";
import type { ReleaseContext } from "../context.ts";
import { runTool } from "../run-tool.ts";
import type { Bom } from "./boms.ts";
import { withModuleLicenses } from "./module-licenses.ts";

/** An image for one platform, in an OCI layout. */
export interface LayoutImage {
  /** The folder with `oci-layout` and `index.json`. */
  readonly layout: string;
  /** E.g. "weir-slim-arm64": unique among the images of a release. */
  readonly name: string;
  readonly descriptor: Descriptor;
}

/** What an index of OCI says of a blob. */
interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: string };
}

/** What is in an image. */
export interface ImageContents {
  /** As in LayoutImage. */
  readonly name: string;
  /** Debian packages, modules of Go in programs, and Node.js, with licenses. */
  readonly bom: Bom;
  /** Licenses, and what is built from this repository: texts by their paths. */
  readonly files: ReadonlyMap<string, string>;
}

/** Where an image has what is built from this repository. */
export const ownFolder = "/opt/weir";

/** Where an image has the license of a package, or of a program that isn't in one. */
export function copyrightFile(name: string): string {
  return `/usr/share/doc/${name}/copyright`;
}

/** All images of a release: each layout has an index of one image, for several platforms. */
export function imagesIn(folder: string): readonly LayoutImage[] {
  const layouts = globSync("*/index.json", { cwd: folder }).map((file) => join(folder, dirname(file)));
  return layouts.toSorted().flatMap((layout) =>
    manifestsOf(join(layout, "index.json"))
      .flatMap(({ digest }) => manifestsOf(join(layout, "blobs", ...digest.split(":"))))
      .map((descriptor) => ({
        layout,
        descriptor,
        name: `${basename(layout)}-${descriptor.platform?.architecture}`,
      })),
  );
}

function manifestsOf(file: string): readonly Descriptor[] {
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly manifests: readonly Descriptor[] }).manifests;
}

/** Lists what is in an image, the same each time. Programs don't contain the licenses of their modules; the sources do. */
export async function scanImage(
  image: LayoutImage,
  { work, version, sourceDate, signal }: ReleaseContext,
): Promise<ImageContents> {
  const folder = join(work, "sbom", image.name);
  const { descriptor, name } = image;
  writeSingleLayout(folder, image);
  const tools = imageTools.downloads.map(({ command }) => command);
  // The modules are the same for every architecture.
  const sources = await goModuleSources(tools, { system: "linux", architecture: "amd64" }, signal);
  const [bom, files] = ["bom.json", "files.json"].map((file) => join(folder, file)) as [string, string];
  await runTool(
    {
      program: await goProgram("syft", { signal }),
      args: [
        ...["scan", `oci-dir:${folder}`, "--quiet"],
        ...[`--source-name=${name}`, `--source-version=${version}@${descriptor.digest}`],
        ...[`--output=cyclonedx-json@1.6=${bom}`, `--output=syft-json=${files}`],
      ],
      env: {
        SYFT_CHECK_FOR_APP_UPDATE: "false",
        SYFT_PARALLELISM: "2",
        SYFT_GOLANG_SEARCH_LOCAL_MOD_CACHE_LICENSES: "true",
        SYFT_GOLANG_LOCAL_MOD_CACHE_DIR: sources,
        SYFT_FILE_CONTENT_GLOBS: `${copyrightFile("*")},${ownFolder}/**`,
        SYFT_FILE_CONTENT_SKIP_FILES_ABOVE_SIZE: "50000000",
      },
    },
    signal,
  );
  return {
    name,
    bom: withModuleLicenses(settled(readJson(bom) as Bom, sourceDate)),
    files: textsIn(readJson(files) as SyftFiles),
  };
}

/** A layout with the same blobs that has only this image, because Syft takes layouts of one. */
function writeSingleLayout(folder: string, { layout, descriptor }: LayoutImage): void {
  const { mediaType, digest, size } = descriptor;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
  const manifests = [{ mediaType, digest, size }];
  writeFileSync(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests }));
  symlinkSync(join(layout, "blobs"), join(folder, "blobs"));
}

/** Without what differs from run to run, and the labels of the image, which say nothing of its contents. */
function settled({ serialNumber: _random, metadata = {}, ...bom }: Bom, sourceDate: number): Bom {
  const { properties: _labels, ...kept } = metadata;
  return { ...bom, metadata: { ...kept, timestamp: new Date(sourceDate * 1000).toISOString() } };
}

/** In Syft's own format: contents in base64. */
interface SyftFiles {
  readonly files?: readonly { readonly location: { readonly path: string }; readonly contents?: string }[];
}

function textsIn({ files = [] }: SyftFiles): ReadonlyMap<string, string> {
  return new Map(
    files.flatMap(({ location, contents }) =>
      contents === undefined ? [] : [[location.path, Buffer.from(contents, "base64").toString()] as const],
    ),
  );
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
