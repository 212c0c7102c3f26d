import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@weir/testing";

/** The Go module whose go.mod says which version of Kubernetes it is. */
const controlPlane = join(import.meta.dirname, "..", "..", "test", "e2e", "controlplane");

/**
 * The folders that hold the sources of these Go modules, in the versions that the control plane of the end-to-end
 * tests is built from. Go's command fetches what the machine lacks.
 */
export async function goModules(modules: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const go = findProgram("go") ?? "go";
  const { stdout } = await promisify(execFile)(go, ["mod", "download", "-json", ...modules], {
    cwd: controlPlane,
  });
  // The command prints one JSON object after the other, each over several lines.
  const downloads = JSON.parse(`[${stdout.replaceAll(/^\}\n(?=\{)/gm, "},")}]`) as readonly GoDownload[];
  return new Map(downloads.map(({ Path, Dir }) => [Path, Dir]));
}

/** As `go help mod download` describes it. */
interface GoDownload {
  readonly Path: string;
  readonly Dir: string;
}
