import { compareGoStrings } from "@weir/base";
import { printImageRef } from "../image/ref.ts";
import { affectedWorkloads, changedImages, resultError, type UpdateResult } from "./result.ts";
import type { ReleaseImageSpec, ReleaseSpec } from "./spec.ts";

/** The message for the commit of a release: the message of its cause, or else what was released. Same as in Flux v1. */
export function releaseCommitMessage(spec: ReleaseSpec, result: UpdateResult): string {
  if (spec.cause.message !== "") {
    return spec.cause.message;
  }
  switch (spec.type) {
    case "image":
      return imageMessage(spec.spec);
    case "containers":
      return containersMessage(result);
    case "auto":
      return automatedMessage(changedImages(result));
  }
}

function imageMessage({ image, workloads }: ReleaseImageSpec): string {
  return `Release ${withoutBrackets(image)} to ${(workloads ?? []).map(withoutBrackets).join(", ")}`;
}

/** As in Flux v1, which cuts them off "<all>", and thereby also the first one off "<cluster>:kind/name". */
function withoutBrackets(text: string): string {
  return text.replace(/^[<>]+|[<>]+$/g, "");
}

/** Same as in Flux v1, except that workloads are sorted. */
function containersMessage(result: UpdateResult): string {
  const ids = affectedWorkloads(result).toSorted(compareGoStrings);
  const body = ids.map((id) => {
    const images = (result.get(id)?.containers ?? []).map(({ target }) => `\n- ${printImageRef(target)}`);
    return `\n${id}${images.join("")}\n`;
  });
  const error = resultError(result);
  return `Update image refs in ${ids.join(", ")}\n${body.join("")}${error === "" ? "" : `\n${error}`}`;
}

function automatedMessage(images: readonly string[]): string {
  switch (images.length) {
    case 0:
      return "Auto-release (no images)\n";
    case 1:
      return `Auto-release ${images.join("")}`;
    default:
      return `Auto-release multiple (${images.length}) images\n\n${images.map((image) => ` - ${image}\n`).join("")}`;
  }
}
