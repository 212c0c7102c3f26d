import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { JsonReader, type JsonValue } from "@weir/base";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import {
  type BorrowedControlPlane,
  borrowControlPlane,
  configMapPath,
  Kubectl,
  KubeEyes,
  lacks,
  serve,
  TempFolder,
} from "@weir/testing";
import { appliedByFlux } from "../../support/applied-by-flux.ts";
import {
  chartInstall,
  deployFolderInstall,
  type FluxInstall,
  fluxctlInstall,
  kustomizedInstall,
} from "../../support/flux-installs.ts";
import { type FluxctlResult, runFluxctl } from "../../support/fluxctl.ts";
import { configMap, deployment, namespace } from "../../support/manifests.ts";
import { type RecordedRequest, RecordingProxy } from "../../support/recording-proxy.ts";
import { TestRepository } from "../../support/repository.ts";

const never = new AbortController().signal;

const files = {
  "shop.yaml": namespace("shop"),
  "front.yaml": configMap("front", "v1", "shop"),
  "back.yaml": deployment("back"),
};

/** Goes to the namespace that fluxd's kubeconfig sets. */
const homeless = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: homeless\n";

/** The shapes of installs, each with the command that switches it. */
const shapes: readonly (readonly [
  name: string,
  install: (gitUrl: string) => FluxInstall,
  switching: RegExp,
])[] = [
  [
    "the chart with common values",
    (url) =>
      chartInstall({
        release: "gitops",
        namespace: "gitops",
        git: { url, secretName: "deploy-key", ciSkip: true, label: "flux-prod" },
        ssh: { knownHosts: "git.example.test ssh-ed25519 AAAA" },
        registry: { dockerConfigSecret: "registries" },
        syncGarbageCollection: { enabled: true },
        extraEnvs: [{ name: "AWS_REGION", value: "eu-west-1" }],
        envSecretName: "cloud",
      }),
    /helm upgrade gitops fluxcd\/flux --version 1\.13\.3 --namespace gitops /,
  ],
  [
    "the manifests of fluxctl install",
    (gitUrl) => fluxctlInstall({ gitUrl, gitEmail: "flux@example.test", namespace: "default" }),
    /kubectl -n default set image deployment\/flux flux=docker\.io\/\S+\n/,
  ],
  [
    "the deploy folder through kustomize",
    (gitUrl) => kustomizedInstall({ gitUrl, gitUser: "dev", namespace: "fluxcd", gitPaths: ["."] }),
    /kubectl -n fluxcd set image deployment\/flux flux=docker\.io\/\S+\n/,
  ],
];

