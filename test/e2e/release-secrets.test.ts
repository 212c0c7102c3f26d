import assert from "node:assert/strict";
import { it } from "node:test";
import { describeOnEachCluster } from "@weir/testing";
import { type CommandResult, fluxctl } from "../support/fluxd.ts";
import { KnownImages } from "../support/known-images.ts";
import { deployment } from "../support/manifests.ts";
import { OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";

const canary = "c4n4ry-v4lu3";
const inBase64 = Buffer.from(canary).toString("base64");

const images = new KnownImages({
  "example.test/app": { "1": "2020-01-01T00:00:00Z", "2": "2020-01-02T00:00:00Z" },
});

function secret(fields: string): string {
  return `apiVersion: v1\nkind: Secret\nmetadata:\n  name: canary\n  namespace: default\n${fields}`;
}

const release = ["release", "--all", "--update-all-images"];
const sound = secret(`data:\n  password: ${inBase64}\nstringData:\n  plain: ${canary}\n`);

describeOnEachCluster("a release beside a Secret", (cluster) => {
  it("tells nothing of it, whether it goes well or not", async () => {
    await using repository = await TestRepository.create({
      "both.yaml": `${sound}---\n${deployment("sec-a")}`,
    });
    await using fluxd = await OwnFluxd.start({ repository, kubeconfigPath: cluster.kubeconfigPath, images });

    const done = await fluxctl(fluxd, ...release);
    const again = await fluxctl(fluxd, ...release);
    const unknown = await fluxctl(fluxd, "release", "--all", "--update-image=example.test/app:9");
    const locked = await fluxctl(fluxd, "lock", "-w", "secret/canary");

    assert.deepEqual(
      [done, again, unknown, locked].map(({ code }) => code),
      [0, 1, 1, 1],
    );
    assertClean(fluxd, done, again, unknown, locked);
  });

  for (const [what, broken] of [
    ["data is a text", secret(`data: ${canary}\n`)],
    ["data is a list", secret(`stringData:\n- ${canary}\n`)],
    ["text does not end", secret(`stringData:\n  plain: "${canary}\n`)],
    ["text begins twice", secret(`stringData:\n  plain: ${canary}: ${canary}\n`)],
    ["alias leads nowhere", secret(`stringData:\n  plain: *${canary}\n`)],
    ["keys are doubled", secret(`stringData:\n  ${canary}: ${canary}\n  ${canary}: x\n`)],
  ] as const) {
    it(`tells nothing of one whose ${what}, and that is why it fails`, async () => {
      await using repository = await TestRepository.create({ "a.yaml": deployment("sec-b") });
      await using fluxd = await OwnFluxd.start({
        repository,
        kubeconfigPath: cluster.kubeconfigPath,
        images,
      });
      await repository.push({ "b.yaml": broken }, "break it");
      const synced = await fluxctl(fluxd, "sync", "--timeout=1s");

      const planned = await fluxctl(fluxd, ...release, "--dry-run");
      const listed = await fluxctl(fluxd, "list-images");
      const locked = await fluxctl(fluxd, "lock", "-w", "deployment/sec-b");

      assertClean(fluxd, synced, planned, listed, locked);
    });
  }
});

function assertClean(fluxd: OwnFluxd, ...results: readonly CommandResult[]): void {
  const said = [fluxd.log, ...results.flatMap(({ stdout, stderr }) => [stdout, stderr])].join("\n");
  for (const value of [canary, inBase64]) {
    const at = said.indexOf(value);
    assert.ok(at < 0, `the secret is shown: ${said.slice(Math.max(0, at - 300), at + 50)}`);
  }
}
