import {
  latestImageSpec,
  parseImageRefLoosely,
  printImageName,
  type UpdateResult,
  type UpdateSpec,
} from "@weir/flux";
import type { JobResult, WorkloadStatusReport } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { describeScans, scansOf } from "../advice/on-scans.ts";
import type { CommandContext } from "../command.ts";
import { awaitJob, JobFailedError } from "../waiting/await-job.ts";
import { explainUnchanged, withoutImages } from "./explain-unchanged.ts";

type ImageRelease = Extract<UpdateSpec, { readonly type: "image" }>;

/**
 * Requests a release and waits for it to be made. A person learns why it leaves workloads as they are. Rejects like
 * awaitJob.
 */
export async function releaseExplained(
  release: ImageRelease,
  client: ApiClient,
  context: CommandContext,
): Promise<JobResult> {
  try {
    const made = await makeRelease(release, client, context);
    const lines = await explain(release, made.result ?? new Map(), client, context);
    lines.forEach((line) => context.err(`${line}\n`));
    return made;
  } catch (error) {
    if (!(error instanceof JobFailedError) || context.errScreen === undefined) {
      throw error;
    }
    throw new JobFailedError(error.message, error.result, await explainFailure(release, client, context));
  }
}

async function makeRelease(
  release: ImageRelease,
  client: ApiClient,
  context: CommandContext,
): Promise<JobResult> {
  return awaitJob(client, await client.updateManifests(release, context.signal), context);
}

/**
 * A release that fails doesn't say what it would have done with each workload; a dry run does. It fails, too, for an
 * image that isn't known.
 */
async function explainFailure(
  release: ImageRelease,
  client: ApiClient,
  context: CommandContext,
): Promise<readonly string[]> {
  const plan = { ...release, spec: { ...release.spec, kind: "plan" } } as const;
  const planned = await makeRelease(plan, client, context).catch(() => undefined);
  context.signal.throwIfAborted();
  return planned === undefined
    ? describeScans((await scansOf(imageAsked(release), client, context)).values())
    : explain(release, planned.result ?? new Map(), client, context);
}

/** Empty where nobody reads it. */
async function explain(
  { spec }: ImageRelease,
  result: UpdateResult,
  client: ApiClient,
  context: CommandContext,
): Promise<readonly string[]> {
  if (context.errScreen === undefined) {
    return [];
  }
  const { signal } = context;
  const workloads = await client.listWorkloads({ namespace: "", workloads: [] }, signal).catch(() => []);
  signal.throwIfAborted();
  const ids = withoutImages({ spec, result });
  const without = workloads.filter(({ id }) => ids.includes(id));
  const scans = await scansOf(without.flatMap(repositoriesOf), client, context);
  const isUnscanned = (image: string): boolean => (scans.get(image)?.state ?? "scanned") !== "scanned";
  const unscanned = new Set(
    without.filter((each) => repositoriesOf(each).some(isUnscanned)).map(({ id }) => id),
  );
  return [...explainUnchanged({ spec, result, workloads, unscanned }), ...describeScans(scans.values())];
}

function imageAsked({ spec }: ImageRelease): readonly string[] {
  return spec.image === latestImageSpec ? [] : [printImageName(parseImageRefLoosely(spec.image))];
}

function repositoriesOf({ containers }: WorkloadStatusReport): readonly string[] {
  return containers.map(({ image }) => printImageName(image));
}
