import { type ImageRef, type PolicyUpdate, policyChanges, type Resource } from "@weir/flux";
import { withImage, withPolicies } from "../edit-manifest.ts";
import { NotAWorkloadError } from "../errors.ts";
import type { GeneratedFile, GeneratedFiles } from "./generated-files.ts";
import { runImageUpdaters, runPolicyUpdaters } from "./updaters.ts";

/** Changes one resource at the place where it's defined; rejects like a ManifestStore. */
export interface ResourceEditor {
  setImage(container: string, image: ImageRef, signal: AbortSignal): Promise<void>;
  /** Resolves to false if nothing had to change. */
  updatePolicies(update: PolicyUpdate, signal: AbortSignal): Promise<boolean>;
}

/** Generated and patched manifests must differ only in the change itself. */
const minimal = { style: "minimal" } as const;

/** The editor for a resource that a .flux.yaml generates; works in the way that the file configures. */
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
      // As in Flux v1, the commit shows whether the commands changed anything.
      return changes.size > 0;
    },
  };
}
