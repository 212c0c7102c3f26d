import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { until } from "@weir/testing";
import { chartInstall, fluxImage } from "../../support/flux-installs.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";
import { weirImageName } from "../../support/pods/switch/images.ts";
import { SwitchWorld } from "../../support/pods/switch/switch-world.ts";

describe("a switch of the Helm chart with sops", { skip: PodWorld.lacks() }, () => {
  it("is refused by the name of the flag, and changes nothing", async () => {
    const namespace = "flux";
    await using world = await SwitchWorld.start({
      namespace,
      install: ({ url }) => chartInstall({ git: { url }, sops: true }),
    });
    const state = await world.state();
    const audit = await world.audit();

    await world.setImage(weirImageName);
    await until("the refusal", async () => (await world.logs()).includes("--sops is not supported"));

    assert.deepEqual(await world.ownWrites(audit), []);
    assert.deepEqual(await world.state(), state);

    await world.switchTo(fluxImage);
    await world.standInIsDone();

    assert.deepEqual(await world.ownWrites(audit), []);
    assert.deepEqual(await world.state(), state);
  });
});
