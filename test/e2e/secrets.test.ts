import assert from "node:assert/strict";
import { it } from "node:test";
import { describeOnEmbeddedCluster } from "@weir/testing";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { KnownImages } from "../support/known-images.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { OwnFluxd, fluxctl as ownFluxctl } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";

const canary = "c4n4ry-v4lu3";
const inBase64 = Buffer.from(canary).toString("base64");

describeOnEmbeddedCluster("secrets", {}, (cluster) => {
  it("a password in the git URL and the data of a Secret show in no log, answer or metric", async () => {
    await using repository = await TestRepository.create({
      "fine.yaml": `apiVersion: v1\nkind: Secret\nmetadata:\n  name: canary\n  namespace: default\nstringData:\n  password: ${canary}\n`,
      "refused.yaml": `apiVersion: v1\nkind: Secret\nmetadata:\n  name: canary-refused\n  namespace: default\ndata:\n  "not a key!": ${inBase64}\n  plain: "${canary}"\n`,
      "a.yaml": configMap("beside-secrets"),
    });
    await using fluxd = await Fluxd.start({ gitUrl: repository.url, kubeconfigPath: cluster.kubeconfigPath });
    await fluxd.synced(repository);
    await fluxd.logged("default:secret/canary-refused");

    assertClean(await everythingSaid(fluxd));
  });

  it("a password in a git URL that does not answer shows nowhere either", async () => {
    await using fluxd = await Fluxd.start({
      gitUrl: `http://user:${canary}@127.0.0.1:9/nothing.git`,
      kubeconfigPath: cluster.kubeconfigPath,
    });
    await fluxd.ready();
    await fluxd.logged(/127\.0\.0\.1:9/);

    const said = await everythingSaid(fluxd);

    assertClean(said);
    assert.match(said, /user@127\.0\.0\.1:9/);
  });

  it("nothing of a Secret beside a release shows, whether it goes well or fails because of the Secret", async () => {
    const secret = (fields: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: canary\n  namespace: default\n${fields}`;
    const sound = secret(`data:\n  password: ${inBase64}\nstringData:\n  plain: ${canary}\n`);
    await using repository = await TestRepository.create({ "a.yaml": `${sound}---\n${deployment("sec-a")}` });
    const images = new KnownImages({
      "example.test/app": { "1": "2020-01-01T00:00:00Z", "2": "2020-01-02T00:00:00Z" },
    });
    await using fluxd = await OwnFluxd.start({ repository, kubeconfigPath: cluster.kubeconfigPath, images });
    const said: string[] = [];
    const codes = async (...commands: readonly string[]): Promise<readonly number[]> => {
      const results = [];
      for (const command of commands) {
        const { code, stdout, stderr } = await ownFluxctl(fluxd, ...command.split(" "));
        said.push(stdout, stderr);
        results.push(code);
      }
      return results;
    };

    const release = "release --all --update-all-images";
    const unknown = "release --all --update-image=example.test/app:9";
    assert.deepEqual(await codes(release, release, unknown, "lock -w secret/canary"), [0, 1, 1, 1]);
    for (const broken of [
      `data: ${canary}\n`,
      `stringData:\n- ${canary}\n`,
      `stringData:\n  plain: "${canary}\n`,
      `stringData:\n  plain: ${canary}: ${canary}\n`,
      `stringData:\n  plain: *${canary}\n`,
      `stringData:\n  ${canary}: ${canary}\n  ${canary}: x\n`,
    ]) {
      await repository.pull();
      await repository.push({ "b.yaml": secret(broken) }, "break it");
      await codes("sync --timeout=1s", `${release} --dry-run`, "list-images", "lock -w deployment/sec-a");
    }

    assertClean([fluxd.log, ...said].join("\n"));
  });
});

async function everythingSaid(fluxd: Fluxd): Promise<string> {
  const paths = ["/api/flux/v6/services", "/api/flux/v11/services", "/metrics", "/api/flux/v6/sync?ref=HEAD"];
  const answers = await Promise.all(paths.map(async (path) => (await fetch(fluxd.baseUrl + path)).text()));
  const config = await (
    await fetch(`${fluxd.apiUrl}/v9/git-repo-config`, { method: "POST", body: "false" })
  ).text();
  const sync = await fluxctl(fluxd, "sync", "--timeout=1s");
  return [fluxd.log, ...answers, config, sync.stdout, sync.stderr].join("\n");
}

function assertClean(text: string): void {
  assert.ok(
    !text.includes(canary),
    `the secret is shown: ${text.slice(Math.max(0, text.indexOf(canary) - 200))}`,
  );
  assert.ok(!text.includes(inBase64), "the secret is shown in base64");
}
