/** The three-way comparison of `kubectl apply`, without I/O. */
export type { PatchField, PatchSchema } from "@weir/kube/patch";
export { type DiffInput, type DiffResult, diffThreeWay } from "./diff.ts";
export { withLastApplied } from "./last-applied.ts";
export { isInSync } from "./normalize.ts";
