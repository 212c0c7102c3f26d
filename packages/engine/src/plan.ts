/** Planning without a cluster: what a sync would do, as a function of targets and live objects. */
export { planOptionsOf } from "./options.ts";
export { Planner } from "./planner.ts";
export { tasksOf } from "./sync/plan.ts";
