/** The three-way comparison of `kubectl apply`, without I/O. */
export { diffThreeWay } from "./diff.ts";
export { withLastApplied } from "./last-applied.ts";
export { isInSync } from "./normalize.ts";
