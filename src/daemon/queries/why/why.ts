import { FluxError, printImageName } from "@weir/flux";
import type { UnknownAnswer, WhyQuery, WhyReport } from "@weir/flux/api";
import { type CommitDependencies, whyCommit } from "./commit.ts";
import { whyImage } from "./image.ts";
import { type ResourceDependencies, whyResource } from "./resource.ts";
import { readSubject, type Subject } from "./subject.ts";
import { lookAround, type World, type WorldDependencies } from "./world.ts";

/** How many names to send, so that a client can suggest one. */
const knownNames = 2_000;

/** Why a resource, an image, or a commit is as it is. Rejects with a FluxError if nothing is asked. */
export async function why(
  { subject: text, namespace }: WhyQuery,
  deps: WhyDependencies,
  signal: AbortSignal,
): Promise<WhyReport> {
  if (text === "") {
    const message = "name a resource, an image, or a commit to ask about";
    throw new FluxError("user", message, `${message}\n`);
  }
  const world = await lookAround(deps, signal);
  const ids = new Set([
    ...world.set.resources.keys(),
    ...world.set.heldBack,
    ...world.workloads.map(({ id }) => id),
  ]);
  const inGit = [...world.set.resources.values()].flatMap(({ containers = [] }) => containers);
  const containers = [...world.workloads.flatMap((workload) => workload.containers), ...inGit];
  const subject = readSubject(text, namespace, { ids, images: containers.map(({ image }) => image) });
  return (await answer(subject, world, deps, signal)) ?? unknown(text, subject, world, ids);
}

export interface WhyDependencies extends WorldDependencies, ResourceDependencies, CommitDependencies {
  readonly cluster: WorldDependencies["cluster"] &
    ResourceDependencies["cluster"] &
    CommitDependencies["cluster"];
  readonly repo: WorldDependencies["repo"];
  readonly settings: WorldDependencies["settings"];
}

async function answer(
  subject: Subject,
  world: World,
  deps: WhyDependencies,
  signal: AbortSignal,
): Promise<WhyReport | undefined> {
  switch (subject.kind) {
    case "resource":
      return whyResource(subject.id, world, deps, signal);
    case "image":
      return whyImage(subject.image, world, deps, signal);
    case "ambiguous":
      return undefined;
    case "unsure": {
      for (const id of subject.ids) {
        const found = await whyResource(id, world, deps, signal);
        if (found !== undefined) {
          return found;
        }
      }
      return subject.commit === undefined ? undefined : whyCommit(subject.commit, world, deps, signal);
    }
  }
}

function unknown(
  text: string,
  subject: Subject,
  { workloads, problems }: World,
  ids: Iterable<string>,
): UnknownAnswer {
  const images = workloads.flatMap((workload) =>
    workload.containers.map(({ image }) => printImageName(image)),
  );
  const isAmbiguous = subject.kind === "ambiguous";
  const limit = problems.length === 0 ? "" : ` (as far as fluxd can read git: ${problems[0]?.message ?? ""})`;
  return {
    kind: "unknown",
    subject: text,
    verdict: isAmbiguous
      ? `several resources are called ${text}: ${subject.names.join(", ")}`
      : `there is no resource, image, or commit ${JSON.stringify(text)}${limit}`,
    causes: [],
    known: isAmbiguous ? subject.names : [...new Set([...ids, ...images])].toSorted().slice(0, knownNames),
  };
}
