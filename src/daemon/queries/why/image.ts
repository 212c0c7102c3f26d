import {
  allowsTag,
  type Container,
  type ImageRef,
  isSameRepository,
  parseTagPattern,
  printImageName,
  printImageRef,
  type Workload,
} from "@weir/flux";
import type { ImageAnswer, WhyCause, WhyImageUse } from "@weir/flux/api";
import { cause, tell } from "./cause.ts";
import { type Automation, causesAgainst, imageCauses } from "./image-causes.ts";
import { type ImageState, imageState, type ScannedRepository, scanOf } from "./image-states.ts";
import { automationOf, type ResourceDependencies } from "./resource.ts";
import { gitCause } from "./resource-causes.ts";
import type { World } from "./world.ts";

/** Which workloads run an image, and for each of them, why it does or doesn't move to it. */
export async function whyImage(
  image: ImageRef,
  world: World,
  deps: ResourceDependencies,
  signal: AbortSignal,
): Promise<ImageAnswer> {
  const scan = await scanOf(image, deps.images, signal);
  const uses = world.workloads
    .toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)))
    .flatMap((workload) =>
      workload.containers
        .filter((container) => isSameRepository(container.image, image))
        .map((container) => use(image, { container, workload, scan, world, deps })),
    );
  const { metadata, ...told } = scan;
  const isMissing = image.tag !== "" && scan.state === "scanned" && !metadata.tags.includes(image.tag);
  const causes = [
    ...world.problems.map((problem) => gitCause(problem, world.sync)),
    ...(isMissing ? [unknownTag(image)] : []),
  ];
  return {
    kind: "image",
    subject: printImageRef(image),
    verdict: verdictOf(image, uses),
    causes,
    scan: told,
    uses,
  };
}

interface Use {
  readonly container: Container;
  readonly workload: Workload;
  readonly scan: ScannedRepository;
  readonly world: World;
  readonly deps: ResourceDependencies;
}

function use(image: ImageRef, { container, workload, scan, world, deps }: Use): WhyImageUse {
  const resource = world.set.resources.get(workload.id);
  const state = imageState(container, resource?.policies ?? {}, scan);
  const automation = automationOf(workload.id, world, deps);
  const { outcome, causes } =
    resource === undefined
      ? { outcome: runs(image, container) ? ("runs" as const) : ("stays" as const), causes: [notInGit] }
      : judge(image.tag, state, automation);
  return {
    workload: workload.id,
    container: container.name,
    image: printImageRef(container.image),
    filter: state.filter,
    outcome,
    causes,
  };
}

/** What happens to a container whose workload is in git; `tag` is "" for whatever is newest. Pure. */
export function judge(
  tag: string,
  state: ImageState,
  automation: Automation,
): Pick<WhyImageUse, "outcome" | "causes"> {
  if (tag !== "" && state.current.tag === tag) {
    return { outcome: "runs", causes: [] };
  }
  const causes = tag === "" ? imageCauses(state, automation) : causesAgainst(tag, state, automation);
  const told = causes.filter(({ kind }) => kind !== "release-due");
  // What was found by earlier scans is released all the same.
  const blocking = told.filter(({ kind }) => kind !== "scan-stale");
  const isDue = tag === "" ? state.newest !== undefined : allowsTag(parseTagPattern(state.filter), tag);
  if (isDue && blocking.length === 0) {
    return { outcome: "moves", causes: told };
  }
  return { outcome: tag === "" && state.newest === undefined ? "runs" : "stays", causes: told };
}

function runs(image: ImageRef, { image: current }: Container): boolean {
  return image.tag === "" || image.tag === current.tag;
}

const notInGit: WhyCause = cause("not-in-git", "images", {
  message: "its workload is not in git, so fluxd changes nothing about it",
});

function unknownTag(image: ImageRef): WhyCause {
  return cause("no-such-tag", "images", {
    message: `the last scan of ${printImageName(image)} found no tag ${image.tag}`,
    remedies: [tell("if it was pushed just now, fluxd finds it with its next scan")],
  });
}

function verdictOf(image: ImageRef, uses: readonly WhyImageUse[]): string {
  const count = (outcome: WhyImageUse["outcome"]): number =>
    uses.filter((each) => each.outcome === outcome).length;
  const all = uses.length === 1 ? "1 container" : `${uses.length} containers`;
  return image.tag === ""
    ? `${printImageName(image)} is used by ${all}: ${count("runs")} with the newest image that is allowed, ${count("moves")} about to move to it, ${count("stays")} held up.`
    : `${printImageRef(image)} runs in ${count("runs")} of ${all} that use its repository; ${count("moves")} about to move to it, ${count("stays")} held up.`;
}
