import type { Command } from "../command.ts";
import { declarePolicyFlags, fixedPolicyCommand } from "../policies/policy-options.ts";
import { policyUpdateOf } from "../policies/policy-update.ts";

/** `fluxctl unlock`: allows changes to a workload again. */
export async function unlockCommand(): Promise<Command> {
  const flags = await declarePolicyFlags({
    namespace: "Controller namespace",
    workload: "Controller to unlock",
    controller: "Controller to unlock",
  });
  return fixedPolicyCommand({
    use: "unlock",
    flags,
    both: "can't specify both a controller and workload",
    update: (cause) => policyUpdateOf({ unlock: true }, cause),
  });
}
