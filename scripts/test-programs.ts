/**
 * Builds what the tests of a level run and no package registry has, unless it's in the cache: the control plane, and
 * programs in Go. It takes many minutes on a new machine, which is more than a test may take.
 */
import { controlPlaneAssets, lacks } from "@weir/testing";
import { goProgram } from "@weir/toolchain";
import { genuineFluxctl } from "../test/support/genuine/genuine-fluxctl.ts";

/** Of the programs in dev/toolchain. */
const names =
  process.argv[2] === "release"
    ? ["helm", "kubectl", "kustomize", "quill"]
    : ["helm", "kubectl", "kustomize", "sops"];

if (lacks("Go") === false) {
  await controlPlaneAssets([]);
  for (const name of names) {
    await goProgram(name);
  }
  if (process.argv[2] !== "release") {
    await genuineFluxctl();
  }
}
