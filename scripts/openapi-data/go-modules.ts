import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@weir/testing";

/** The Go module whose go.mod specifies the version of Kubernetes. */
const controlPlane = join(import.meta.dirname, "..", "..", "dev", "testing", "controlplane");

/**
 * The source folders of these Go modules, in the versions that the control plane of the end-to-end tests is
 * built from. The go command downloads missing ones.
 */
export async function goModules(modules: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const go = findProgram("go") ?? "go";
  const { stdout } = await promisify(execFile)(go, ["mod", "download", "-json", ...modules], {
    cwd: controlPlane,
  });
  // The command prints JSON objects one after the other, each on several lines.
  const downloads = JSON.parse(`[${stdout.replaceAll(/^\}\n(?=\{)/gm, "},")}]`) as readonly GoDownload[];
  return new Map(downloads.map(({ Path, Dir }) => [Path, Dir]));
}

/** As described by `go help mod download`. */
interface GoDownload {
  readonly Path: string;
  readonly Dir: string;
}
