import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { lacks } from "@weir/testing";
import { platforms } from "../../dev/release/binaries/platforms.ts";
import { executableOf } from "../../dev/release/binaries/release-program.ts";
import { pinnedNode } from "../../dev/release/fetch-node.ts";
import { architectures } from "../../dev/release/images/architecture.ts";
import { buildImages } from "../../dev/release/images/build-images.ts";
import { Delivery } from "../support/images/delivery.ts";
import { EmulatedImage } from "../support/images/emulated.ts";
import { lacksImages } from "../support/images/lacks-images.ts";
import { slimLimit, TestRelease, version } from "./support.ts";

const arm64 = architectures.filter(({ name }) => name === "arm64");
const [architecture] = arm64;

describe("what is released for arm64", { skip: lacksImages() || lacks("qemu") }, () => {
  const started = new AsyncDisposableStack();
  let release: TestRelease;
  let image: EmulatedImage;
  let delivery: Delivery;
  before(async () => {
    release = started.use(new TestRelease({ version: "0.0.0-test" }));
    const [built] = await buildImages(release.context, { kinds: ["slim"], architectures: arm64 });
    delivery = started.use(await Delivery.start());
    const tag = `${release.context.version}-slim`;
    await delivery.push(built?.layout ?? "", tag);
    image = await EmulatedImage.prepare(await delivery.unpack(tag, "arm64"));
  });
  after(() => started.disposeAsync());

  it("is an image with fluxd and fluxctl, and the Node.js that they need", async () => {
    const node = "/usr/local/bin/node";
    const start = (program: string): string => `/opt/weir/lib/start-${program}.cjs`;
    assert.ok(architecture);

    assert.equal(
      await image.run(node, "--version"),
      `v${pinnedNode(architecture.nodePackage, "image").version}\n`,
    );
    assert.equal(await image.run(node, start("fluxd"), "--version"), `${version}\n`);
    assert.equal(await image.run(node, start("fluxctl"), "version"), `${version}\n`);
  });

  it("is a small image, too", async () => {
    const { layers } = await delivery.manifest(`${release.context.version}-slim`);

    const bytes = layers.reduce((sum, { size }) => sum + size, 0);

    assert.ok(bytes <= slimLimit, `${bytes} bytes`);
  });

  it("is an image with git, ssh, gpg, and tini", async () => {
    assert.match(await image.run("/usr/bin/git", "--version"), /^git version 2\./);
    assert.match(await image.run("/usr/bin/ssh", "-V"), /^OpenSSH_9\./);
    assert.match(await image.run("/usr/bin/gpg", "--version"), /^gpg \(GnuPG\) 2\./);
    assert.match(await image.run("/usr/bin/tini", "--version"), /^tini version /);
  });

  it("are programs that need nothing else", async () => {
    const platform = platforms.find((each) => each.system === "linux" && each.architecture === "arm64");
    assert.ok(platform);
    for (const [program, argument] of [
      ["fluxd", "--version"],
      ["fluxctl", "version"],
    ] as const) {
      const executable = join(release.context.work, program);
      await executableOf({ program, platform }, executable, release.context.signal);

      assert.equal(await image.run(await image.add(executable), argument), `${version}\n`);
    }
  });
});
