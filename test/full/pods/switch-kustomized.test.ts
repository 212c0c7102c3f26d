import { kustomizedInstall } from "../../support/flux-installs.ts";
import { describeSwitch } from "../../support/pods/switch/describe-switch.ts";
import { generatedFiles } from "../../support/pods/switch/synced-files.ts";

describeSwitch("Flux's deploy/ folder through kustomize", {
  namespace: "flux",
  install: ({ url: gitUrl }) => kustomizedInstall({ gitUrl, gitUser: "ann" }),
});

describeSwitch("Flux's deploy/ folder through kustomize, in another namespace and with generated manifests", {
  namespace: "gitops",
  files: generatedFiles,
  install: ({ url: gitUrl }) =>
    kustomizedInstall({ gitUrl, gitUser: "ann", namespace: "gitops", gitPaths: ["workloads"] }),
});
