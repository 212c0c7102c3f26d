import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { glob, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram, lacks } from "./machine.ts";
import { markUsed, removeOldBuilds } from "./old-builds.ts";
import { until } from "./until.ts";

const source = join(import.meta.dirname, "../../../test/e2e/controlplane");
const programs = ["etcd", "kube-apiserver", "kube-controller-manager", "process-kubelet"];
const version = "1.34.2";
/** The first build downloads and compiles all of Kubernetes. */
const buildSeconds = 1_800;

/** Why this machine can't provide a control plane; false if it can. */
export function missing(): string | false {
  return lacks("Go");
}

/**
 * The folder with the programs of a control plane: KUBEBUILDER_ASSETS, or else a folder that is built if needed.
 * Throws if KUBEBUILDER_ASSETS lacks one of the `needed` programs.
 */
export async function assetsFolder(needed: readonly string[], signal?: AbortSignal): Promise<string> {
  const given = process.env["KUBEBUILDER_ASSETS"];
  if (given !== undefined && given !== "") {
    const lacking = needed.filter((program) => !existsSync(join(given, program)));
    if (lacking.length > 0) {
      throw new Error(
        `the folder in KUBEBUILDER_ASSETS (${given}) has no ${lacking.join(", no ")}; add what is missing, or unset KUBEBUILDER_ASSETS to have all of them built from ${source}`,
      );
    }
    return given;
  }
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "weir");
  const folder = join(cache, `controlplane-${await sourceHash()}`);
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true });
    await underLock(`${folder}.lock`, async () => {
      if (!existsSync(folder)) {
        await build(cache, folder, signal);
        await removeOldBuilds(cache, new Date());
      }
    });
  }
  await markUsed(folder, new Date());
  return folder;
}

async function sourceHash(): Promise<string> {
  const hash = createHash("sha256");
  const files: string[] = [];
  for await (const file of glob(["go.mod", "go.sum", "**/*.go"], { cwd: source })) {
    files.push(file);
  }
  for (const file of files.toSorted()) {
    hash.update(`${file}\0`).update(await readFile(join(source, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Builds in a temporary folder and then renames it, so that the final folder is always complete. */
async function build(cache: string, folder: string, signal: AbortSignal | undefined): Promise<void> {
  process.stderr.write(
    `building the control plane for end-to-end tests in ${folder}; this takes several minutes\n`,
  );
  const unfinished = await mkdtemp(join(cache, "building-"));
  try {
    await promisify(execFile)(findProgram("go") ?? "go", goArguments(join(unfinished, "controlplane")), {
      cwd: source,
      env: { ...process.env, CGO_ENABLED: "0" },
      ...(signal === undefined ? {} : { signal }),
    });
    await Promise.all(programs.map((name) => symlink("controlplane", join(unfinished, name))));
    await rename(unfinished, folder).catch((error: unknown) => {
      // Two processes that found the lock of a dead process may both have built.
      if (!existsSync(folder)) {
        throw error;
      }
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

function goArguments(output: string): readonly string[] {
  const [major, minor] = version.split(".");
  const facts = [`gitVersion=v${version}`, `gitMajor=${major ?? ""}`, `gitMinor=${minor ?? ""}`];
  const flags = facts.map((fact) => `-X k8s.io/component-base/version.${fact}`).join(" ");
  return ["build", "-ldflags", `-s -w ${flags}`, "-o", output, "."];
}

/** Allows one process at a time; ignores a lock whose holder has died. */
async function underLock(path: string, work: () => Promise<void>): Promise<void> {
  await until("the lock of the control plane's build", () => takeLock(path), buildSeconds);
  try {
    await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function takeLock(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    const holder = Number(await readFile(path, "utf8").catch(() => ""));
    if (holder > 0 && !isAlive(holder)) {
      await rm(path, { force: true });
    }
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
