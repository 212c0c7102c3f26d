import assert from "node:assert/strict";
import { it } from "node:test";
import { dedent, describeOnEmbeddedCluster } from "@weir/testing";
import { KnownImages } from "../support/known-images.ts";
import { deployment } from "../support/manifests.ts";
import { fluxctl, OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";

const images = new KnownImages({
  "example.test/app": { "1": "2020-01-01T00:00:00Z", "2": "2020-01-02T12:30:00Z" },
});

describeOnEmbeddedCluster("a list of images", {}, (cluster) => {
  const filtered = deployment("img-b", "example.test/unknown:7").replace(
    "  namespace",
    "  annotations: {fluxcd.io/tag.main: 'semver:^1'}\n  namespace",
  );

  function started(repository: TestRepository): Promise<OwnFluxd> {
    return OwnFluxd.start({ repository, kubeconfigPath: cluster.kubeconfigPath, images });
  }

  it("shows what there is for what runs, also where nothing was scanned", async () => {
    await using repository = await TestRepository.create({
      "a.yaml": deployment("img-a", "example.test/app:1"),
      "b.yaml": filtered,
    });
    await using fluxd = await started(repository);

    const a = await fluxctl(fluxd, "list-images", "-w", "deployment/img-a");
    const b = await fluxctl(fluxd, "list-images", "-w", "deployment/img-b");

    assert.deepEqual([a.code, b.code], [0, 0]);
    assert.equal(
      a.stdout,
      dedent(`
        WORKLOAD                  CONTAINER  IMAGE             CREATED
        default:deployment/img-a  main       example.test/app
                                             |   2             02 Jan 20 12:30 UTC
                                             '-> 1             01 Jan 20 00:00 UTC
      `).replace("example.test/app\n", "example.test/app  \n"),
    );
    assert.match(
      b.stdout,
      /\ndefault:deployment\/img-b +main + image data not available\n +'-> \(untagged\) +\?\n$/,
    );
  });

  it("tells of a workload with an image that cannot be read what Flux v1 tells, and so does a release", async () => {
    const withInit = deployment("img-bad", "example.test/app:1:bad").replace(
      "      containers:",
      "      initContainers: [{name: init, image: 'example.test/app:1'}]\n      containers:",
    );
    await using repository = await TestRepository.create({ "bad.yaml": withInit });
    await using fluxd = await started(repository);

    const list = await fluxctl(fluxd, "list-images", "-w", "deployment/img-bad", "-o", "json");
    const release = await fluxctl(fluxd, "release", "--all", "--update-all-images", "--dry-run", "-vv");

    const [workload] = JSON.parse(list.stdout) as readonly {
      readonly Containers: readonly { readonly Name: string }[];
    }[];
    assert.deepEqual(
      workload?.Containers.map(({ Name }) => Name),
      ["init"],
    );
    assert.match(
      release.stdout + release.stderr,
      /img-bad +failed +expected image name as either <image>:<tag> or just <image>: invalid image ID/,
    );
  });
});
