import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type EmbeddedCluster, startEmbeddedCluster } from "@weir/embedded-cluster";
import { answer, configMapPath, KubeEyes, serve, TempFolder } from "@weir/testing";
import packageJson from "../../package.json" with { type: "json" };
import { Fluxd } from "../support/fluxd.ts";
import { configMap } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";
import { runFluxd, withoutTime } from "../support/run-fluxd.ts";

const { version } = packageJson;

/** A repository that is there, reached without a key, and of which these tests need nothing. */
const someUrl = "--git-url=http://127.0.0.1:9/none.git";

describe("fluxd with flags that are wrong", () => {
  it("ends with 2, the error, and the usage where one can't be read", async () => {
    const { code, stdout, stderr } = await runFluxd(["--sync-interval", "soon"]);

    assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
    assert.match(
      stderr,
      /^Error: invalid argument "soon" for "--sync-interval" flag: time: invalid duration "soon"\n\nDESCRIPTION\n/,
    );
  });

  it("ends with 1, says what to do, and leaves nothing behind where one must not be passed over", async () => {
    const ended = await runFluxd(["--sync-timeout=-1s", someUrl]);

    assert.deepEqual(
      { code: ended.code, stdout: ended.stdout, lastLine: ended.lastLine },
      { code: 1, stdout: "", lastLine: 'err="--sync-timeout must be longer than 0s"' },
    );
    assert.match(ended.stderr, new RegExp(`^ts=\\S+ caller=main version=${version}\n`));
    assert.deepEqual(ended.leftovers, []);
  });
});

describe("flags without effect", () => {
  it("are told once, in one line for each reason", async () => {
    const { stderr } = await runFluxd([
      someUrl,
      "--kubernetes-kubectl=/bin/kubectl",
      "--git-label=mark",
      "--git-sync-tag=tag",
    ]);

    assert.deepEqual(stderr.trimEnd().split("\n").map(withoutTime).slice(1, -1), [
      "overridden=git-sync-tag value=mark",
      `info="ignoring flags for programs that Weir doesn't use" flags=--kubernetes-kubectl`,
    ]);
  });
});

describe("a kubeconfig that is of no use", () => {
  it("ends fluxd with 1, the file, and what to do, but no secret", async () => {
    using folder = new TempFolder();
    const path = folder.write(
      "no-url",
      `current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "ftp://x"}}]
users: [{name: u, user: {token: c4n4ry-t0k3n}}]
`,
    );

    const { code, lastLine, stderr } = await runFluxd([someUrl], { KUBECONFIG: path });

    assert.equal(code, 1);
    assert.equal(
      lastLine,
      `err="cannot determine which cluster to sync: cluster \\"c\\": server must be an http or https URL, such as https://host:6443 (looked in ${path}); set KUBECONFIG to a valid kubeconfig file"`,
    );
    assert.doesNotMatch(stderr, /c4n4ry-t0k3n/);
  });
});

describe("which cluster", () => {
  const folder = new TempFolder();
  let embedded: EmbeddedCluster;
  before(async () => {
    embedded = await startEmbeddedCluster();
  });
  after(async () => {
    await embedded.stop();
    folder[Symbol.dispose]();
  });

  /** A file with the cluster's kubeconfig. */
  const reaching = (name: string): string => folder.write(name, embedded.kubeconfig);

  /** A file with a kubeconfig for a cluster that nobody runs. */
  const leadingNowhere = (name: string): string =>
    folder.write(name, embedded.kubeconfig.replace(embedded.url, "https://127.0.0.1:9"));

  for (const [what, env] of [
    [
      "the one of ~/.kube/config before the one of KUBECONFIG, as in Flux v1",
      () => {
        reaching(join(".kube", "config"));
        return { HOME: folder.path, KUBECONFIG: leadingNowhere("variable") };
      },
    ],
    [
      "the first that the files of KUBECONFIG name, those that are not there passed over",
      () => ({ KUBECONFIG: `/no/such/file:${reaching("first")}:${leadingNowhere("second")}` }),
    ],
  ] as const) {
    it(`is ${what}`, async () => {
      const { stderr } = await runFluxd([someUrl, "--listen=nonsense"], env());

      assert.ok(stderr.includes(` host=${embedded.url} version=kubernetes-v`), stderr);
    });
  }

  it("does not name the namespace of manifests that name none: KUBECONFIG does, as in Flux v1", async () => {
    const variable = folder.write(
      "namespace-only",
      "current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u, namespace: from-variable}}]",
    );
    await using kube = new KubeEyes(embedded.url, embedded.token);
    await kube.create("/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "from-variable" },
    });
    await using repository = await TestRepository.create({
      "a.yaml": configMap("homeless").replace("  namespace: default\n", ""),
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: reaching("flag"),
      env: { KUBECONFIG: variable },
    });

    await fluxd.synced(repository);

    assert.ok(await kube.get(configMapPath("homeless", "from-variable")));
  });

  it("may be fine while KUBECONFIG is not: that file is named, and the flag that does without it", async () => {
    const broken = folder.write("broken", "{");
    const args = [someUrl, `--kube-config=${reaching("flag")}`, "--listen=nonsense"];

    const refused = await runFluxd(args, { KUBECONFIG: broken });
    const fine = await runFluxd([...args, "--k8s-default-namespace=x"], { KUBECONFIG: broken });

    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /err="cannot determine the default namespace for manifests: kubeconfig \S+\/broken is not valid YAML.*; fix the file, or set --k8s-default-namespace"\n/,
    );
    assert.match(fine.stderr, /err="cannot listen on nonsense: /, "the start got further");
  });

  it("may refuse us: told once, with its words and without ours", async () => {
    const status = { kind: "Status", code: 401, reason: "Unauthorized", message: "Unauthorized" };
    await using server = await serve((_request, response) => answer(response, { status: 401, body: status }));
    const { url } = server;
    const canary = "c4n4ry-t0k3n";
    const kubeconfigPath = folder.write(
      "wrong-token",
      `current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: "${url}"}}]\nusers: [{name: u, user: {token: ${canary}}}]\n`,
    );
    await using fluxd = await Fluxd.start({ gitUrl: "http://127.0.0.1:9/none.git", kubeconfigPath });

    await fluxd.logged(`err="the API server ${url} is not available yet, retrying: Unauthorized"`);
    const { code } = await fluxd.stop("SIGINT");

    assert.equal(code, 0);
    assert.equal(fluxd.log.match(/is not available yet/g)?.length, 1);
    assert.doesNotMatch(fluxd.log, new RegExp(canary));
  });
});

