/** The three-way comparison of an object as `kubectl apply` makes it, pure. */
export { diffThreeWay } from "./diff.ts";
export { withLastApplied } from "./last-applied.ts";
export { isInSync } from "./normalize.ts";
