import { canonicalName, type ModelRef, printRef, readRef } from "./image-ref.ts";
import {
  filterOf,
  type ModelPolicies,
  type ModelRegistry,
  type ModelRunning,
  type ModelUpdate,
  type ModelWorld,
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
export function releaseImages(spec: ModelImageSpec, world: ModelWorld): ModelOutcomes {
  const named = spec.ServiceSpecs.includes("<all>") ? [] : spec.ServiceSpecs;
  const missing = spec.ServiceSpecs.filter((id) => id !== "<all>" && !Object.hasOwn(world.git, id));
  const decided = Object.entries(world.git).map(([id, policies]) => {
    const running = world.running[id];
    if (named.length > 0 && !named.includes(id)) {
      return [id, ignored("not included")] as const;
    }
    if ((spec.Excludes ?? []).includes(id)) {
      return [id, ignored("excluded")] as const;
    }
    if (running === undefined) {
      return [id, skipped("not accessible in cluster")] as const;
    }
    const isForced = named.length > 0 && spec.Force;
    const outcome = wrongImage(spec.ImageSpec, running) ?? (isForced ? undefined : held(policies, running));
    return [id, outcome ?? releaseOne(spec, policies, running, world.registry)] as const;
  });
  return Object.fromEntries([
    ...missing.map((id) => [id, skipped("not found in repository")] as const),
    ...decided,
  ]);
}

/** What a release of given images does, or why nothing at all is done. pkg/update/release_containers.go. */
export function releaseContainers(spec: ModelContainersSpec, world: ModelWorld): ModelOutcomes | string {
  const decided = Object.entries(world.git).map(([id, policies]) => {
    const asked = spec.ContainerSpecs[id];
    const running = world.running[id];
    if (asked === undefined) {
      return [id, ignored("not included")] as const;
    }
    if (running === undefined) {
      return [id, skipped("not accessible in cluster")] as const;
    }
    const outcome = spec.Force ? undefined : held(policies, running);
    return [id, outcome ?? setImages(asked, running, spec.SkipMismatches)] as const;
  });
  const statuses = decided.map(([, { status }]) => status);
  if (statuses.includes("failed")) {
    return "cannot satisfy specs";
  }
  return statuses.includes("success") ? Object.fromEntries(decided) : "no changes found";
}

function wrongImage(asked: string, { containers }: ModelRunning): ModelOutcome | undefined {
  if (asked === "<all latest>") {
    return undefined;
  }
  if (containers.length === 0) {
    return ignored("not accessible in cluster");
  }
  const name = canonicalName(readRef(asked));
  return containers.some(({ image }) => canonicalName(image) === name)
    ? undefined
    : ignored("a different image");
}

/** The lock is looked for in git, ignore in the cluster. */
function held(inGit: ModelPolicies, running: ModelRunning): ModelOutcome | undefined {
  if (inGit["locked"] === "true") {
    return skipped("locked");
  }
  return running.policies["ignore"] === "true" ? skipped("ignore") : undefined;
}

function releaseOne(
  spec: ModelImageSpec,
  policies: ModelPolicies,
  { containers, excuse }: ModelRunning,
  registry: ModelRegistry,
): ModelOutcome {
  if (excuse !== "") {
    return failed(excuse);
  }
  const latest = spec.ImageSpec === "<all latest>";
  const asked = readRef(spec.ImageSpec);
  const updates: ModelUpdate[] = [];
  let reason: ModelOutcome = ignored("does not use image(s)");
  for (const container of containers) {
    const { image } = container;
    const isAsked = !latest && canonicalName(image) === canonicalName(asked);
    const known = latest ? tagsOf(registry, image) : isAsked ? { [asked.tag]: "" } : {};
    const newest = newestOf(known, spec.Force && !latest ? "glob:*" : filterOf(policies, container.name));
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
  { containers, excuse }: ModelRunning,
  skipMismatches: boolean,
): ModelOutcome {
  if (excuse !== "") {
    return failed(excuse);
  }
  const images = new Map(containers.map(({ name, image }) => [name, image]));
  const runs = (container: string, text: string): boolean => isSame(images.get(container), readRef(text));
  const missing = asked.filter(({ Container }) => !images.has(Container));
  const mismatched = asked.filter(
    ({ Container, Current }) => images.has(Container) && Current !== undefined && !runs(Container, Current),
  );
  const wanted = asked.filter((one) => !mismatched.includes(one) && !runs(one.Container, one.Target));
  const mismatch = mismatched.length > 0 ? `container(s) tag mismatch: ${namesOf(mismatched)}` : "";
  if (missing.length > 0) {
    return failed(`container(s) not found: ${namesOf(missing)}`);
  }
  if (mismatch !== "" && !skipMismatches) {
    return failed(mismatch);
  }
  return wanted.length === 0
    ? skipped(mismatch || "image(s) up to date")
    : { status: "success", reason: mismatch, updates: wanted.map(asUpdate) };
}

/** References are the same where all their parts are, spelling included. */
function isSame(a: ModelRef | undefined, b: ModelRef): boolean {
  return a?.domain === b.domain && a.image === b.image && a.tag === b.tag && a.sha === b.sha;
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

function failed(reason: string): ModelOutcome {
  return { status: "failed", reason, updates: [] };
}

function skipped(reason: string): ModelOutcome {
  return { status: "skipped", reason, updates: [] };
}

function ignored(reason: string): ModelOutcome {
  return { status: "ignored", reason, updates: [] };
}