describe("fluxctl takeover", { skip: lacks("Go") || lacks("kubectl") }, () => {
  const folder = new TempFolder();
  let plane: BorrowedControlPlane;
  let kube: KubeEyes;
  let kubectl: Kubectl;
  let proxy: RecordingProxy;
  before(async () => {
    plane = await borrowControlPlane();
    kube = new KubeEyes(plane.url, plane.token);
    proxy = await RecordingProxy.start(plane);
    kubectl = await Kubectl.for(proxy.kubeconfig);
  });
  after(async () => {
    await kubectl[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await kube[Symbol.asyncDispose]();
    await plane.stop();
    folder[Symbol.dispose]();
  });

  async function apply(objects: readonly object[]): Promise<void> {
    const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
    const { exit, stderr } = await kubectl.run(["apply", "-f", "-"], list);
    assert.equal(exit, 0, stderr);
  }

  async function remove(objects: readonly object[]): Promise<void> {
    const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
    await kubectl.run(["delete", "--wait=false", "--ignore-not-found", "-f", "-"], list);
  }

  /** Applies the manifests of a repository as Flux does. */
  async function syncByFlux({ url, workTree }: TestRepository, options = {}): Promise<void> {
    const client = createRestClient({
      credentials: await loadKubeConfig({ kubeconfig: plane.kubeconfigPath, env: {} }),
      userAgent: "test",
    });
    try {
      await apply(await appliedByFlux({ root: workTree, gitUrl: url, ...options }, client, never));
    } finally {
      await client.close();
    }
  }

  /** An install and its repository; both are removed at the end. */
  async function running(
    stack: AsyncDisposableStack,
    install: (gitUrl: string) => FluxInstall,
    given: Readonly<Record<string, string>> = files,
  ): Promise<{ repository: TestRepository; installed: FluxInstall }> {
    const repository = stack.use(await TestRepository.create(given));
    const installed = install(repository.url);
    const home = { apiVersion: "v1", kind: "Namespace", metadata: { name: installed.namespace } };
    await apply([home]);
    await apply(installed.objects);
    stack.defer(() => remove(installed.objects.filter(({ kind }) => kind !== "Namespace")));
    return { repository, installed };
  }

  function takeover(installed: FluxInstall, ...flags: readonly string[]): Promise<FluxctlResult> {
    proxy.requests.splice(0);
    const KUBECONFIG = folder.write("kubeconfig", proxy.kubeconfig);
    return runFluxctl(["takeover", `--k8s-fwd-ns=${installed.namespace}`, ...flags], {
      KUBECONFIG,
      HOME: folder.path,
    });
  }

  for (const [name, install, switching] of shapes) {
    it(`finds nothing to change under ${name}, and asks nothing but questions`, async () => {
      await using stack = new AsyncDisposableStack();
      const { repository, installed } = await running(stack, install);
      const paths = installed.namespace === "fluxcd" ? { paths: ["."] } : {};
      await syncByFlux(repository, paths);
      const generates = installed.namespace === "fluxcd" ? ["--run-generators"] : [];

      const { exit, stdout, stderr } = await takeover(installed, ...generates);

      assert.equal(stderr, "");
      assert.match(stdout, /\n0 of 3 objects would change at commit [0-9a-f]{7} of file:/);
      assert.match(stdout, /passed {3}permissions +fluxd has full access to the cluster/);
      assert.match(stdout, switching);
      assert.match(stdout, /roll back:\n.*(fluxcd\/flux:1\.25\.4|image\.tag=1\.25\.4)/);
      assert.equal(exit, 0, stdout);
      assert.deepEqual(proxy.requests.filter(isWrite), []);
      assert.deepEqual(proxy.requests.filter(readsSecrets), []);
    });
  }

  it("tells each difference, in patches too, and leaves it as it is", async () => {
    await using stack = new AsyncDisposableStack();
    const { repository, installed } = await running(stack, (url) =>
      chartInstall({
        release: "drift",
        namespace: "drift",
        git: { url },
        syncGarbageCollection: { enabled: true },
      }),
    );
    await repository.push({ "gone.yaml": configMap("gone") }, "add one that will go");
    await syncByFlux(repository);
    const changed = {
      "front.yaml": configMap("front", "v2", "shop"),
      "new.yaml": configMap("new"),
      "gone.yaml": null,
    };
    await repository.push(changed, "change some");
    await kube.patch(configMapPath("front", "shop"), { data: { other: "kept" } });

    const { exit, stdout } = await takeover(installed);
    const json = JSON.parse((await takeover(installed, "-o", "json")).stdout) as JsonValue;
    const patches = await takeover(installed, "-o", "diff");

    assert.equal(exit, 1);
    assert.match(stdout, /\n3 of 4 objects would change/);
    assert.deepEqual(changesIn(json), [
      "change shop:configmap/front",
      "create default:configmap/new",
      "delete default:configmap/gone",
    ]);
    assert.match(patches.stdout, /\n- {2}key: v1\n\+ {2}key: v2\n/);
    assert.deepEqual(proxy.requests.filter(isWrite), []);
    const front = await kube.get(configMapPath("front", "shop"));
    assert.deepEqual(
      [front?.data, await kube.get(configMapPath("new")), (await kube.get(configMapPath("gone")))?.kind],
      [{ key: "v1", other: "kept" }, undefined, "ConfigMap"],
    );
    await kube.delete(configMapPath("gone"));
  });

  it("names what is missing, and never the value of an argument that may be a secret", async () => {
    await using stack = new AsyncDisposableStack();
    const { repository, installed } = await running(stack, () =>
      chartInstall({
        release: "lacking",
        namespace: "lacking",
        git: {
          url: "ssh://git@git.example.test:7999/org/repo",
          secretName: "deploy-key",
          verifySignaturesMode: "all",
          secret: true,
        },
        gpgKeys: { secretName: "gpg" },
        clusterRole: { create: false },
        token: "c4n4ry-token",
      }),
    );

    const { exit, stdout } = await takeover(installed, `--source=${repository.bare}`);
    const json = await takeover(installed, `--source=${repository.bare}`, "-o", "json");

    assert.equal(exit, 1, stdout);
    assert.match(stdout, /passed +flags +Weir supports all flags of this Deployment/);
    assert.match(stdout, /decrypts files in git \(--sops or --git-secret\), which this command can't do/);
    assert.match(
      stdout,
      /failed +host keys +Weir's image has no host key for \[git\.example\.test\]:7999, .*\n.*ssh-keyscan -p 7999 git\.example\.test/,
    );
    assert.match(stdout, /\nSecrets: +deploy-key, gpg\n/);
    assert.ok(!`${stdout}${json.stdout}`.includes("c4n4ry"));
  });

  it("goes by the namespaces that fluxd is kept to, and by the one of its kubeconfig", async () => {
    await using stack = new AsyncDisposableStack();
    const { repository, installed } = await running(
      stack,
      (url) =>
        chartInstall({
          release: "narrow",
          namespace: "narrow",
          git: { url },
          clusterRole: { create: false },
        }),
      {
        "own.yaml": configMap("own", "v1", "narrow"),
        "other.yaml": configMap("other"),
        "homeless.yaml": homeless,
      },
    );
    await syncByFlux(repository, { defaultNamespace: "narrow" });
    const enough = await takeover(installed);
    await kube.delete(`/apis/rbac.authorization.k8s.io/v1/namespaces/narrow/rolebindings/narrow-flux`);

    const lacking = await takeover(installed);

    assert.match(
      enough.stdout,
      /passed +permissions +fluxd has the permissions that it needs to sync, in narrow/,
    );
    assert.match(enough.stdout, /\n0 of 3 objects would change/);
    assert.match(enough.stdout, /leave +default:configmap\/other +excluded by namespace constraints/);
    assert.match(
      lacking.stdout,
      /failed +permissions +fluxd doesn't have permission to get, create, patch configmaps in narrow;/,
    );
    assert.deepEqual([enough.exit, lacking.exit], [0, 1]);
  });

  it("runs generators only when it is told to", async () => {
    await using stack = new AsyncDisposableStack();
    const config =
      "version: 1\npatchUpdated:\n  generators: [{ command: env cat made.txt }]\n  patchFile: p.yaml\n";
    const { installed } = await running(
      stack,
      (gitUrl) => kustomizedInstall({ gitUrl, gitUser: "dev", namespace: "generating", gitPaths: ["."] }),
      { ".flux.yaml": config, "made.txt": configMap("made") },
    );

    const untold = await takeover(installed);
    const told = await takeover(installed, "--run-generators", "-o", "json");

    assert.match(untold.stdout, /warning +generators +the \.flux\.yaml files run env\n.*command -v env/);
    assert.match(
      untold.stdout,
      /Not compared with git: fluxd runs with --manifest-generation,.*\n.*--run-generators/,
    );
    assert.deepEqual(changesIn(JSON.parse(told.stdout) as JsonValue), ["create default:configmap/made"]);
    assert.deepEqual([untold.exit, told.exit], [1, 1]);
  });

  it("needs to be told a git URL that comes from a Secret, without its password", async () => {
    await using stack = new AsyncDisposableStack();
    const { repository, installed } = await running(stack, () =>
      deployFolderInstall({
        gitUrl: "https://$(GIT_AUTHUSER):$(GIT_AUTHKEY)@git.example.test/org/repo",
        gitAuthSecret: "flux-git-auth",
      }),
    );
    const gitUrl = "https://robot@git.example.test/org/repo";
    await syncByFlux(repository, { gitUrl });

    const untold = await takeover(installed, `--source=${repository.bare}`);
    const told = await takeover(installed, `--source=${repository.workTree}`, `--git-url=${gitUrl}`);

    assert.match(untold.stdout, /Not compared with git: .* doesn't read Secrets\n.*--git-url/);
    assert.match(told.stdout, /\n0 of 3 objects would change/);
    assert.match(told.stdout, /\nSecrets: +flux-git-deploy, flux-git-auth\n/);
    assert.deepEqual([untold.exit, told.exit], [1, 0]);
  });

  it("neither shows nor uses the credentials in the git URL", async () => {
    await using stack = new AsyncDisposableStack();
    const authorizations: string[] = [];
    const git = stack.use(
      await serve(({ headers }, response) => {
        authorizations.push(...(headers.authorization === undefined ? [] : [headers.authorization]));
        response.writeHead(401, { "www-authenticate": "Basic" }).end();
      }),
    );
    const { installed } = await running(stack, () =>
      fluxctlInstall({
        gitUrl: git.url.replace("//", "//jo:c4n4ry@"),
        gitEmail: "a@example.test",
        namespace: "password",
      }),
    );

    const { exit, stdout, stderr } = await takeover(installed);

    assert.equal(exit, 2);
    assert.ok(git.asked.length > 0);
    assert.deepEqual(authorizations, []);
    assert.ok(!`${stdout}${stderr}`.includes("c4n4ry"), stdout);
  });

  it("says where Flux is, where it looked in vain, and where git cannot be read", async () => {
    await using stack = new AsyncDisposableStack();
    const { installed } = await running(stack, () =>
      fluxctlInstall({ gitUrl: "file:///nowhere", gitEmail: "a@example.test", namespace: "elsewhere" }),
    );

    const none = await takeover({ ...installed, namespace: "kube-public" });
    const unread = await takeover(installed);

    assert.deepEqual([none.exit, none.stdout], [2, ""]);
    assert.match(none.stderr, /namespace kube-public has no Deployment that runs fluxd/);
    assert.equal(unread.exit, 2);
    assert.match(unread.stdout, /Not compared with git: cannot read file:\/\/\/nowhere: .*\n.*--source/);
  });
});

/** Whether a request changes something; access reviews and dry runs don't. */
function isWrite({ method, path, query, body }: RecordedRequest): boolean {
  const isQuestion = method === "POST" && path.startsWith("/apis/authorization.k8s.io/");
  const isDry = query.get("dryRun") === "All" || (method === "DELETE" && body.includes('"dryRun":["All"]'));
  return method !== "GET" && !isQuestion && !isDry;
}

/** Whether a request reads the contents of Secrets; listing their metadata is fine. */
function readsSecrets({ path, accept }: RecordedRequest): boolean {
  return /\/secrets(\/|$)/.test(path) && !accept.includes("as=PartialObjectMetadata");
}

function changesIn(report: JsonValue): readonly string[] {
  const changes = new JsonReader(report).object("comparison").list("changes", (value) => {
    const change = new JsonReader(value);
    return `${change.text("action")} ${change.text("id")}`;
  });
  return changes ?? [];
}
