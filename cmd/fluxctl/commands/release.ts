import { flagsOf } from "@weir/cli";
import type { ApiClient } from "../../../src/api/client/client.ts";
import type { JobResult } from "../../../src/api/types/api-server.ts";
import { readResourceId } from "../../../src/resource/id.ts";
import { affectedWorkloads } from "../../../src/update/result.ts";
import type { Cause, ReleaseImageSpec } from "../../../src/update/spec.ts";
import { awaitJob } from "../await-job.ts";
import { type Command, type CommandContext, refuseArguments } from "../command.ts";
import { namespaceOr } from "../namespace.ts";
import { awaitApplied, awaitUpdate, tellUpdate } from "../outcome.ts";
import {
  checkReleaseFlags,
  declareReleaseFlags,
  type ReleaseFlags,
  releaseSpecOf,
} from "../release-flags.ts";
import { watchRollout } from "../watch-rollout.ts";
import { adviceOnWorkloads } from "../workload-advice.ts";

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
      refuseArguments(args);
      checkReleaseFlags(flags, context);
      const spec = releaseSpecOf(flags, await namespaceOr(flags.namespace.value, context));
      const client = await context.connect();
      context.err(spec.kind === "plan" ? "Submitting dry-run release ...\n" : "Submitting release ...\n");
      const job = await client.updateManifests(
        { type: "image", cause: causeOf(flags), spec },
        context.signal,
      );
      const planned = await awaitJob(client, job, context);
      await tellMissing(spec, planned, client, context);
      const made = flags.interactive.value ? await releaseSelected(planned, flags, client, context) : planned;
      if (made !== undefined) {
        await follow(made, flags, client, context);
      }
    },
  };
}

/** Reports named workloads that don't exist; the result only mentions them with -v. */
async function tellMissing(
  { workloads }: ReleaseImageSpec,
  { result }: JobResult,
  client: ApiClient,
  context: CommandContext,
): Promise<void> {
  const affected = affectedWorkloads(result ?? new Map());
  const named = (workloads ?? []).flatMap((each) => readResourceId(each) ?? []);
  const others = named.filter((id) => !affected.includes(id));
  const advice = others.length === 0 ? [] : await adviceOnWorkloads(others, client, context);
  advice.forEach((line) => context.err(`${line}\n`));
}

/** Lets a person select updates and releases those; undefined if none was selected. */
async function releaseSelected(
  { result }: JobResult,
  flags: ReleaseFlags,
  client: ApiClient,
  context: CommandContext,
): Promise<JobResult | undefined> {
  const { selectUpdates } = await import("../select-updates.ts");
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
  if (made.revision !== undefined && made.result) {
    await awaitApplied(client, made.revision, context);
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
