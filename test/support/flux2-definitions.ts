import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { KubeObject } from "@weir/kube";
import { findProgram, type KubeEyes, lacks, until } from "@weir/testing";
import { keptBuild } from "@weir/toolchain";
import { parse } from "yaml";

/** A module of Flux v2, and the files of its definitions. */
interface DefinitionModule {
  readonly path: string;
  readonly version: string;
  /** Its checksum, as in go.sum. */
  readonly sum: string;
  readonly files: readonly string[];
}

/** The modules of one release of Flux v2. */
const modules: readonly DefinitionModule[] = [
  {
    path: "github.com/fluxcd/source-controller",
    version: "v1.9.0",
    sum: "h1:5msg2yyjVYDULZos+2ve8MZzcSqTpusiXmrOeBhc9yY=",
    files: ["source.toolkit.fluxcd.io_gitrepositories.yaml"],
  },
  {
    path: "github.com/fluxcd/kustomize-controller",
    version: "v1.9.0",
    sum: "h1:WfM+bQUGUGW2qyrrTgh2bIVSZSPmc3JC7234K8NiTWQ=",
    files: ["kustomize.toolkit.fluxcd.io_kustomizations.yaml"],
  },
  {
    path: "github.com/fluxcd/image-reflector-controller",
    version: "v1.2.0",
    sum: "h1:ojsV55VNVyuu1AVTwq9Si0tLrKCRwE8od4I/UY2UolU=",
    files: ["image.toolkit.fluxcd.io_imagepolicies.yaml", "image.toolkit.fluxcd.io_imagerepositories.yaml"],
  },
  {
    path: "github.com/fluxcd/image-automation-controller",
    version: "v1.2.0",
    sum: "h1:Buso7CwZmTdk6OJmlYYCDeQNYVIuSQ764UwHpjf2/fM=",
    files: ["image.toolkit.fluxcd.io_imageupdateautomations.yaml"],
  },
];

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** For the `skip` option of a test: Go downloads the definitions, even if the control plane is provided. */
export function lacksFlux2(): string | false {
  return findProgram("go") === undefined ? `needs Go: ${remedy}` : lacks("Go");
}

const remedy = "install Go 1.26 or newer, which downloads definitions of Flux v2";

/** Defines the kinds of Flux v2 in a cluster, and resolves when they are served. */
export async function defineFlux2(kube: KubeEyes): Promise<void> {
  const definitions = await readDefinitions();
  await Promise.all(definitions.map((each) => kube.create(definitionsPath, each)));
  for (const { metadata } of definitions) {
    const name = metadata.name ?? "";
    await until(`${name} to be served`, async () =>
      isEstablished(await kube.get(`${definitionsPath}/${name}`)),
    );
  }
}

function isEstablished(definition: KubeObject | undefined): boolean {
  const status = definition?.status as { readonly conditions?: readonly Condition[] } | undefined;
  return status?.conditions?.some(({ type, status: is }) => type === "Established" && is === "True") ?? false;
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** Downloads them once, and keeps them next to the control plane. */
async function readDefinitions(): Promise<readonly KubeObject[]> {
  const hash = createHash("sha256").update(JSON.stringify(modules)).digest("hex").slice(0, 16);
  const folder = await keptBuild({ name: "flux2-definitions", hash, fill: fillFolder });
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name) => parse(await readFile(join(folder, name), "utf8")) as KubeObject),
  );
}

async function fillFolder(folder: string): Promise<void> {
  for (const module of modules) {
    const source = join(await download(module, folder), "config/crd/bases");
    await Promise.all(module.files.map((file) => copyFile(join(source, file), join(folder, basename(file)))));
  }
}

/** Downloads a module, checks its sum, and returns its folder. */
async function download({ path, version, sum }: DefinitionModule, cwd: string): Promise<string> {
  const module = `${path}@${version}`;
  const go = findProgram("go");
  if (go === undefined) {
    throw new Error(`cannot download ${module}: ${remedy}`);
  }
  // The sum is compared here, so no checksum database is needed.
  const env = { ...process.env, GOFLAGS: "", GONOSUMDB: `${process.env["GONOSUMDB"] ?? ""},${path}` };
  const { stdout } = await promisify(execFile)(go, ["mod", "download", "-json", module], { cwd, env }).catch(
    (error: unknown) => {
      const said = error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
      throw new Error(
        `cannot download ${module}, which has definitions that this test needs. Check the network, GOPROXY, and that Go is 1.26 or newer. Go says: ${said}`,
        { cause: error },
      );
    },
  );
  const { Dir: folder, Sum: found } = JSON.parse(stdout) as { readonly Dir: string; readonly Sum: string };
  if (found !== sum) {
    throw new Error(`${module} has the sum ${found}, not ${sum}`);
  }
  return folder;
}
