import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { KubeObject } from "@weir/kube";
import { findProgram, type KubeEyes, lacks, until } from "@weir/testing";
import { keptBuild } from "@weir/toolchain";
import { parse } from "yaml";

/** A Go module that contains definitions of custom kinds. */
export interface DefinitionModule {
  readonly path: string;
  readonly version: string;
  /** Its checksum, as in go.sum. */
  readonly sum: string;
  /** The folder in the module, and the files in it. */
  readonly folder: string;
  readonly files: readonly string[];
}

/** Definitions that belong together, under a name for their cache. */
export interface DefinitionSet {
  readonly name: string;
  readonly modules: readonly DefinitionModule[];
}

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const remedy = "install Go 1.26 or newer, which downloads definitions of custom kinds";

/** For the `skip` option of a test: Go downloads the definitions, even if the control plane is provided. */
export function lacksDefinitions(): string | false {
  return findProgram("go") === undefined ? `needs Go: ${remedy}` : lacks("Go");
}

/** Defines custom kinds in a cluster, and resolves when they are served. */
export async function defineKinds(set: DefinitionSet, kube: KubeEyes): Promise<void> {
  const definitions = await readDefinitions(set);
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
async function readDefinitions({ name, modules }: DefinitionSet): Promise<readonly KubeObject[]> {
  const hash = createHash("sha256").update(JSON.stringify(modules)).digest("hex").slice(0, 16);
  const folder = await keptBuild({ name, hash, fill: (path) => fillFolder(modules, path) });
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (file) => parse(await readFile(join(folder, file), "utf8")) as KubeObject),
  );
}

async function fillFolder(modules: readonly DefinitionModule[], folder: string): Promise<void> {
  for (const module of modules) {
    const source = join(await download(module, folder), module.folder);
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
