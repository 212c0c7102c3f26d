import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import {
  type BorrowedControlPlane,
  borrowControlPlane,
  deploymentPath,
  Kubectl,
  KubeEyes,
  lacks,
  makeNamespace,
  TempFolder,
  until,
} from "@weir/testing";
import { parseAllDocuments } from "yaml";
import { exportToFlux2 } from "../../../src/switching/flux2/export.ts";
import type { ExportedWorkload } from "../../../src/switching/flux2/install.ts";
import { defineFlux2 } from "../../support/flux2-definitions.ts";
import { exportedInstall, exportedWorkload, fluxDeployment } from "../../support/flux2-install.ts";
import { type FluxctlResult, runFluxctl } from "../../support/fluxctl.ts";
import { Fluxd } from "../../support/fluxd.ts";
import { automatedDeployment, deployment } from "../../support/manifests.ts";
import { lacksDefinitions } from "../../support/module-definitions.ts";
import { pushImage } from "../../support/registry-push.ts";
import { RegistryServer } from "../../support/registry-server.ts";
import { TestRepository } from "../../support/repository.ts";

describe("fluxctl export --for=flux2", { skip: lacksDefinitions() }, () => {
  let cluster: BorrowedControlPlane;
  let kube: KubeEyes;
  before(async () => {
    cluster = await borrowControlPlane();
    kube = new KubeEyes(cluster.url, cluster.token);
    await defineFlux2(kube);
  });
  after(async () => {
    await kube[Symbol.asyncDispose]();
    await cluster.stop();
  });

  const automated = { automated: "true" };
  const installs: readonly (readonly [title: string, args: string, ...ExportedWorkload[]])[] = [
    ["with defaults", "--git-url=git@github.com:org/shop"],
    [
      "with all that has a field",
      "--git-url=ssh://git@example.com:2222/org/shop --git-branch=on --git-path=a,b/c --git-poll-interval=1m30s --git-timeout=2h " +
        "--git-verify-signatures-mode=all --git-signing-key=A --git-gpg-key-import=/k --sops --git-ci-skip --git-set-author " +
        "--sync-interval=500ms --sync-timeout=1h1m --sync-garbage-collection --registry-insecure-host=example.test --automation-interval=1m",
      exportedWorkload({ policies: automated, tags: ["1", "2"], pullSecrets: ["one", "two"] }),
    ],
    [
      "with a password in the URL",
      "--git-url=https://$(GIT_USER):$(GIT_KEY)@example.com/org/shop.git --git-readonly --sops",
    ],
    [
      "with every kind of tag pattern",
      "--git-url=git@github.com:org/Shop_1.git",
      exportedWorkload({ id: "a:deployment/one", policies: automated, tags: ["1", "2"] }),
      exportedWorkload({ id: "a:statefulset/two", policies: automated, tags: ["b", "a"] }),
      exportedWorkload({
        id: "a:daemonset/three",
        policies: { ...automated, "tag.main": "semver:>=1.0 <2" },
      }),
      exportedWorkload({ id: "a:cronjob/four", policies: { ...automated, "tag.main": "regexp:^v\\d+$" } }),
      exportedWorkload({ id: "a:deployment/five", policies: { ...automated, "tag.main": "glob:a*b*c" } }),
      exportedWorkload({
        id: "a:deployment/six.six",
        policies: automated,
        image: "1.dkr.ecr.us-east-1.amazonaws.com/x:1",
      }),
    ],
  ];
  for (const [title, args, ...workloads] of installs) {
    it(`writes objects that Flux v2 takes, ${title}`, async () => {
      const namespace = await makeNamespace(kube);

      const { objects } = exportToFlux2(exportedInstall(args.split(" "), workloads), {
        namespace,
        gitUrl: "",
      });

      for (const { object } of objects) {
        await createStrictly(kube, object);
      }
    });
  }

  describe("of a running install", { skip: lacks("docker-registry") }, () => {
    let registry: RegistryServer;
    let repository: TestRepository;
    let fluxd: Fluxd;
    before(async () => {
      registry = await RegistryServer.start();
      const push = (repo: string, tag: string, day: number): Promise<unknown> =>
        pushImage(
          { url: registry.url },
          { repository: repo, tag, created: `2020-06-${String(day).padStart(2, "0")}T08:00:00Z` },
        );
      await push("shop/web", "master-9", 1);
      await push("shop/web", "master-10", 2);
      await push("shop/api", "c0ffee", 1);
      await push("shop/api", "b0b", 2);
      const image = (name: string): string => `${registry.host}/shop/${name}`;
      repository = await TestRepository.create({
        "web.yaml": automatedDeployment("web", image("web:master-10"), "glob:master-*").replace(
          "      containers:",
          "      imagePullSecrets:\n        - name: regcred\n      containers:",
        ),
        "api.yaml": automatedDeployment("api", image("api:b0b"), "glob:*"),
        "locked.yaml": deployment("locked", image("web:master-9")).replace(
          "metadata:\n",
          'metadata:\n  annotations:\n    fluxcd.io/locked: "true"\n    fluxcd.io/locked_msg: not yet\n',
        ),
      });
      fluxd = await Fluxd.start({
        gitUrl: repository.url,
        kubeconfigPath: cluster.kubeconfigPath,
        flags: [
          "--registry-disable-scanning=false",
          `--registry-insecure-host=${registry.host}`,
          "--memcached-service=",
          "--memcached-hostname=",
        ],
      });
      await fluxd.synced(repository);
      await fluxd.notifyImage(registry.host, "shop/web");
      await fluxd.notifyImage(registry.host, "shop/api");
      await until("the scan", async () => {
        const { stdout } = await fluxctl("list-images", "-n", "default");
        return stdout.includes("master-9") && stdout.includes("c0ffee");
      });
      await kube.create("/api/v1/namespaces", {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: "flux" },
      });
      await kube.create(
        "/apis/apps/v1/namespaces/flux/deployments",
        fluxDeployment([
          "--git-url=git@git.example.com:org/shop",
          "--git-branch=main",
          "--sync-garbage-collection",
          `--registry-insecure-host=${registry.host}`,
        ]),
      );
    });
    after(async () => {
      await fluxd[Symbol.asyncDispose]();
      await repository[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
    });

    function fluxctl(...args: readonly string[]): Promise<FluxctlResult> {
      return runFluxctl([...args, `--url=${fluxd.apiUrl}`], { KUBECONFIG: cluster.kubeconfigPath });
    }

    function exportFlux2(...args: readonly string[]): Promise<FluxctlResult> {
      return fluxctl("export", "--for=flux2", "--k8s-fwd-ns=flux", ...args);
    }

    it("writes objects that Flux v2 takes, and changes nothing itself", async () => {
      const namespace = await makeNamespace(kube);
      const head = await repository.upstream("rev-parse", "master");

      const { exit, stdout, stderr } = await exportFlux2(`--namespace=${namespace}`);

      assert.deepEqual([exit, stderr], [0, ""]);
      for (const object of objectsIn(stdout)) {
        await createStrictly(kube, object);
      }
      assert.equal(await repository.upstream("rev-parse", "master"), head);
      assert.equal((await kube.get(deploymentPath("flux", "flux")))?.metadata.generation, 1);
    });

    it("writes YAML that kubectl reads as it is meant", { skip: lacks("kubectl") }, async () => {
      const namespace = await makeNamespace(kube);
      await using kubectl = await Kubectl.for("");
      const { stdout } = await exportFlux2(`--namespace=${namespace}`);

      const created = await kubectl.run(
        [`--kubeconfig=${cluster.kubeconfigPath}`, "create", "-o", "name", "-f", "-"],
        stdout,
      );

      assert.deepEqual(created, {
        exit: 0,
        stderr: "",
        stdout: `gitrepository.source.toolkit.fluxcd.io/shop
kustomization.kustomize.toolkit.fluxcd.io/shop
imagerepository.image.toolkit.fluxcd.io/shop-api
imagerepository.image.toolkit.fluxcd.io/shop-web
imagepolicy.image.toolkit.fluxcd.io/default-api-main
imagepolicy.image.toolkit.fluxcd.io/default-web-main
imageupdateautomation.image.toolkit.fluxcd.io/shop
`,
      });
    });

    it("carries over what the daemon and the cluster know", async () => {
      const objects = objectsIn((await exportFlux2()).stdout);

      const specs = new Map(
        objects.map(({ kind, metadata, spec }) => [`${kind}/${metadata.name ?? ""}`, spec]),
      );
      assert.deepEqual(specs.get("GitRepository/shop"), {
        interval: "5m",
        timeout: "1m",
        url: "ssh://git@git.example.com/org/shop",
        ref: { branch: "main" },
        secretRef: { name: "shop-git-auth" },
      });
      assert.deepEqual(specs.get("ImageRepository/shop-web"), {
        image: `${registry.host}/shop/web`,
        interval: "5m",
        secretRef: { name: "regcred" },
        insecure: true,
      });
      assert.deepEqual(specs.get("ImagePolicy/default-web-main"), {
        imageRepositoryRef: { name: "shop-web" },
        filterTags: { pattern: "^master-(?P<part>[0-9]+)$", extract: "$part" },
        policy: { numerical: { order: "asc" } },
      });
      assert.deepEqual(specs.get("ImagePolicy/default-api-main"), {
        suspend: true,
        imageRepositoryRef: { name: "shop-api" },
        policy: { alphabetical: { order: "asc" } },
      });
    });

    it("prints the locks and the markers", async () => {
      const { stdout } = await exportFlux2();

      assert.match(stdout, /^# - default:deployment\/locked: locked \(not yet\); Flux v2 has no locks\.$/m);
      assert.ok(
        stdout.includes(
          `#     image: ${registry.host}/shop/web:master-10 # {"$imagepolicy": "flux-system:default-web-main"}\n`,
        ),
        stdout,
      );
    });

    it("writes the same objects as JSON, and the notes to stderr", async () => {
      const yaml = await exportFlux2();

      const { exit, stdout, stderr } = await exportFlux2("-o", "json");

      const list = JSON.parse(stdout) as { readonly kind: string; readonly items: readonly KubeObject[] };
      assert.deepEqual([exit, list.kind, list.items], [0, "List", objectsIn(yaml.stdout)]);
      assert.match(stderr, /^Not carried over:$/m);
    });

    it("adds the markers to a checkout only with --write", async () => {
      using folder = new TempFolder();
      const original = await repository.upstream("show", "master:web.yaml");
      const path = folder.write("web.yaml", `${original}\n`);
      folder.write("locked.yaml", await repository.upstream("show", "master:locked.yaml"));

      const shown = await exportFlux2(`--mark=${folder.path}`);
      const unchanged = await readFile(path, "utf8");
      const written = await exportFlux2(`--mark=${folder.path}`, "--write");
      const again = await exportFlux2(`--mark=${folder.path}`, "--write");

      const comment = '# {"$imagepolicy": "flux-system:default-web-main"}';
      const missing =
        'default:deployment/api main: no manifest found for # {"$imagepolicy": "flux-system:default-api-main"}\n';
      const place = /^web\.yaml:\d+: default:deployment\/web main: added\n/;
      assert.deepEqual([shown.exit, shown.stdout.replace(place, "")], [1, missing]);
      assert.match(
        shown.stderr,
        /^Would add 1 marker to 1 file\. To write them, use --write\. Add 1 marker by hand\.$/m,
      );
      assert.equal(unchanged, `${original}\n`);
      assert.equal(written.stdout, shown.stdout);
      const text = await readFile(path, "utf8");
      assert.ok(text.includes(`/shop/web:master-10 ${comment}\n`), text);
      assert.equal(text.replace(` ${comment}`, ""), `${original}\n`);
      assert.match(again.stdout, /^web\.yaml:\d+: default:deployment\/web main: there already\n/);
      assert.equal(await readFile(path, "utf8"), text);
    });

    it("fails if it can't find fluxd, and names the namespace", async () => {
      const { exit, stdout, stderr } = await fluxctl("export", "--for=flux2", "--k8s-fwd-labels=app=nope");

      assert.deepEqual([exit, stdout], [1, ""]);
      assert.match(stderr, /namespace default has no Deployment that runs fluxd/);
    });

    it("says which flag helps if Flux v2 can't fetch from the repository", async () => {
      await kube.create("/apis/apps/v1/namespaces/default/deployments", {
        ...fluxDeployment([`--git-url=${repository.url}`]),
        metadata: { name: "other-flux", namespace: "default" },
      });

      const refused = await fluxctl("export", "--for=flux2", "--deployment=other-flux");
      const exported = await fluxctl(
        "export",
        "--for=flux2",
        "--deployment=other-flux",
        "--git-url=https://example.com/org/shop",
      );

      assert.deepEqual([refused.exit, refused.stdout], [1, ""]);
      assert.match(refused.stderr, /Flux v2 cannot fetch from a git URL that starts with file:/);
      assert.equal(exported.exit, 0, exported.stderr);
    });
  });

  it("refuses to write without a checkout", async () => {
    const { exit, stderr } = await runFluxctl(["export", "--for=flux2", "--write"]);

    assert.equal(exit, 1);
    assert.match(stderr, /--write requires --mark/);
  });
});

const plurals: Readonly<Record<string, string>> = {
  GitRepository: "gitrepositories",
  Kustomization: "kustomizations",
  ImageRepository: "imagerepositories",
  ImagePolicy: "imagepolicies",
  ImageUpdateAutomation: "imageupdateautomations",
};

/** The API server refuses a field that isn't in the schema. */
async function createStrictly(
  kube: KubeEyes,
  { apiVersion, kind, metadata, ...rest }: KubeObject,
): Promise<void> {
  const path = `/apis/${apiVersion}/namespaces/${metadata.namespace ?? ""}/${plurals[kind] ?? kind}`;
  await kube.create(`${path}?fieldValidation=Strict`, { apiVersion, kind, metadata, ...rest });
}

function objectsIn(text: string): readonly KubeObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const value = document.toJS() as KubeObject | null;
    return value === null ? [] : [value];
  });
}
