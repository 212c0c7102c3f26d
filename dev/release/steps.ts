import { binariesStep } from "./binaries/step.ts";
import { chartStep } from "./chart/step.ts";
import { consoleStep } from "./console/step.ts";
import type { ReleaseStep } from "./context.ts";
import { docsStep } from "./docs/step.ts";
import { downloadsStep } from "./downloads.ts";
import { imagesStep } from "./images/step.ts";
import { monitoringStep } from "./monitoring/step.ts";
import { packagesStep } from "./packages/step.ts";
import { licensesStep, provenanceStep, sbomStep, signStep } from "./supply/step.ts";

/** A step, as it's told of. */
export interface NamedStep {
  readonly name: string;
  readonly step: ReleaseStep;
}

/** What is delivered, part by part; what fails soonest comes first. None needs another. */
export const stepsOfParts: readonly NamedStep[] = [
  { name: "licenses", step: licensesStep },
  { name: "chart", step: chartStep },
  { name: "monitoring", step: monitoringStep },
  { name: "packages", step: packagesStep },
  { name: "images", step: imagesStep },
  { name: "binaries", step: binariesStep },
  { name: "console", step: consoleStep },
  { name: "documentation", step: docsStep },
];

/** What speaks of all that the others made, so in this order. */
export const finalSteps: readonly NamedStep[] = [
  { name: "SBOMs, and licenses in images", step: sbomStep },
  { name: "names of downloads", step: downloadsStep },
  { name: "provenance and checksums", step: provenanceStep },
  { name: "signatures", step: signStep },
];
