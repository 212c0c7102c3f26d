import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import {
  type BorrowedControlPlane,
  borrowControlPlane,
  Kubectl,
  KubeEyes,
  lacks,
  makeNamespace,
  TempFolder,
} from "@weir/testing";
import { runFluxctl } from "../../support/fluxctl.ts";

const repository = ["--git-url=git@example.test:org/repo", "--git-email=flux@example.test"];

describe("the documents of fluxctl install", { skip: lacks("Go") || lacks("kubectl") }, () => {
  const folder = new TempFolder();
  let plane: BorrowedControlPlane;
  let kube: KubeEyes;
  let kubectl: Kubectl;
  before(async () => {
    plane = await borrowControlPlane();
    kube = new KubeEyes(plane.url, plane.token);
    const config = JSON.parse(await readFile(plane.kubeconfigPath, "utf8")) as {
      clusters: { cluster: Record<string, unknown> }[];
    };
    config.clusters.forEach((each) => {
      each.cluster = {
        server: plane.url,
        "certificate-authority-data": Buffer.from(plane.ca).toString("base64"),
      };
    });
    kubectl = await Kubectl.for(JSON.stringify(config));
  });
  after(async () => {
    await kubectl[Symbol.asyncDispose]();
    await kube[Symbol.asyncDispose]();
    await plane.stop();
    folder[Symbol.dispose]();
  });

  /** What `fluxctl install` prints for these arguments. */
  async function documents(...args: readonly string[]): Promise<string> {
    const { exit, stdout, stderr } = await runFluxctl(["install", ...repository, ...args]);
    assert.equal(exit, 0, stderr);
    return stdout;
  }

  /** What kubectl says of documents that the API server is to look at, and keep unless it is a dry run. */
  async function apply(text: string, ...args: readonly string[]) {
    const { exit, stdout, stderr } = await kubectl.run(["apply", "-f", "-", ...args], text);
    assert.equal(exit, 0, stderr);
    return { stdout, stderr };
  }

  it("are accepted by an API server, with whatever flags", async () => {
    const [home, shop] = [await makeNamespace(kube), await makeNamespace(kube)];
    const least = ["--least-privilege", `--k8s-allow-namespace=${home},${shop}`, "--grant=*.example.test"];
    for (const args of [
      [],
      ["--git-path=a,b", "--git-readonly", "--manifest-generation", "--registry-disable-scanning"],
      ["--add-security-context=false", "--git-label=", "--git-user="],
      ["--pod-security=restricted", "--memcached=false", "--image=example.test/weir:1", ...least],
      ["--fluxd-arg=--git-ci-skip", '--git-user=Jo: "the bot" #1', "--pod-security=restricted"],
    ]) {
      const text = await documents(`--namespace=${home}`, ...args);

      const { stdout } = await apply(text, "--dry-run=server");

      const accepted = stdout.match(/ created \(server dry run\)$/gm)?.length;
      assert.equal(accepted, text.match(/^---$/gm)?.length, stdout);
    }
  });

  it("can be applied to a cluster that has no such namespace yet", async () => {
    await apply(await documents("--namespace=new-flux", "--create-namespace"));

    assert.ok(await kube.get("/apis/apps/v1/namespaces/new-flux/deployments/flux"));
  });

  it("keep to the pod security standard restricted where that is asked for", async () => {
    const home = await makeNamespace(kube);
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await kube.patch(`/api/v1/namespaces/${home}`, { metadata: { labels } });

    const usual = await apply(await documents(`--namespace=${home}`), "--dry-run=server");
    const restricted = await apply(
      await documents(`--namespace=${home}`, "--pod-security=restricted"),
      "--dry-run=server",
    );

    assert.match(usual.stderr, /would violate PodSecurity "restricted/);
    assert.doesNotMatch(restricted.stderr, /PodSecurity/);
  });
});
