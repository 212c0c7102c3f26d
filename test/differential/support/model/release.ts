import type { World, Written } from "../../../support/update-world.ts";
import { canonicalName, printRef, readRef } from "./image-ref.ts";
import {
  containersIn,
  filterOf,
  type ModelRegistry,
  type ModelUpdate,
  newestOf,
  tagsOf,
  updateTo,
} from "./world.ts";

/** A release of one image or of the newest ones, as the API takes it. */
export interface ModelImageSpec {
  readonly ServiceSpecs: readonly string[];
  readonly ImageSpec: string;
  readonly Excludes: readonly string[] | null;
  readonly Force: boolean;
}

/** A release of given images to given containers, as the API takes it. */
export interface ModelContainersSpec {
  readonly ContainerSpecs: Readonly<Record<string, readonly ModelContainerSpec[]>>;
  readonly SkipMismatches: boolean;
  readonly Force: boolean;
}

/** The new image of one container. */
export interface ModelContainerSpec {
  readonly Container: string;
  readonly Current?: string;
  readonly Target: string;
}

/** What becomes of one workload; the reason is "" where there is none. */
export interface ModelOutcome {
  readonly status: "success" | "failed" | "skipped" | "ignored";
  readonly reason: string;
  readonly updates: readonly ModelUpdate[];
}

/** By workload. */
export type ModelOutcomes = Readonly<Record<string, ModelOutcome>>;

/** What a release of images does; the image that it names exists. pkg/update/release_image.go. */
export function releaseImages(spec: ModelImageSpec, world: World, registry: ModelRegistry): ModelOutcomes {
  const named = spec.ServiceSpecs.includes("<all>") ? [] : spec.ServiceSpecs;
  const missing = spec.ServiceSpecs.filter((id) => id !== "<all>" && !world.git[id]);
  const decided = workloadsIn(world).map(([id, inGit]) => {
    const live = runningIn(world, id);
    const outcome =
      (named.length > 0 && !named.includes(id) ? ignored("not included") : undefined) ??
      ((spec.Excludes ?? []).includes(id) ? ignored("excluded") : undefined) ??
      (live === undefined ? skipped("not accessible in cluster") : undefined) ??
      (live && wrongImage(spec.ImageSpec, live)) ??
      (named.length > 0 && spec.Force ? undefined : held(inGit, live)) ??
      (live && releaseOne(spec, inGit, live, registry));
    return [id, outcome ?? skipped("")] as const;
  });
  return Object.fromEntries([
    ...missing.map((id) => [id, skipped("not found in repository")] as const),
    ...decided,
  ]);
}

/** What a release of given images does, or why nothing at all is done. pkg/update/release_containers.go. */
export function releaseContainers(spec: ModelContainersSpec, world: World): ModelOutcomes | string {
  const decided = workloadsIn(world).map(([id, inGit]) => {
    const asked = spec.ContainerSpecs[id];
    const live = runningIn(world, id);
    const outcome =
      (asked === undefined ? ignored("not included") : undefined) ??
      (live === undefined ? skipped("not accessible in cluster") : undefined) ??
      (spec.Force ? undefined : held(inGit, live));
    return [id, outcome ?? setImages(asked ?? [], live ?? { images: {} }, spec.SkipMismatches)] as const;
  });
  const statuses = decided.map(([, { status }]) => status);
  if (statuses.includes("failed")) {
    return "cannot satisfy specs";
  }
  return statuses.includes("success") ? Object.fromEntries(decided) : "no changes found";
}

function workloadsIn({ git }: World): readonly (readonly [id: string, written: Written])[] {
  return Object.entries(git).flatMap(([id, written]) => (written === null ? [] : [[id, written] as const]));
}

function runningIn({ git, cluster }: World, id: string): Written | undefined {
  return (cluster ?? git)[id] ?? undefined;
}

