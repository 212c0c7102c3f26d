import { chartInstall } from "../../support/flux-installs.ts";
import { describeSwitch } from "../../support/pods/switch/describe-switch.ts";

describeSwitch("the Helm chart with default values", {
  namespace: "flux",
  install: ({ url }) => chartInstall({ git: { url } }),
});
