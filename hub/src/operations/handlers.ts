import type { Handlers } from "./call.ts";
import { clusterHandlers } from "./cluster.ts";
import { instanceAdministration } from "./instances.ts";
import { jobHandlers } from "./jobs.ts";
import type { OperationOptions } from "./options.ts";
import { planHandlers } from "./plan.ts";
import { suspensionHandlers } from "./suspension.ts";
import { workloadDetailHandlers } from "./workloads.ts";

type OperationHandlers = Pick<
  Handlers,
  | keyof ReturnType<typeof instanceAdministration>
  | keyof ReturnType<typeof suspensionHandlers>
  | keyof ReturnType<typeof planHandlers>
  | keyof ReturnType<typeof jobHandlers>
  | keyof ReturnType<typeof clusterHandlers>
  | keyof ReturnType<typeof workloadDetailHandlers>
>;

/** The operations about instances and their daemons; what's only read from the store isn't among them. */
export function operationHandlers(options: OperationOptions): OperationHandlers {
  return {
    ...instanceAdministration(options),
    ...suspensionHandlers(options),
    ...planHandlers(options),
    ...jobHandlers(options),
    ...clusterHandlers(options),
    ...workloadDetailHandlers(options),
  };
}
