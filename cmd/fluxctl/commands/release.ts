import { flagsOf } from "@weir/cli";
import { affectedWorkloads, type Cause } from "@weir/flux";
import type { JobResult } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { type Command, type CommandContext } from "../command.ts";
import { namespaceOr } from "../flags/namespace.ts";
import { releaseExplained } from "../releasing/release-explained.ts";
import {
  checkReleaseArguments,
  checkReleaseFlags,
  declareReleaseFlags,
  type ReleaseFlags,
  releaseSpecOf,
} from "../releasing/release-flags.ts";
import { awaitApplied, awaitUpdate, tellUpdate } from "../waiting/outcome.ts";
import { watchRollout } from "../waiting/watch-rollout.ts";

const example = `  fluxctl release -n default --workload=deployment/foo --update-image=library/hello:v2
  fluxctl release --all --update-image=library/hello:v2
  fluxctl release --workload=default:deployment/foo --update-all-images`;

/** `fluxctl release`: updates images in git, and waits until the update is applied. */
export async function releaseCommand(): Promise<Command> {
  const flags = await declareReleaseFlags();
  return {
    use: "release",
    example,
    flags: flagsOf(flags),
    async run(args, context) {
      checkReleaseArguments(args, flags);
      checkReleaseFlags(flags, context);
      const spec = releaseSpecOf(flags, await namespaceOr(flags.namespace.value, context));
      const client = await context.connect();
      context.err(spec.kind === "plan" ? "Submitting dry-run release ...\n" : "Submitting release ...\n");
      const request = { type: "image", cause: causeOf(flags), spec } as const;
      const planned = await releaseExplained(request, client, context);
      const made = flags.interactive.value ? await releaseSelected(planned, flags, client, context) : planned;
      if (made !== undefined) {
        await follow(made, flags, client, context);
      }
    },
  };
}

/** Lets a person select updates and releases those; undefined if none was selected. */
async function releaseSelected(
  { result }: JobResult,
  flags: ReleaseFlags,
  client: ApiClient,
  context: CommandContext,
): Promise<JobResult | undefined> {
  const { selectUpdates } = await import("../releasing/select-updates.ts");
  const containers = await selectUpdates(result ?? new Map(), flags.verbose.value, context);
  if (containers === undefined) {
    return undefined;
  }
  context.err("Submitting selected release ...\n");
  const kind = flags.dryRun.value ? "plan" : "execute";
  const spec = { kind, containers, skipMismatches: false, force: flags.force.value };
  const job = await client.updateManifests(
    { type: "containers", cause: causeOf(flags), spec },
    context.signal,
  );
  return awaitUpdate(client, job, context);
}

/** Reports the release and waits until it's applied to the cluster. */
async function follow(
  made: JobResult,
  flags: ReleaseFlags,
  client: ApiClient,
  context: CommandContext,
): Promise<void> {
  tellUpdate(made, flags.verbose.value, context);
  const isPushed = made.revision !== undefined && made.result;
  if (isPushed && !(await awaitApplied(client, made.revision, context))) {
    return;
  }
  if (flags.watch.value) {
    await watchRollout(
      { ids: affectedWorkloads(made.result ?? new Map()), verbosity: flags.verbose.value },
      client,
      context,
    );
  }
}

function causeOf({ message, user }: ReleaseFlags): Cause {
  return { message: message.value, user: user.value };
}
