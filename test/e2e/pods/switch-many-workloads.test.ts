import { fluxctlInstall } from "../../support/flux-installs.ts";
import { describeSwitch } from "../../support/pods/switch/describe-switch.ts";
import { manyWorkloads } from "../../support/pods/switch/many-workloads.ts";

const namespace = "flux";

describeSwitch("an installation with 300 workloads and garbage collection", {
  namespace,
  files: manyWorkloads(300),
  install: ({ url: gitUrl }) =>
    fluxctlInstall({
      namespace,
      gitUrl,
      gitEmail: "flux@example.test",
      extraArgs: ["--sync-garbage-collection"],
    }),
});
