/**
 * The `--test-global-setup` of `npm run test:release -- image`: builds the large image from `dist`, pushes it to a registry, pulls and
 * unpacks it, and has all tests of the run start the fluxd and fluxctl in it. Throws where this machine can't do that.
 */
import { lacks, TempFolder } from "@weir/testing";
import * as controlPlanes from "@weir/testing/shared-control-planes";
import { goProgram } from "@weir/toolchain";
import { buildImages } from "../../../dev/release/images/build-images.ts";
import { imageTools } from "../../../scripts/image/tools.ts";
import { rootSuffix } from "../../../src/own-image/own-image.ts";
import { imageVariable, rootImageVariable } from "../pods/delivered-image.ts";
import { programsVariable } from "../programs.ts";
import { releaseContext } from "../release-context.ts";
import { Delivery } from "./delivery.ts";
import { EnteredImage } from "./entered-image.ts";
import { lacksImages } from "./lacks-images.ts";
import { ownArchitecture } from "./own-architecture.ts";

const started = new AsyncDisposableStack();

/** Called by node:test before the first file. */
export async function globalSetup(): Promise<void> {
  const lacking = lacksImages();
  if (lacking !== false || ownArchitecture === undefined) {
    throw new Error(`can't test the image: ${String(lacking)}`);
  }
  const folder = started.use(new TempFolder());
  const context = releaseContext(folder.path, { version: "0.0.0-test" });
  const built = await buildImages(context, { kinds: ["full"], architectures: [ownArchitecture] });
  if (lacks("qemu") === false) {
    // On a new machine, that takes more minutes than a test may.
    for (const { command } of imageTools.downloads) {
      await goProgram(command, { system: "linux", architecture: "arm64" });
    }
  }
  const delivery = started.use(await Delivery.start());
  for (const { name, layout } of built) {
    await delivery.push(layout, name.replace(/.*:/, ""));
  }
  const bundle = await delivery.unpack(context.version);
  process.env[imageVariable] = bundle;
  process.env[rootImageVariable] = await delivery.unpack(`${context.version}${rootSuffix}`);
  process.env[programsVariable] = started.use(await EnteredImage.enter(bundle)).programs;
  await controlPlanes.globalSetup();
  started.defer(() => controlPlanes.globalTeardown());
}

/** Called by node:test after the last file. */
export async function globalTeardown(): Promise<void> {
  await started.disposeAsync();
}
