import { count, flagsOf, text } from "@weir/cli";
import { type Cause, type PolicyUpdate, parseResourceIdIn } from "@weir/flux";
import { type Command, type CommandContext, refuseArguments, UsageError } from "../command.ts";
import { authorFromGit } from "../flags/author.ts";
import { namespaceOr } from "../flags/namespace.ts";
import { changePolicy } from "./change-policy.ts";

/** How help describes the workload of a command that changes policies. */
export interface WorkloadWords {
  readonly namespace: string;
  readonly workload: string;
  readonly controller: string;
}

/** The flags that commands for policies share. */
export type PolicyFlags = Awaited<ReturnType<typeof declarePolicyFlags>>;

/** Declares the flags; the default user comes from git. */
export async function declarePolicyFlags(words: WorkloadWords) {
  return {
    verbose: count("verbose", {
      usage: "include skipped (and ignored, with -vv) workloads in output",
      shorthand: "v",
    }),
    message: text("message", { usage: "attach a message to the update", shorthand: "m" }),
    user: text("user", {
      default: await authorFromGit(),
      usage: "override the user reported as initiating the update",
    }),
    namespace: text("namespace", { usage: words.namespace, shorthand: "n" }),
    workload: text("workload", { usage: words.workload, shorthand: "w" }),
    controller: text("controller", {
      usage: words.controller,
      shorthand: "c",
      deprecated: "changed to --workload, use that instead",
    }),
  };
}

/** A command that makes one fixed change to the policies of a workload. */
export interface FixedPolicyChange {
  readonly use: string;
  readonly flags: PolicyFlags;
  /** The error if the workload is given with both the flag and its old name. */
  readonly both: string;
  readonly update: (cause: Cause) => PolicyUpdate;
}

/** The command that makes the change. */
export function fixedPolicyCommand({ use, flags, both, update }: FixedPolicyChange): Command {
  return {
    use,
    example: `  fluxctl ${use} --workload=default:deployment/helloworld`,
    flags: flagsOf(flags),
    async run(args, context) {
      refuseBoth(flags, both);
      refuseArguments(args);
      await runChange(flags, context, () => update(causeOf(flags)));
    },
  };
}

/** Checks the workload, then the change, and then makes it. Rejects with UsageError without a workload. */
export async function runChange(
  flags: PolicyFlags,
  context: CommandContext,
  updateOf: () => PolicyUpdate,
): Promise<void> {
  const given = givenWorkload(flags);
  const workload = parseResourceIdIn(await namespaceOr(flags.namespace.value, context), given);
  const change = { workload, update: updateOf(), cause: causeOf(flags) };
  await changePolicy(change, flags.verbose.value, context);
}

/** The workload from the flag or its old name. Throws UsageError without one. */
export function givenWorkload({ workload, controller }: PolicyFlags): string {
  const given = workload.value || controller.value;
  if (given === "") {
    throw new UsageError("-w, --workload is required");
  }
  return given;
}

/** Throws UsageError if a workload is given with both the flag and its old name. */
export function refuseBoth({ workload, controller }: PolicyFlags, message: string): void {
  if (workload.value !== "" && controller.value !== "") {
    throw new UsageError(message);
  }
}

/** The user and the message of a change. */
export function causeOf({ message, user }: PolicyFlags): Cause {
  return { message: message.value, user: user.value };
}
