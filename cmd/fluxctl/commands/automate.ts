import type { Command } from "../command.ts";
import { declarePolicyFlags, fixedPolicyCommand } from "../policies/policy-options.ts";
import { policyUpdateOf } from "../policies/policy-update.ts";

/** `fluxctl automate`: releases new images of a workload automatically. */
export async function automateCommand(): Promise<Command> {
  const flags = await declarePolicyFlags({
    namespace: "Workload namespace",
    workload: "Workload to automate",
    controller: "Controller to automate",
  });
  return fixedPolicyCommand({
    use: "automate",
    flags,
    both: "can't specify both the controller and workload",
    update: (cause) => policyUpdateOf({ automate: true }, cause),
  });
}
