import type { SentBody } from "../../../src/contract/schemas.ts";

/** What's to be done, as it's sent. */
export type SentSpec = SentBody<"plan">;

/** What a plan is asked for with: words for people change nothing of it, and would ask for it again with each key. */
export function plannedSpec(spec: SentSpec): SentSpec {
  switch (spec.kind) {
    case "release":
      return { ...spec, message: "" };
    case "policy":
      return { ...spec, reason: "" };
    case "sync":
    case "undo":
    case "take-over":
      return spec;
  }
}
