import type { Command } from "../command.ts";
import { declarePolicyFlags, fixedPolicyCommand } from "../policies/policy-options.ts";
import { policyUpdateOf } from "../policies/policy-update.ts";

/** `fluxctl deautomate`: stops releasing new images of a workload automatically. */
export async function deautomateCommand(): Promise<Command> {
  const flags = await declarePolicyFlags({
    namespace: "Workload namespace",
    workload: "Workload to deautomate",
    controller: "Controller to deautomate",
  });
  return fixedPolicyCommand({
    use: "deautomate",
    flags,
    both: "can't specify both a controller and workload",
    update: (cause) => policyUpdateOf({ deautomate: true }, cause),
  });
}
