/** The stage of a demonstration: a cluster, a git repository, an image registry, and a fluxd, all on this machine. */
export { DemoDaemon } from "./daemon.ts";
export { freePortFrom } from "./free-port.ts";
export { at, textAt } from "./json-at.ts";
export { DemoRegistry } from "./registry.ts";
export { automationFlags, type Running, Stage } from "./stage.ts";
export { tellCommits } from "./tell-commits.ts";
export {
  inOneLine,
  type Memory,
  nothingTold,
  type Seen,
  type Sign,
  shortRevision,
  type Told,
} from "./told.ts";
export { until } from "./until.ts";
export { DemoRepository } from "./upstream.ts";
export { ClusterWatcher } from "./watcher.ts";
