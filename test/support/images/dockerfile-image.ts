import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { TempFolder } from "@weir/testing";
import type { Architecture } from "../../../dev/release/images/architecture.ts";
import { packagesOfNode } from "../../../dev/release/images/debian-packages.ts";
import { unpackedNode } from "../../../dev/release/images/pinned-node.ts";
import { toolPrograms } from "../../../dev/release/images/tree/trees.ts";
import type { ImageConfig } from "./delivery.ts";
import { LockedArchive } from "./locked-archive.ts";

const root = join(import.meta.dirname, "../../..");

/** The base image that the Dockerfile names. */
const baseName = "node:24-bookworm-slim";

/** As Debian's images are made: without documentation, and without packages that were installed. */
const slimming = [
  "--dpkgopt=path-exclude=/usr/share/doc/*",
  "--dpkgopt=path-include=/usr/share/doc/*/copyright",
  ...["info", "lintian", "groff", "man", "locale"].map(
    (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
  ),
  '--aptopt=DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb"; }',
];

/** As in the image of that name, whose npm would else ask this machine's registry with settings that it doesn't have. */
const baseDockerfile = `FROM scratch
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ADD base.tar /
COPY base /
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node
`;

const npmSettings = "cache=/npm-cache\noffline=true\n";

/**
 * The large image as the Dockerfile makes it. buildah builds it, without a service. The base image is made here, of the
 * packages that the one of that name has, in the versions of docker/packages-lock.json, and of the pinned Node.js. Tools
 * of generators aren't downloaded: in place of that stage are programs that are built from the same versions, as in a
 * release.
 */
export class DockerfileImage implements Disposable {
  /** The folder with its files. */
  readonly rootfs: string;
  readonly config: ImageConfig["config"];
  readonly #folder: TempFolder;

  private constructor(folder: TempFolder, rootfs: string, config: ImageConfig["config"]) {
    this.#folder = folder;
    this.rootfs = rootfs;
    this.config = config;
  }

  /** Builds it, in minutes. It needs root. */
  static async build(architecture: Architecture, signal: AbortSignal): Promise<DockerfileImage> {
    const folder = new TempFolder();
    try {
      const work = { folder: folder.path, architecture, signal };
      await using archive = await LockedArchive.start(architecture, signal);
      await makeBase(work, archive);
      await fillNpmCache(work);
      await makeTools(work);
      const image = "localhost/weir";
      await buildah(work, [
        ...["bud", "--isolation=chroot", "--layers=false", `--tag=${image}`],
        `--volume=${folder.path}/npm-cache:/npm-cache`,
        `--build-context=tools=${folder.path}/tools`,
        root,
      ]);
      const container = await buildah(work, ["from", image]);
      const rootfs = await buildah(work, ["mount", container]);
      const { OCIv1 } = JSON.parse(await buildah(work, ["inspect", "--type=image", image])) as Inspected;
      return new DockerfileImage(folder, rootfs, OCIv1.config);
    } catch (error) {
      folder[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

/** The part of what buildah says of an image that is used here. */
interface Inspected {
  readonly OCIv1: Pick<ImageConfig, "config">;
}

interface Work {
  readonly folder: string;
  readonly architecture: Architecture;
  readonly signal: AbortSignal;
}

async function makeBase(work: Work, archive: LockedArchive): Promise<void> {
  const { folder, architecture, signal } = work;
  const context = join(folder, "base-context");
  const local = join(context, "base", "usr", "local");
  await mkdir(join(local, "bin"), { recursive: true });
  await mkdir(join(local, "etc"), { recursive: true });
  await writeFile(join(folder, "preferences"), archive.preferences);
  await run(work, "mmdebstrap", [
    ...["--quiet", "--variant=minbase", `--include=${["usr-is-merged", ...packagesOfNode].join(",")}`],
    ...["--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr", ...slimming],
    `--setup-hook=install -D --mode=644 ${folder}/preferences "$1/etc/apt/preferences.d/locked"`,
    ...["bookworm", join(context, "base.tar")],
    ...["deb http://deb.debian.org/debian bookworm main", archive.source],
  ]);
  const node = await unpackedNode(architecture, signal);
  await copyFile(node.program, join(local, "bin", "node"));
  await copyFile(node.license, join(local, "LICENSE"));
  const npm = (await run(work, "npm", ["pack", "npm@11", "--silent", `--pack-destination=${folder}`])).trim();
  await run(work, "tar", ["--extract", `--file=${join(folder, npm)}`, `--directory=${folder}`]);
  await cp(join(folder, "package"), join(local, "lib", "node_modules", "npm"), { recursive: true });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(local, "bin", "npm"));
  await writeFile(join(local, "etc", "npmrc"), npmSettings);
  await writeFile(join(context, "Dockerfile"), baseDockerfile);
  const tag = `--tag=localhost/${baseName}`;
  await buildah(work, ["bud", "--isolation=chroot", "--layers=false", tag, context]);
}

/** With what the Dockerfile's `npm ci` needs: this machine knows how to reach its registry. */
async function fillNpmCache(work: Work): Promise<void> {
  const project = join(work.folder, "project");
  await mkdir(project);
  for (const name of ["package.json", "package-lock.json", ".npmrc"]) {
    await copyFile(join(root, name), join(project, name));
  }
  const isOurs = (path: string): boolean => !path.includes("/node_modules");
  await cp(join(root, "packages"), join(project, "packages"), { recursive: true, filter: isOurs });
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const cache = `--cache=${join(work.folder, "npm-cache")}`;
  await run(work, "npm", ["ci", "--omit=dev", ...quiet, cache, `--prefix=${project}`]);
}

async function makeTools({ folder, architecture, signal }: Work): Promise<void> {
  const tools = join(folder, "tools", "tools");
  await mkdir(tools, { recursive: true });
  for (const { command, program } of await toolPrograms(architecture, signal)) {
    await copyFile(program, join(tools, command));
  }
}

function buildah(work: Work, args: readonly string[]): Promise<string> {
  const storage = ["--storage-driver=vfs", `--root=${work.folder}/storage`, `--runroot=${work.folder}/run`];
  return run(work, "buildah", [...storage, ...args]);
}

/** What a program printed. Throws an error with the end of what it complained of if it failed. */
async function run({ folder, signal }: Work, program: string, args: readonly string[]): Promise<string> {
  const options = { cwd: folder, signal, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(program, args, options)).stdout.trim();
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).slice(-3_000) : "";
    throw new Error(`${program} ${args[0] ?? ""} failed: ${said}`, { cause: error });
  }
}
