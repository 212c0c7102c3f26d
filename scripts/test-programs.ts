/**
 * Builds what tests run and no package registry has, unless it's in the cache: the control plane, and programs in Go. It
 * takes many minutes on a new machine, which is more than a test may take.
 */
import { controlPlaneAssets, lacks } from "@weir/testing";
import { goProgram } from "@weir/toolchain";
import { genuineFluxctl } from "../test/support/genuine/genuine-fluxctl.ts";

/** Of the programs in dev/toolchain, those that `npm test` runs. */
const names = ["helm", "kubectl", "kustomize", "quill", "sops"];

if (lacks("Go") === false) {
  await controlPlaneAssets([]);
  for (const name of names) {
    await goProgram(name);
  }
  await genuineFluxctl();
}