function wrongImage(asked: string, live: Written): ModelOutcome | undefined {
  if (asked === "<all latest>") {
    return undefined;
  }
  const containers = containersIn(live);
  if (containers.length === 0) {
    return ignored("not accessible in cluster");
  }
  const name = canonicalName(readRef(asked));
  return containers.some(({ image }) => canonicalName(image) === name)
    ? undefined
    : ignored("a different image");
}

/** The lock is looked for in git, ignore in the cluster. */
function held(inGit: Written, live: Written | undefined): ModelOutcome | undefined {
  if (inGit.policies?.["locked"] === "true") {
    return skipped("locked");
  }
  return live?.policies?.["ignore"] === "true" ? skipped("ignore") : undefined;
}

function releaseOne(
  spec: ModelImageSpec,
  inGit: Written,
  live: Written,
  registry: ModelRegistry,
): ModelOutcome {
  const latest = spec.ImageSpec === "<all latest>";
  const asked = readRef(spec.ImageSpec);
  const updates: ModelUpdate[] = [];
  let reason: ModelOutcome = ignored("does not use image(s)");
  for (const container of containersIn(live)) {
    const { image } = container;
    const isAsked = !latest && canonicalName(image) === canonicalName(asked);
    const known = latest ? tagsOf(registry, image) : isAsked ? { [asked.tag]: "" } : {};
    const newest = newestOf(known, spec.Force && !latest ? "glob:*" : filterOf(inGit, container.name));
    if (newest === "unknown" || (newest === "none" && isAsked)) {
      reason = skipped("cannot find one or more images");
    } else if (newest === "none") {
      reason = ignored("does not use image(s)");
    } else if (newest.tag === image.tag && image.sha === "") {
      reason = skipped("image(s) up to date");
    } else {
      updates.push(updateTo(container, newest.tag));
    }
  }
  return updates.length > 0 ? { status: "success", reason: "", updates } : reason;
}

function setImages(
  asked: readonly ModelContainerSpec[],
  live: Written,
  skipMismatches: boolean,
): ModelOutcome {
  const missing = asked.filter(({ Container }) => live.images[Container] === undefined);
  const mismatched = asked.filter((one) => !missing.includes(one) && !isCurrent(one, live));
  const wanted = asked.filter(
    (one) => !missing.includes(one) && !mismatched.includes(one) && !isThere(one, live),
  );
  const mismatch = `container(s) tag mismatch: ${namesOf(mismatched)}`;
  if (missing.length > 0) {
    return { status: "failed", reason: `container(s) not found: ${namesOf(missing)}`, updates: [] };
  }
  if (mismatched.length > 0 && !skipMismatches) {
    return { status: "failed", reason: mismatch, updates: [] };
  }
  const reason = mismatched.length > 0 ? mismatch : "";
  return wanted.length === 0
    ? skipped(reason || "image(s) up to date")
    : { status: "success", reason, updates: wanted.map(asUpdate) };
}

function isCurrent({ Container, Current }: ModelContainerSpec, { images }: Written): boolean {
  return Current === undefined || sameRef(images[Container] ?? "", Current);
}

function isThere({ Container, Target }: ModelContainerSpec, { images }: Written): boolean {
  return sameRef(images[Container] ?? "", Target);
}

/** References are the same where all their parts are, spelling included. */
function sameRef(a: string, b: string): boolean {
  return JSON.stringify(readRef(a)) === JSON.stringify(readRef(b));
}

function asUpdate({ Container, Current, Target }: ModelContainerSpec): ModelUpdate {
  return {
    container: Container,
    current: Current === undefined ? "" : printRef(readRef(Current)),
    target: printRef(readRef(Target)),
  };
}

function namesOf(specs: readonly ModelContainerSpec[]): string {
  return specs.map(({ Container }) => Container).join(", ");
}

function skipped(reason: string): ModelOutcome {
  return { status: "skipped", reason, updates: [] };
}

function ignored(reason: string): ModelOutcome {
  return { status: "ignored", reason, updates: [] };
}
