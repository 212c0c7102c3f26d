import type { Command } from "../command.ts";
import { declarePolicyFlags, fixedPolicyCommand } from "../policy-options.ts";
import { policyUpdateOf } from "../policy-update.ts";

/** `fluxctl deautomate`: new images of a workload are no longer released as they come. */
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
