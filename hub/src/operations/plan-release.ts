import type { Clock } from "@weir/base";
import {
  type Cause,
  type ContainerUpdate,
  encodeReleaseContainersSpec,
  encodeUpdateSpec,
  InvalidImageRefError,
  latestImageSpec,
  parseImageRef,
  printImageRef,
  type ReleaseContainersSpec,
  type ReleaseKind,
  type ResourceId,
  type UpdateResult,
  type UpdateSpec,
} from "@weir/flux";
import type { JobStatusReport, WorkloadStatusReport } from "@weir/flux/api";
import type { JobSpec, Plan } from "../contract/jobs.ts";
import type { ReachedDaemon } from "../daemons/ports.ts";
import { Problem } from "../problem/problem.ts";
import type { Planned } from "./planned.ts";
import { workloadNamed, workloadsNamed } from "./touched.ts";

type Release = Extract<JobSpec, { kind: "release" }>;

/** The images of containers, by workload. */
export type Pins = ReadonlyMap<ResourceId, readonly ContainerUpdate[]>;

/** How a daemon is asked for a dry run. */
export interface DryRun {
  readonly daemon: ReachedDaemon;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const nobody: Cause = { user: "", message: "" };

/** How long to wait before a daemon is asked again how a dry run went, in milliseconds. Daemons answer after it. */
const pause = 500;

/** What a release would do. Its images are those that were found now, so that a newer one doesn't slip in later. */
export async function planRelease(request: Release, dryRun: DryRun): Promise<Planned> {
  const workloads = workloadsNamed(request.workloads);
  const spec = await dryRunOf(request, workloads, dryRun);
  const status = await statusOf(spec, dryRun);
  return plannedRelease({ workloads, status, force: request.force });
}

/** What a release of certain images would do, of which none may be another by then. */
export async function planPinned(
  { pins, force }: { readonly pins: Pins; readonly force: boolean },
  dryRun: DryRun,
): Promise<Planned> {
  const spec = pinned(pins, { kind: "plan", force, cause: nobody });
  return plannedRelease({ workloads: [...pins.keys()], status: await statusOf(spec, dryRun), force });
}

/** What is asked for, as a dry run. Rejects with a Problem for images of what isn't released, or isn't there. */
async function dryRunOf(
  { images, force }: Release,
  workloads: readonly ResourceId[],
  { daemon, signal }: DryRun,
): Promise<UpdateSpec> {
  if (images === "latest") {
    const spec = { workloads, image: latestImageSpec, kind: "plan", excludes: [], force } as const;
    return { type: "image", cause: nobody, spec };
  }
  const chosen = Map.groupBy(images, ({ workload }) => workloadNamed(workload));
  const other = [...chosen.keys()].find((id) => !workloads.includes(id));
  if (other !== undefined) {
    throw new Problem("invalid", `There's an image for ${other}, which isn't one of the workloads.`, {
      advice: "Add it to the workloads, or leave its images out.",
    });
  }
  const targets = images.map(({ workload, container, image }) => ({
    ...{ id: workloadNamed(workload), container, target: imageNamed(image) },
  }));
  const listed = await daemon.api.listWorkloads({ namespace: "", workloads: [...chosen.keys()] }, signal);
  const updates = targets.map(({ id, container, target }) => {
    const current = runningImage(id, container, listed);
    return { id, update: { container, current, target } };
  });
  const pins = [...Map.groupBy(updates, ({ id }) => id)].map(
    ([id, each]) => [id, each.map(({ update }) => update)] as const,
  );
  return pinned(new Map(pins), { kind: "plan", force, cause: nobody });
}

/** Throws a Problem if there's no such container. */
function runningImage(
  id: ResourceId,
  container: string,
  listed: readonly WorkloadStatusReport[],
): ContainerUpdate["target"] {
  const workload = listed.find((each) => each.id === id);
  const image = workload?.containers.find(({ name }) => name === container)?.image;
  if (image === undefined) {
    const what = workload === undefined ? `There's no workload ${id}` : `${id} has no container ${container}`;
    throw new Problem("refused", `${what}.`, { advice: "Look at the list of workloads again." });
  }
  return image;
}

function pinned(
  containers: Pins,
  { cause, ...how }: { readonly kind: ReleaseKind; readonly force: boolean; readonly cause: Cause },
): Extract<UpdateSpec, { type: "containers" }> {
  return { type: "containers", cause, spec: { ...how, containers, skipMismatches: false } };
}

function imageNamed(image: string): ContainerUpdate["target"] {
  try {
    return parseImageRef(image);
  } catch (error) {
    if (error instanceof InvalidImageRefError) {
      throw new Problem("invalid", `${JSON.stringify(image.slice(0, 200))} isn't an image.`, {
        advice: "Write it like in a manifest, such as ghcr.io/example/app:1.2.3.",
        cause: error,
      });
    }
    throw error;
  }
}

/** Daemons do a dry run while one waits, but their answer is that of any job. */
async function statusOf(spec: UpdateSpec, { daemon, clock, signal }: DryRun): Promise<JobStatusReport> {
  const id = await daemon.api.updateManifests(spec, signal).catch((error: unknown) => {
    if (isOutcome(error)) {
      return { state: "failed", error: error.message, result: {} } as const;
    }
    throw error;
  });
  if (typeof id !== "string") {
    return id;
  }
  for (;;) {
    const status = await daemon.api.jobStatus(id, signal);
    if (status.state === "succeeded" || status.state === "failed") {
      return status;
    }
    await clock.sleep(pause, signal);
  }
}

/** True if a daemon refused a dry run for what it found, rather than because it couldn't do one. */
function isOutcome(error: unknown): error is Error {
  return error instanceof Error && /^(no changes found|cannot satisfy specs)/.test(error.message);
}

/** What a dry run found. What isn't asked for isn't shown: it may be of namespaces that somebody doesn't see. */
export function plannedRelease({
  workloads,
  status: { error, result },
  force,
}: {
  readonly workloads: readonly ResourceId[];
  readonly status: JobStatusReport;
  readonly force: boolean;
}): Planned {
  const found: UpdateResult = result.result ?? new Map();
  const changes = workloads.map((id): Plan["changes"][number] => {
    const { status = "skipped", error: why = error, containers = null } = found.get(id) ?? {};
    const isChange = status === "success";
    return {
      workload: id,
      status,
      message: why,
      containers: (isChange ? (containers ?? []) : []).map(({ container, current, target }) => ({
        container,
        from: current === undefined ? "" : printImageRef(current),
        to: printImageRef(target),
      })),
    };
  });
  const pins: Pins = new Map(
    workloads.flatMap((id) => {
      const { status, containers } = found.get(id) ?? {};
      return status === "success" && containers && containers.length > 0 ? [[id, containers] as const] : [];
    }),
  );
  const spec: ReleaseContainersSpec = { kind: "execute", containers: pins, skipMismatches: false, force };
  return {
    changes,
    touches: workloads,
    substance: { release: encodeReleaseContainersSpec(spec) },
    // Images are pinned to what they replace.
    head: "",
    isKnown: true,
    obstacle: obstacleOf(changes, pins, error),
    toSpec: (cause) => encodeUpdateSpec(pinned(pins, { kind: "execute", force, cause })),
  };
}

function obstacleOf(changes: Plan["changes"], pins: Pins, error: string): string {
  const failed = changes.find(({ status }) => status === "failed");
  if (failed !== undefined) {
    return `${failed.workload} can't be released: ${failed.message}`;
  }
  return pins.size > 0
    ? ""
    : `nothing would be released: ${error || changes[0]?.message || "all is up to date"}`;
}