describe("the listeners", () => {
  const embedded = ["--embedded-cluster", "--registry-disable-scanning", someUrl];
  let taken: Server;
  let port = 0;
  before(async () => {
    taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
  });
  after(() => taken.close());

  it("end fluxd with 1 where a port is in use, and leave nothing behind", async () => {
    const ended = await runFluxd([...embedded, "--listen=127.0.0.1:0", `--listen-metrics=127.0.0.1:${port}`]);

    assert.equal(ended.code, 1);
    assert.match(
      ended.stderr,
      new RegExp(
        `err="cannot listen on 127\\.0\\.0\\.1:${port}: another program listens there; choose another address with --listen, --listen-metrics or --listen-webhooks"\n`,
      ),
    );
    assert.deepEqual(ended.leftovers, []);
  });

  it("take the metrics away from the API with --listen-metrics", async () => {
    await using fluxd = await Fluxd.start({
      gitUrl: "http://127.0.0.1:9/none.git",
      flags: ["--embedded-cluster", "--listen-metrics=127.0.0.1:0"],
    });
    await fluxd.logged("metrics-addr=127.0.0.1:0");

    assert.equal((await fetch(`${fluxd.baseUrl}/metrics`)).status, 404);
    assert.equal((await fetch(`${fluxd.apiUrl}/v11/ping`)).status, 204);
  });
});

describe("the log", () => {
  it("is one JSON object a line with --log-format=json, keys sorted, after what flags are deprecated", async () => {
    const { stderr } = await runFluxd([
      "--log-format=json",
      "--k8s-in-cluster",
      "--git-readonly",
      someUrl,
      "--kube-config=/no/such/file",
    ]);
    const [first, second, ...lines] = stderr.trimEnd().split("\n");

    assert.equal(first, "Flag --k8s-in-cluster has been deprecated, No longer used");
    assert.equal(
      second,
      "Flag --kube-config has been deprecated, Please use the KUBECONFIG environment variable instead",
    );
    assert.ok(lines.length > 3);
    for (const line of lines) {
      const keys = Object.keys(JSON.parse(line) as Record<string, unknown>);
      assert.deepEqual(keys, keys.toSorted());
      assert.ok(keys.includes("ts") && keys.includes("caller"), line);
    }
    assert.match(lines[0] ?? "", /^\{"caller":"main","ts":"\d{4}-\d\d-\d\dT[\d:.]+Z","version":"/);
  });

  it("tells of a branch that does not exist", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("no-branch") });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      flags: ["--embedded-cluster", "--git-branch=nonsense"],
    });

    await fluxd.logged(
      `url=${repository.url} status=cloned err="configured branch 'nonsense' does not exist"`,
    );
    assert.equal(fluxd.log.match(/'nonsense' does not exist/g)?.length, 1);
  });
});

describe("SIGINT", () => {
  it("ends a fluxd that works, with 0", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("interrupted") });
    await using fluxd = await Fluxd.start({ gitUrl: repository.url, flags: ["--embedded-cluster"] });
    await fluxd.synced(repository);

    const ended = await fluxd.stop("SIGINT");

    assert.deepEqual(ended, { code: 0, signal: null });
    assert.match(fluxd.log, /caller=main exiting="received SIGINT"\n$/);
  });

  it("ends one that still waits for its API server, with 0", async () => {
    using folder = new TempFolder();
    const kubeconfigPath = folder.write(
      "nobody",
      'current-context: c\ncontexts: [{name: c, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: "http://127.0.0.1:9"}}]\n',
    );
    await using fluxd = await Fluxd.start({ gitUrl: "http://127.0.0.1:9/none.git", kubeconfigPath });
    await fluxd.logged("the API server http://127.0.0.1:9 is not available yet");

    const ended = await fluxd.stop("SIGINT");

    assert.deepEqual(ended, { code: 0, signal: null });
    assert.match(fluxd.log, /caller=main exiting="received SIGINT"\n$/);
  });
});
