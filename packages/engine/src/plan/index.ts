/** Planning without a cluster: what a sync would do, as a function of targets and live objects. */

export { tasksOf } from "./plan.ts";
export { Planner } from "./planner.ts";
export { planOptionsOf } from "./sync-request.ts";
