import { chartStep } from "./chart/step.ts";
import type { ReleaseStep } from "./context.ts";

/** A step, as it's told of. */
export interface NamedStep {
  readonly name: string;
  readonly step: ReleaseStep;
}

/** What is delivered, part by part. None needs another. */
export const stepsOfParts: readonly NamedStep[] = [{ name: "chart", step: chartStep }];

/** What speaks of all that the others made. */
export const finalSteps: readonly NamedStep[] = [];
