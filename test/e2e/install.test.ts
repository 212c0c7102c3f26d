import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  answer,
  type BorrowedControlPlane,
  borrowControlPlane,
  configMapPath,
  dedent,
  Kubectl,
  KubeEyes,
  lacks,
  makeNamespace,
  TempFolder,
  until,
} from "@weir/testing";
import { runFluxctl } from "../support/fluxctl.ts";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { configMap } from "../support/manifests.ts";
import { serveRegistry } from "../support/registry-stand-in.ts";
import { TestRepository } from "../support/repository.ts";
import { kubeconfigOfAccount } from "../support/service-account.ts";

const repository = ["--git-url=git@example.test:org/repo", "--git-email=flux@example.test"];

describe("fluxctl install", () => {
  it("writes a file for each part where a folder is named", async () => {
    using folder = new TempFolder();

    const { exit, stdout, stderr } = await runFluxctl(["install", ...repository, "-o", folder.path]);

    const names = await readdir(folder.path);
    assert.deepEqual(
      [exit, stdout, names.toSorted()],
      [
        0,
        "",
        [
          "flux-account.yaml",
          "flux-deployment.yaml",
          "flux-secret.yaml",
          "memcache-dep.yaml",
          "memcache-svc.yaml",
        ],
      ],
    );
    assert.deepEqual(
      stderr.match(/^writing .*$/gm)?.toSorted(),
      names.toSorted().map((name) => `writing ${join(folder.path, name)}`),
    );
    const printed = await runFluxctl(["install", ...repository]);
    const written = await Promise.all(names.map((name) => readFile(join(folder.path, name), "utf8")));
    assert.deepEqual(documentsIn(printed.stdout), documentsIn(written.join("")));
  });

  it("writes nothing where there is no such folder", async () => {
    using folder = new TempFolder();
    const file = folder.write("file", "");

    for (const [path, message] of [
      [`${folder.path}/none`, `stat ${folder.path}/none: no such file or directory`],
      [file, `${file} is not a directory`],
    ] as const) {
      const { exit, stdout, stderr } = await runFluxctl(["install", ...repository, "-o", path]);

      assert.deepEqual(
        [exit, stdout, stderr],
        [1, "", `Error: ${message}\nRun 'fluxctl install --help' for usage.\n`],
      );
    }
  });

  it("is for the namespace of the kubeconfig's context where none is named", async () => {
    using folder = new TempFolder();
    const kubeconfig = {
      "current-context": "here",
      contexts: [{ name: "here", context: { cluster: "c", user: "u", namespace: "gitops" } }],
    };
    const env = { KUBECONFIG: folder.write("config", JSON.stringify(kubeconfig)) };

    const [found, named] = [
      await runFluxctl(["install", ...repository], env),
      await runFluxctl(["install", ...repository, "--namespace=flux"], env),
    ];

    assert.deepEqual(new Set(found.stdout.match(/(?<=^ +namespace: ).*/gm)), new Set(["gitops"]));
    assert.deepEqual(new Set(named.stdout.match(/(?<=^ +namespace: ).*/gm)), new Set(["flux"]));
  });

  it("warns of a password that would stand in the Deployment, without showing it on the screen", async () => {
    const { exit, stderr } = await runFluxctl([
      "install",
      "--git-url=https://jo:c4n4ry@example.test/r",
      "--git-email=a@example.test",
    ]);

    assert.equal(exit, 0);
    assert.match(stderr, /\nWarning: the Deployment contains the password from --git-url/);
    assert.ok(!stderr.includes("c4n4ry"));
  });
});

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

  it("permit with --least-privilege what fluxd needs, and no more", async () => {
    const [home, shop, web, closed] = await Promise.all([1, 2, 3, 4].map(() => makeNamespace(kube)));
    assert.ok(home && shop && web && closed);
    await apply(
      await documents(
        `--namespace=${home}`,
        "--least-privilege",
        `--k8s-allow-namespace=${shop},${web}`,
        "--grant=limitranges",
      ),
    );
    const can = async (verb: string, what: string, namespace: string, ...more: readonly string[]) => {
      const as = `--as=system:serviceaccount:${home}:flux`;
      return (await kubectl.run(["auth", "can-i", verb, what, "-n", namespace, as, ...more])).exit === 0;
    };
    await until("the Roles to count", async () => {
      const granted = [shop, web].map((each) => can("create", "limitranges", each));
      return (await Promise.all(granted)).every(Boolean);
    });
    await using registry = await serveRegistry(({ headers }, response) => {
      const isRefused = headers.authorization !== `Basic ${registryLogin}`;
      if (isRefused) {
        answer(response, {
          status: 401,
          body: {},
          headers: { "www-authenticate": 'Basic realm="a registry"' },
        });
      }
      return isRefused;
    });
    // There from the beginning, since images are looked for when fluxd starts, and then every minute.
    await apply(privateApp(shop, registry.host));
    await using git = await TestRepository.create({
      "config.yaml": configMap("app", "v1", web),
      "app.yaml": privateApp(shop, registry.host),
      "kinds.yaml": otherKinds(shop),
      "limits.yaml": `apiVersion: v1\nkind: LimitRange\nmetadata: {name: limits, namespace: ${shop}}\nspec: {limits: []}\n`,
      "quota.yaml": `apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: quota, namespace: ${shop}}\nspec: {}\n`,
    });
    await using fluxd = await Fluxd.start({
      gitUrl: git.url,
      kubeconfigPath: await kubeconfigOfAccount({ plane, kube, folder }, home),
      flags: [
        `--k8s-allow-namespace=${shop},${web}`,
        "--sync-garbage-collection",
        "--registry-disable-scanning=false",
        `--registry-insecure-host=${registry.host}`,
        "--memcached-hostname=",
      ],
    });
    await until("the first sync", async () => (await git.synced()) !== "");

    // What was granted is synced, what was not is told of; nothing else is refused.
    await fluxd.logged(`${shop}:resourcequota/quota: `);
    await fluxd.logged("not allowed to watch these kinds; they are skipped");
    const skipping = / they are skipped" kinds=.*/g;
    const [skipped = ""] = fluxd.log.match(skipping) ?? [];
    assert.doesNotMatch(
      skipped,
      /[=,](v1\/(ConfigMap|Secret|Service|Pod)|apps\/v1\/Deployment|batch\/v1\/Job)[, ]/,
    );
    const refused = fluxd.log
      .replaceAll(skipping, "")
      .matchAll(/User \\"system:serviceaccount:[^"]*" cannot \w+ resource \\"([\w-]+)/g);
    assert.deepEqual(new Set([...refused].map(([, kind]) => kind)), new Set(["resourcequotas"]));
    assert.deepEqual(fluxd.log.match(/(?<=err=".*)[\w-]+:\w+\/\w+(?=: )/g), [`${shop}:resourcequota/quota`]);
    assert.ok(await kube.get(`/api/v1/namespaces/${shop}/limitranges/limits`));
    assert.ok(await kube.get(`/apis/networking.k8s.io/v1/namespaces/${shop}/ingresses/app`));

    const listed = await fluxctl(fluxd, "list-workloads", "-a");
    assert.match(listed.stdout, new RegExp(`\n${shop}:deployment/app `));

    await until("the tags of a registry that wants the pull secret", async () => {
      const { stdout } = await fluxctl(fluxd, "list-images", "-w", `${shop}:deployment/app`);
      return /'-> 1 /.test(stdout);
    });

    await git.push({ "config.yaml": null, "kinds.yaml": null }, "remove files");
    const synced = await fluxctl(fluxd, "sync");
    assert.equal(synced.code, 0, synced.stderr);
    await until("the prune", async () => (await kube.get(configMapPath("app", web))) === undefined);
    assert.equal(await kube.get(`/apis/networking.k8s.io/v1/namespaces/${shop}/ingresses/app`), undefined);

    assert.equal(await can("patch", "secrets/flux-git-deploy", home), true);
    assert.equal(await can("get", "secrets/another", home), false);
    assert.equal(await can("create", "deployments", home), false);
    assert.equal(await can("get", "configmaps", closed), false);
    assert.equal(await can("create", "pods", shop, "--subresource=exec"), false);
    assert.equal(await can("create", "rolebindings", shop), false);
    assert.equal(await can("impersonate", "serviceaccounts", shop), false);
  });
});

