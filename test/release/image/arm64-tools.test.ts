import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { lacks } from "@weir/testing";
import { architectures } from "../../../dev/release/images/architecture.ts";
import { buildImages } from "../../../dev/release/images/build-images.ts";
import { imageTools } from "../../../scripts/image/tools.ts";
import { Delivery } from "../../support/images/delivery.ts";
import { EmulatedImage } from "../../support/images/emulated.ts";
import { lacksImages } from "../../support/images/lacks-images.ts";
import { TestRelease } from "../support.ts";

const arm64 = architectures.filter(({ name }) => name === "arm64");

describe("the large image for arm64", { skip: lacksImages() || lacks("qemu") }, () => {
  const started = new AsyncDisposableStack();
  let image: EmulatedImage;
  before(async () => {
    const release = started.use(new TestRelease({ version: "0.0.0-test" }));
    const built = await buildImages(release.context, { kinds: ["full"], architectures: arm64 });
    const { version } = release.context;
    const layout = built.find(({ name }) => name.endsWith(`:${version}`))?.layout ?? "";
    const delivery = started.use(await Delivery.start());
    await delivery.push(layout, version);
    image = await EmulatedImage.prepare(await delivery.unpack(version, "arm64"));
  });
  after(() => started.disposeAsync());

  for (const [command, ...args] of [
    ["helm", "version", "--short"],
    ["kubectl", "version", "--client", "--short"],
    ["kustomize", "version", "--short"],
    ["sops", "--version"],
  ] as const) {
    it(`has ${command} in the pinned version`, async () => {
      const version = imageTools.downloads.find((tool) => tool.command === command)?.version.slice(1) ?? "?";

      const said = await image.run(`/usr/local/bin/${command}`, ...args);

      assert.ok(said.includes(version), said);
    });
  }

  it("has the further programs of Debian", async () => {
    assert.match(await image.run("/usr/bin/gawk", "--version"), /^GNU Awk 5\./);
    assert.match(await image.run("/usr/bin/wget", "--version"), /^GNU Wget 1\./);
  });
});
