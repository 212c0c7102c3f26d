import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { keptBuild, ownTarget, pinnedGo, sourceHash } from "@weir/toolchain";
import { lacks } from "./machine.ts";

const source = join(import.meta.dirname, "../controlplane");
const programs = ["etcd", "kube-apiserver", "kube-controller-manager", "process-kubelet"];
const version = "1.34.2";

/** Why this machine can't provide a control plane; false if it can. */
export function missing(): string | false {
  return lacks("Go");
}

/**
 * The folder with the programs of a control plane: KUBEBUILDER_ASSETS, or else a folder that is built if needed.
 * Throws if KUBEBUILDER_ASSETS lacks one of the `needed` programs.
 */
export async function controlPlaneAssets(needed: readonly string[], signal?: AbortSignal): Promise<string> {
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
  return keptBuild({
    name: "controlplane",
    // Without the release of Go: a control plane that another one has built behaves the same.
    hash: await sourceHash(source),
    fill: (folder) => build(folder, signal),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function build(folder: string, signal: AbortSignal | undefined): Promise<void> {
  process.stderr.write("building the control plane for end-to-end tests; this takes several minutes\n");
  const { program, env } = await pinnedGo(ownTarget, signal);
  await promisify(execFile)(program, goArguments(join(folder, "controlplane")), {
    cwd: source,
    env,
    ...(signal === undefined ? {} : { signal }),
  });
  await Promise.all(programs.map((name) => symlink("controlplane", join(folder, name))));
}

function goArguments(output: string): readonly string[] {
  const [major, minor] = version.split(".");
  const facts = [`gitVersion=v${version}`, `gitMajor=${major ?? ""}`, `gitMinor=${minor ?? ""}`];
  const flags = facts.map((fact) => `-X k8s.io/component-base/version.${fact}`).join(" ");
  return ["build", "-ldflags", `-s -w ${flags}`, "-o", output, "."];
}
