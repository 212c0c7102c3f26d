import { Flag, textType } from "@weir/cli";
import type { Command } from "../command.ts";
import { declarePolicyFlags, fixedPolicyCommand, type PolicyFlags } from "../policies/policy-options.ts";
import { policyUpdateOf } from "../policies/policy-update.ts";

/** `fluxctl lock`: prevents changes to a workload, and records who locked it and why. */
export async function lockCommand(): Promise<Command> {
  const flags = await declarePolicyFlags({
    namespace: "Controller namespace",
    workload: "Workload to lock",
    controller: "Controller to lock",
  });
  return fixedPolicyCommand({
    use: "lock",
    flags: sharingWorkload(flags),
    both: "",
    update: (cause) => policyUpdateOf({ lock: true }, cause),
  });
}

/** As Flux v1: here, the old name of the flag is an alias, and the last one given counts. */
function sharingWorkload(flags: PolicyFlags): PolicyFlags {
  const { workload, controller } = flags;
  const parse = (text: string): string => {
    workload.set(text);
    return "";
  };
  return { ...flags, controller: new Flag({ ...textType, parse }, controller.declaration, "") };
}
