import type { JsonObject } from "@weir/base";
import type { FluxdFlags } from "../../fluxd-flags/flags.ts";
import { signsWithOpenPgp } from "../../fluxd-flags/signing-key.ts";
import { apiVersions, type ExportedObject } from "./exported-object.ts";
import type { Source } from "./git-repository.ts";
import { printInterval } from "./interval.ts";
import { gitPathsOf } from "./kustomizations.ts";

/** The ImageUpdateAutomation: who commits what, and to which branch. Suspended, so that it pushes nothing yet. */
export function imageUpdateAutomation(
  flags: FluxdFlags,
  { name, namespace, secrets }: Source,
): ExportedObject {
  const [path, ...otherPaths] = gitPathsOf(flags);
  const branch = flags.gitBranch.value;
  const spec: JsonObject = {
    suspend: true,
    interval: printInterval(flags.automationInterval.value),
    sourceRef: { kind: "GitRepository", name },
    git: {
      checkout: { ref: { branch } },
      commit: {
        author: { name: flags.gitUser.value, email: flags.gitEmail.value },
        ...(signsWithOpenPgp(flags) ? { signingKey: { secretRef: { name: secrets.signingKey } } } : {}),
        messageTemplate: messageTemplate(flags),
      },
      push: { branch },
    },
    update: { strategy: "Setters", path: otherPaths.length === 0 ? (path ?? "./") : "./" },
  };
  return {
    object: {
      apiVersion: apiVersions.image,
      kind: "ImageUpdateAutomation",
      metadata: { name, namespace },
      spec,
    },
    comments: [
      'Suspended, so that it pushes nothing while fluxd runs. It changes only lines with a marker: see "Markers" above.',
      ...(flags.gitSetAuthor.value
        ? [
            "The author is always the one above. With --git-set-author, fluxd used the name of the person who released.",
          ]
        : []),
    ],
  };
}

/** The message of a commit, in the words of Flux v1. */
function messageTemplate({ gitCiSkip, gitCiSkipMessage }: FluxdFlags): string {
  const skip =
    gitCiSkipMessage.value !== "" ? gitCiSkipMessage.value : gitCiSkip.value ? "\n\n[ci skip]" : "";
  return `Auto-release images

{{ range .Changed.Changes }} - {{ .NewValue }}
{{ end }}${skip.replaceAll("{{", '{{ "{{" }}')}`;
}
