import type { ImageRef } from "../../image/ref.ts";
import type { PolicyUpdate } from "../../resource/policy.ts";
import { policyChanges } from "../../resource/policy-changes.ts";
import type { Resource } from "../../resource/resource.ts";
import { withImage, withPolicies } from "../edit-manifest.ts";
import { NotAWorkloadError } from "../errors.ts";
import type { GeneratedFile, GeneratedFiles } from "./generated-files.ts";
import { runImageUpdaters, runPolicyUpdaters } from "./updaters.ts";

/** Changes one resource in the place where it is defined; rejects as a ManifestStore does. */
export interface ResourceEditor {
  setImage(container: string, image: ImageRef, signal: AbortSignal): Promise<void>;
  /** Resolves to false where nothing had to change. */
  updatePolicies(update: PolicyUpdate, signal: AbortSignal): Promise<boolean>;
}

/** Only what is changed shall differ between what is generated and what is patched. */
const minimal = { style: "minimal" } as const;

/** What changes a resource that a .flux.yaml generates, in the way that the file names. */
export function editorOf(file: GeneratedFile, resource: Resource, generated: GeneratedFiles): ResourceEditor {
  return file.place.config.kind === "patch"
    ? patchEditor(file, resource, generated)
    : commandEditor(file, resource, generated);
}

function patchEditor(file: GeneratedFile, resource: Resource, generated: GeneratedFiles): ResourceEditor {
  return {
    async setImage(container, image) {
      await generated.patch(file, resource, (text) =>
        withImage(text, resource, { container, image, ...minimal }),
      );
    },
    updatePolicies: (update) =>
      generated.patch(file, resource, (text) => withPolicies(text, resource, { update, ...minimal })),
  };
}

function commandEditor(
  { place }: GeneratedFile,
  { id, containers }: Resource,
  generated: GeneratedFiles,
): ResourceEditor {
  return {
    setImage: (container, image, signal) =>
      generated.run((settings) => runImageUpdaters(place, { id, container, image }, settings, signal)),
    async updatePolicies(update, signal) {
      if (containers === undefined) {
        throw new NotAWorkloadError(id);
      }
      const changes = policyChanges(containers, update);
      await generated.run((settings) => runPolicyUpdaters(place, { id, changes }, settings, signal));
      // As Flux v1: whether the commands changed anything shows when it is committed.
      return changes.size > 0;
    },
  };
}
