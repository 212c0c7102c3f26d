import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type BorrowedControlPlane, borrowControlPlane, KubeEyes, lacks } from "@weir/testing";
import { ownImage } from "../../src/own-image/own-image.ts";
import { lacksHelm } from "../support/chart/helm.ts";
import { helmIn, installFluxChart } from "../support/chart/installed.ts";
import { packageVersion } from "../support/chart/package-version.ts";
import { recordedReleases } from "../support/chart/recorded.ts";
import { chartFolder } from "../support/chart/render.ts";

/** Those with much that can't be changed later: names, selectors, Services, and bindings. */
const names = [
  "nameOverride",
  "some namespaces, and a cluster role of one's own",
  "a headless Service",
  "git.config with a name for its Secret",
  "memcached",
];

describe("a release of Flux v1's chart, on an API server", { skip: lacks("Go") || lacksHelm() }, () => {
  let plane: BorrowedControlPlane;
  let kube: KubeEyes;
  before(async () => {
    plane = await borrowControlPlane();
    kube = new KubeEyes(plane.url, plane.token);
    for (const name of ["flux", "ops", "a"]) {
      await kube.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    }
  });
  after(async () => {
    await kube[Symbol.asyncDispose]();
    await plane.stop();
  });

  for (const recorded of recordedReleases().filter(({ name }) => names.includes(name))) {
    it(`can be upgraded with --reuse-values, and rolled back: ${recorded.name}`, async () => {
      const { release, namespace, objects } = recorded;
      const here = ["--namespace", namespace];
      const fluxd = objects.find(
        ({ kind, metadata }) => kind === "Deployment" && metadata.name?.endsWith("memcached") === false,
      );
      const image = async (): Promise<unknown> => {
        const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${fluxd?.metadata.name}`;
        const { spec } = (await kube.get(path)) as unknown as Deployment;
        return spec.template.spec.containers[0].image;
      };
      await installFluxChart(plane, recorded);
      const before = await image();

      await helmIn(plane, "upgrade", release, chartFolder, ...here, "--reuse-values");

      assert.equal(await image(), ownImage(packageVersion()));
      await helmIn(plane, "rollback", release, ...here);
      assert.equal(await image(), before);
      await helmIn(plane, "uninstall", release, ...here);
    });
  }
});

interface Deployment {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly [{ readonly image: string }] } };
  };
}
