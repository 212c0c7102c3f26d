import { printKey } from "@weir/kube";
import type { SyncPlan } from "./plan.ts";
import type { Wave } from "./stages.ts";
import type { SyncTask } from "./task.ts";

/**
 * Prints a plan as text, for logs and tests: a line for each phase and wave, followed by a line for each task, with
 * dashes between stages, and the kept objects at the end.
 *
 *     Sync, wave 0
 *       create     /Namespace//demo
 *       --
 *       patch      apps/Deployment/demo/web
 *     kept
 *       /ConfigMap/demo/old: pruning is off
 */
export function printPlan(plan: SyncPlan): string {
  const kept = plan.kept.map(({ key, reason }) => `  ${printKey(key)}: ${reason}`);
  const lines = [...plan.waves.flatMap(printWave), ...(kept.length === 0 ? [] : ["kept", ...kept])];
  return lines.map((line) => `${line}\n`).join("");
}

function printWave({ phase, wave, stages }: Wave): readonly string[] {
  const blocks = stages.map((stage) => stage.map(printTask));
  return [
    `${phase}, wave ${wave}`,
    ...blocks.flatMap((block, index) => (index === 0 ? block : ["  --", ...block])),
  ];
}

function printTask(task: SyncTask): string {
  return `  ${task.action.padEnd(10)} ${printKey(task.key)}${printMethod(task)}`;
}

function printMethod(task: SyncTask): string {
  const isUsual = !("method" in task) || task.method === "client-side";
  return isUsual ? "" : ` (${task.method})`;
}
