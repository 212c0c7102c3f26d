import { bool, flagsOf, list, text } from "@weir/cli";
import { type Command, refuseArguments } from "../command.ts";
import {
  causeOf,
  declarePolicyFlags,
  givenWorkload,
  refuseBoth,
  runChange,
} from "../policies/policy-options.ts";
import { type PolicyWish, policyUpdateOf, refuseOpposites } from "../policies/policy-update.ts";

const long = `
Manage policies for a workload.

Tag filter patterns must be specified as 'container=pattern', such as 'foo=1.*'
where an asterisk means 'match anything'.
Surrounding these with single-quotes are recommended to avoid shell expansion.

If both --tag-all and --tag are specified, --tag-all will apply to all
containers which aren't explicitly named.
        `;

const example = `  fluxctl policy --workload=default:deployment/foo --automate
  fluxctl policy --workload=default:deployment/foo --lock
  fluxctl policy --workload=default:deployment/foo --tag='bar=1.*' --tag='baz=2.*'
  fluxctl policy --workload=default:deployment/foo --tag-all='master-*' --tag='bar=1.*'`;

/** `fluxctl policy`: changes several policies of a workload at once. */
export async function policyCommand(): Promise<Command> {
  const flags = {
    ...(await declarePolicyFlags({
      namespace: "Workload namespace",
      workload: "Workload to modify",
      controller: "Controller to modify",
    })),
    ...declareWishes(),
  };
  return {
    use: "policy",
    long,
    example,
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      givenWorkload(flags);
      refuseBoth(flags, "can't specify both the controller and workload");
      const wish = wishOf(flags);
      refuseOpposites(wish);
      await runChange(flags, context, () => policyUpdateOf(wish, causeOf(flags)));
    },
  };
}

function declareWishes() {
  return {
    tagAll: text("tag-all", { usage: "Tag filter pattern to apply to all containers" }),
    tags: list("tag", { usage: "Tag filter container/pattern pairs" }),
    automate: bool("automate", { usage: "Automate workload" }),
    deautomate: bool("deautomate", { usage: "Deautomate workload" }),
    lock: bool("lock", { usage: "Lock workload" }),
    unlock: bool("unlock", { usage: "Unlock workload" }),
  };
}

function wishOf(flags: ReturnType<typeof declareWishes>): PolicyWish {
  return {
    automate: flags.automate.value,
    deautomate: flags.deautomate.value,
    lock: flags.lock.value,
    unlock: flags.unlock.value,
    tagAll: flags.tagAll.value,
    tags: flags.tags.value,
  };
}
