import { fluxctlInstall } from "../../support/flux-installs.ts";
import { describeSwitch } from "../../support/pods/switch/describe-switch.ts";

const namespace = "flux";

describeSwitch("the manifests of fluxctl install", {
  namespace,
  install: ({ url: gitUrl }) => fluxctlInstall({ namespace, gitUrl, gitEmail: "flux@example.test" }),
});
