import { describe, it } from "node:test";
import { fluxctlInstall } from "../../support/flux-installs.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";
import { assertNothingChanges } from "../../support/pods/switch/describe-switch.ts";
import { manyWorkloads } from "../../support/pods/switch/many-workloads.ts";
import { SwitchWorld } from "../../support/pods/switch/switch-world.ts";

describe("a switch of an installation with 300 workloads", { skip: PodWorld.lacks() }, () => {
  it("changes nothing, and neither does the way back", { timeout: 1_500_000 }, async () => {
    const namespace = "flux";
    await using world = await SwitchWorld.start({
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

    await assertNothingChanges(world);
  });
});
