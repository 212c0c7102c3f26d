export { findProgram, isExecutable } from "./find-program.ts";
export { type GoModule, goModuleSources, goModulesOf } from "./go-modules.ts";
export { goProgram, type Target } from "./go-program.ts";
export { ownTarget, pinnedGo } from "./go-release.ts";
export { type Build, keptBuild } from "./kept-build.ts";
export { sourceHash } from "./source-hash.ts";