/** In the order of their text. */
function documentsIn(text: string): readonly string[] {
  return text.split(/^(?=---$)/m).toSorted();
}

const registryLogin = Buffer.from("puller:c4n4ry").toString("base64");

/** A Deployment whose image is in a registry that asks for a login, and the pull secret that has it. */
function privateApp(namespace: string, registry: string): string {
  const config = JSON.stringify({ auths: { [registry]: { auth: registryLogin } } });
  return dedent(`
    apiVersion: v1
    kind: Secret
    metadata: {name: pull, namespace: ${namespace}}
    type: kubernetes.io/dockerconfigjson
    data: {.dockerconfigjson: ${Buffer.from(config).toString("base64")}}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: app, namespace: ${namespace}}
    spec:
      selector: {matchLabels: {name: app}}
      template:
        metadata: {labels: {name: app}}
        spec:
          imagePullSecrets: [{name: pull}]
          containers: [{name: main, image: "${registry}/app:1"}]
  `);
}

/** One of each kind that applications are usually made of, beside those that other files have. */
function otherKinds(namespace: string): string {
  const metadata = `metadata: {name: app, namespace: ${namespace}}`;
  const pod = "{containers: [{name: main, image: example.test/app}], restartPolicy: Never}";
  const template = `{metadata: {labels: {name: other}}, spec: ${pod}}`;
  const serving = template.replace(", restartPolicy: Never", "");
  const selector = "{matchLabels: {name: other}}";
  return [
    `apiVersion: v1\nkind: ServiceAccount\n${metadata}`,
    `apiVersion: v1\nkind: Service\n${metadata}\nspec: {ports: [{port: 80}]}`,
    `apiVersion: v1\nkind: Endpoints\nmetadata: {name: elsewhere, namespace: ${namespace}}\nsubsets: []`,
    `apiVersion: v1\nkind: PersistentVolumeClaim\n${metadata}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}`,
    `apiVersion: v1\nkind: Pod\n${metadata}\nspec: ${pod}`,
    `apiVersion: v1\nkind: PodTemplate\n${metadata}\ntemplate: ${template}`,
    `apiVersion: v1\nkind: ReplicationController\n${metadata}\nspec: {replicas: 0, selector: {name: other}, template: ${serving}}`,
    `apiVersion: apps/v1\nkind: DaemonSet\n${metadata}\nspec: {selector: ${selector}, template: ${serving}}`,
    `apiVersion: apps/v1\nkind: ReplicaSet\n${metadata}\nspec: {replicas: 0, selector: ${selector}, template: ${serving}}`,
    `apiVersion: apps/v1\nkind: StatefulSet\n${metadata}\nspec: {serviceName: app, selector: ${selector}, template: ${serving}}`,
    `apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n${metadata}\nspec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: ReplicaSet, name: app}}`,
    `apiVersion: batch/v1\nkind: CronJob\n${metadata}\nspec: {schedule: "0 0 * * *", jobTemplate: {spec: {template: ${template}}}}`,
    `apiVersion: batch/v1\nkind: Job\n${metadata}\nspec: {template: ${template}}`,
    `apiVersion: networking.k8s.io/v1\nkind: Ingress\n${metadata}\nspec: {defaultBackend: {service: {name: app, port: {number: 80}}}}`,
    `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n${metadata}\nspec: {podSelector: {}}`,
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\n${metadata}\nspec: {minAvailable: 1}`,
  ].join("\n---\n");
}
