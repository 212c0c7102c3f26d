import { chartInstall } from "../../support/flux-installs.ts";
import { describeSwitch } from "../../support/pods/switch/describe-switch.ts";
import { syncedFiles, team } from "../../support/pods/switch/synced-files.ts";

describeSwitch("the Helm chart with rights in some namespaces only", {
  namespace: "flux",
  files: syncedFiles,
  prerequisites: () => [{ apiVersion: "v1", kind: "Namespace", metadata: { name: team } }],
  install: ({ url }) =>
    chartInstall({
      git: { url },
      clusterRole: { create: false },
      allowedNamespaces: [team],
      syncGarbageCollection: { enabled: true },
    }),
});
