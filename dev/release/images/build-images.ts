import { copyFile, mkdir, readFile, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { goProgram } from "@weir/toolchain";
import { imageTools } from "../../../scripts/image/tools.ts";
import type { ReleaseContext } from "../context.ts";
import { fetchNode } from "../fetch-node.ts";
import { runTool } from "../run-tool.ts";
import type { Architecture } from "./architecture.ts";
import { pinnedAt, unpackedDebian } from "./pinned-debian.ts";
import { type ImageKind, layoutName, type Variant, variants } from "./variants.ts";

/** Which images to build. */
export interface Wanted {
  readonly kinds: readonly ImageKind[];
  readonly architectures: readonly Architecture[];
}

/** An image that was built. */
export interface BuiltImage {
  /** Its name with its tag. */
  readonly name: string;
  /** The digest of its index. */
  readonly digest: string;
  /** The folder with its OCI layout. */
  readonly layout: string;
}

/**
 * Builds the images of these kinds from the Dockerfile: an OCI layout each, in the folder `images` of a release. Nothing of
 * the file is run: what its stages for builds would make comes from here. It needs root, for files that others own.
 */
export async function buildImages(context: ReleaseContext, wanted: Wanted): Promise<readonly BuiltImage[]> {
  const chosen = variants.filter(({ kind }) => wanted.kinds.includes(kind));
  const own = await ownFiles(context, wanted.kinds);
  for (const architecture of wanted.architectures) {
    const bases = await buildBases(context, architecture, wanted.kinds.includes("full"));
    for (const variant of chosen) {
      await build(context, architecture, {
        target: variant.target,
        contexts: { ...bases, ...own },
        time: context.sourceDate,
        options: [`--manifest=${layoutName(variant)}`, ...labelsOf(variant, context)],
      });
    }
  }
  const built: BuiltImage[] = [];
  for (const variant of chosen) {
    built.push(await writeLayout(context, variant));
  }
  return built;
}

/** Places that stand in for stages of the Dockerfile, by their names. */
type Contexts = Readonly<Record<string, string>>;

/** What was built of this repository. */
async function ownFiles(
  { root, work, signal }: ReleaseContext,
  kinds: readonly ImageKind[],
): Promise<Contexts> {
  const env = { PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) };
  const make = async (name: string, path: string): Promise<string> => {
    const folder = join(work, "images", name);
    const args = [join(root, "docker/files.sh"), name, join(folder, path)];
    await runTool({ program: "sh", args, env }, signal);
    return folder;
  };
  const hasFluxd = kinds.some((kind) => kind !== "console");
  return {
    ...(hasFluxd ? { build: await make("weir", "image") } : {}),
    ...(kinds.includes("console") ? { "build-console": await make("console", "console") } : {}),
  };
}

/** The images below all others. Their bytes change only with what is pinned, so that nodes have them from earlier versions. */
async function buildBases(
  context: ReleaseContext,
  architecture: Architecture,
  hasGenerators: boolean,
): Promise<Contexts> {
  const time = await pinnedAt(context);
  const debian = await unpackedDebian(architecture, context);
  const buildBase = async (target: string, contexts: Contexts): Promise<Contexts> => {
    const name = `localhost/weir-${target}:${architecture.name}`;
    await build(context, architecture, { target, contexts, time, options: [`--tag=${name}`] });
    return { [target]: `container-image://${name}` };
  };
  const { folder: node } = await fetchNode(architecture.nodePackage, "image", context.signal);
  const base = await buildBase("base", { debian, node });
  return hasGenerators
    ? {
        ...base,
        ...(await buildBase("generators", { ...base, debian, tools: await toolsFor(context, architecture) })),
      }
    : base;
}

/** The tools that aren't in Debian, built from their Go modules. */
async function toolsFor({ work, signal }: ReleaseContext, { name }: Architecture): Promise<string> {
  const folder = join(work, "images", `tools-${name}`);
  const programs = join(folder, "usr", "local", "bin");
  await mkdir(programs, { recursive: true });
  for (const { command } of imageTools.downloads) {
    const program = await goProgram(command, { system: "linux", architecture: name, signal });
    await copyFile(program, join(programs, command));
  }
  return folder;
}

interface Build {
  /** The stage of the Dockerfile. */
  readonly target: string;
  readonly contexts: Contexts;
  /** Of everything in it, in seconds since the epoch. */
  readonly time: number;
  readonly options: readonly string[];
}

async function build(
  context: ReleaseContext,
  { name }: Architecture,
  { target, contexts, time, options }: Build,
): Promise<void> {
  await buildah(context, [
    ...["build", "--quiet", "--pull=never", "--isolation=chroot", "--layers=false", "--identity-label=false"],
    ...[`--platform=linux/${name}`, `--target=${target}`, `--timestamp=${time}`, ...options],
    ...Object.entries(contexts).map(([stage, place]) => `--build-context=${stage}=${place}`),
    context.root,
  ]);
}

function labelsOf(variant: Variant, { version, commit, sourceDate }: ReleaseContext): readonly string[] {
  const labels = {
    created: new Date(sourceDate * 1000).toISOString().replace(".000Z", "Z"),
    description: variant.description,
    licenses: "Apache-2.0",
    revision: commit,
    title: variant.title,
    version,
  };
  return Object.entries(labels).map(([name, value]) => `--label=org.opencontainers.image.${name}=${value}`);
}

/** Writes the image of all architectures into a layout of its own; skopeo compresses harder than buildah can. */
async function writeLayout(context: ReleaseContext, variant: Variant): Promise<BuiltImage> {
  const { out, work, version, say, signal } = context;
  const tag = `${version}${variant.suffix}`;
  const layout = join(out, "images", layoutName(variant));
  const [plain, digest] = ["plain", "digest"].map((name) =>
    join(work, "images", `${name}-${layoutName(variant)}`),
  );
  await buildah(context, ["manifest", "push", "--all", "--quiet", layoutName(variant), `dir:${plain}`]);
  await mkdir(dirname(layout), { recursive: true });
  const compression = ["--dest-compress-format=gzip", "--dest-compress-level=8", `--digestfile=${digest}`];
  const args = ["copy", "--all", "--quiet", ...compression, `dir:${plain}`, `oci:${layout}:${tag}`];
  await runTool({ program: "skopeo", debianPackage: "skopeo", args }, signal);
  await rm(plain ?? "", { recursive: true });
  const name = `${variant.repository}:${tag}`;
  say(`images: ${name}`);
  return { name, digest: await readFile(digest ?? "", "utf8"), layout };
}

/** In a storage that goes with the release's other temporary files. */
function buildah({ work, signal }: ReleaseContext, args: readonly string[]): Promise<string> {
  const folder = join(work, "images");
  const storage = [
    "--storage-driver=vfs",
    `--root=${join(folder, "storage")}`,
    `--runroot=${join(folder, "run")}`,
  ];
  return runTool({ program: "buildah", debianPackage: "buildah", args: [...storage, ...args] }, signal);
}
