/**
 * What's known about images comes from a cache that others may be able to write to. Before an image is written to git,
 * its registry is queried, and the choice is repeated with its answers: which tags exist, and what the chosen image and
 * the running one are. Only an image that's chosen again is written. So fluxd never releases an image that doesn't
 * exist, nor one that's older than the running one if the filter allows both.
 */
import { type ImageName, isSameRepository } from "../image/name.ts";
import { type ImageRef, isSameImage, printImageRef } from "../image/ref.ts";
import type { ResourceId } from "../resource/id.ts";
import type { Finding } from "./find-updates.ts";
import { distinctRepositories, type RegistryAnswer, type RegistryQuestion } from "./images.ts";
import { skipped, type UpdateResult, updated, type WorkloadResult } from "./result.ts";
import type { ContainerUpdate } from "./spec.ts";

/** An image to write, and the one that it replaces. */
export interface Replacement {
  readonly current: ImageRef;
  readonly target: ImageRef;
}

/**
 * The questions to registries before images are written: each repository once, with the tags that the choice depends
 * on.
 */
export function questionsAbout(replacements: readonly Replacement[]): readonly RegistryQuestion[] {
  return distinctRepositories(replacements.map(({ target }) => target)).map((repository) => {
    const own = replacements.filter(({ target }) => isSameRepository(target, repository));
    // As in lookups, an image with a digest doesn't count as the image of a tag.
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
 * What automation found and finds again with the registries' answers. If it finds something else, that's logged, unless
 * the registry didn't respond.
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
      "the registry and the cached metadata disagree about the newest image; scanning the repository again";
    const details = { known: printImageRef(outcome.change.image) };
    return [{ ...finding, outcome: { kind: "skipped", warning, details } }];
  });
}

/** The changes that a release would make again with the registries' answers; the rest is left out, with the reason. */
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
