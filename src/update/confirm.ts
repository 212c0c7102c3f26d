/**
 * What is known of images comes from a cache that others may be able to write. Before an image is written into git,
 * its registry is asked, and the choice is made once more with what it says: which tags there are, and what the
 * chosen image and the one that runs are. Only what is chosen again is written. So no image is released that is not
 * there, or that is older than the one that runs where the filter allows both.
 */
import { type ImageName, isSameRepository } from "../image/name.ts";
import { type ImageRef, isSameImage, printImageRef } from "../image/ref.ts";
import type { ResourceId } from "../resource/id.ts";
import type { Finding } from "./find-updates.ts";
import { distinctRepositories, type RegistryAnswer, type RegistryQuestion } from "./images.ts";
import { skipped, type UpdateResult, updated, type WorkloadResult } from "./result.ts";
import type { ContainerUpdate } from "./spec.ts";

/** An image that is to be written in the place of another one. */
export interface Replacement {
  readonly current: ImageRef;
  readonly target: ImageRef;
}

/** What to ask registries before images are written: each repository once, with the tags that the choice hangs on. */
export function questionsAbout(replacements: readonly Replacement[]): readonly RegistryQuestion[] {
  return distinctRepositories(replacements.map(({ target }) => target)).map((repository) => {
    const own = replacements.filter(({ target }) => isSameRepository(target, repository));
    // As it is looked up: an image with a digest is that of no tag.
    const tags = own.flatMap(({ current, target }) => [target.tag, current.sha === "" ? current.tag : ""]);
    return { repository, tags: [...new Set(tags)].filter((tag) => tag !== "") };
  });
}

/** The images that a release would write. */
export function replacementsOfResult(result: UpdateResult): readonly Replacement[] {
  return [...result.values()]
    .flatMap(updatesOf)
    .flatMap(({ current, target }) => (current === undefined ? [] : [{ current, target }]));
}

/** The images that automation would write. */
export function replacementsOfFindings(findings: readonly Finding[]): readonly Replacement[] {
  return findings.flatMap(({ container, outcome }) =>
    outcome.kind === "update" ? [{ current: container.image, target: outcome.change.image }] : [],
  );
}

/**
 * What automation found and finds again with what registries say. Where it does not, that is told; of a registry that
 * has not answered nothing is.
 */
export function confirmFindings(
  findings: readonly Finding[],
  again: readonly Finding[],
  answers: readonly RegistryAnswer[],
): readonly Finding[] {
  const foundAgain = new Map(again.map((finding) => [keyOf(finding), finding]));
  return findings.flatMap((finding) => {
    const { container, outcome } = finding;
    if (outcome.kind !== "update") {
      return [finding];
    }
    const second = foundAgain.get(keyOf(finding));
    if (second?.outcome.kind === "update" && isSameImage(second.outcome.change.image, outcome.change.image)) {
      return isAnswered(container.image, answers) ? [second] : [];
    }
    const warning =
      "the registry says something else of the newest image than what is known; it is scanned again";
    const details = { known: printImageRef(outcome.change.image) };
    return [{ ...finding, outcome: { kind: "skipped", warning, details } }];
  });
}

/** What a release would do and would do again with what registries say; the rest is left out, with the reason. */
export function confirmResult(
  result: UpdateResult,
  again: UpdateResult,
  answers: readonly RegistryAnswer[],
): UpdateResult {
  return new Map(
    [...result].map(([id, workload]): readonly [ResourceId, WorkloadResult] => {
      const all = updatesOf(workload);
      const second = updatesOf(again.get(id));
      const isConfirmed = (update: ContainerUpdate): boolean =>
        isAnswered(update.target, answers) && second.some((other) => isSameUpdate(other, update));
      const others = all.filter((update) => !isConfirmed(update));
      return [id, others.length === 0 ? workload : without(others, all, workload)];
    }),
  );
}

function without(
  others: readonly ContainerUpdate[],
  all: readonly ContainerUpdate[],
  { error = "" }: WorkloadResult,
): WorkloadResult {
  const images = [...new Set(others.map(({ target }) => printImageRef(target)))].toSorted().join(", ");
  const reason = [error, `not confirmed by the registry: ${images}`].filter((text) => text !== "").join("; ");
  const left = all.filter((update) => !others.includes(update));
  return left.length === 0 ? skipped(reason) : updated(left, reason);
}

function updatesOf(workload: WorkloadResult | undefined): readonly ContainerUpdate[] {
  return workload?.status === "success" ? (workload.containers ?? []) : [];
}

function isSameUpdate(a: ContainerUpdate, b: ContainerUpdate): boolean {
  return a.container === b.container && isSameImage(a.target, b.target);
}

function isAnswered(name: ImageName, answers: readonly RegistryAnswer[]): boolean {
  return answers.some(({ repository }) => isSameRepository(repository, name));
}

function keyOf({ workload, container }: Finding): string {
  return `${workload} ${container.name}`;
}
