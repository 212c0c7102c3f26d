import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { configMapPath, dedent, until } from "@weir/testing";
import { configMap, namespace } from "../../support/manifests.ts";
import { InstalledFluxd } from "../../support/pods/installed-fluxd.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";
import { encodeLogin, RegistryPod } from "../../support/pods/registry-pod.ts";

const login = {
  user: "puller",
  password: "c4n4ry",
  hash: "$2y$05$abcdefghijklmnopqrstuudrdh2Lihg1x/UJ4e2twPzAxWgr87dO6",
};
const ingress = "/apis/networking.k8s.io/v1/namespaces/shop/ingresses/app";

describe("an installation with --least-privilege", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let fluxd: InstalledFluxd;
  before(async () => {
    world = started.use(await PodWorld.start());
    const registry = started.use(await RegistryPod.start(world, "images", login));
    await registry.push("app", "1", "06-01");
    await world.kubectl.apply(["shop", "web", "closed"].map(namespace).join("---\n"));
    const app = privateApp(registry.host);
    fluxd = started.use(
      await InstalledFluxd.start(world, {
        files: {
          "config.yaml": configMap("app", "v1", "web"),
          "app.yaml": app,
          "kinds.yaml": otherKinds,
          "limits.yaml":
            "apiVersion: v1\nkind: LimitRange\nmetadata: {name: limits, namespace: shop}\nspec: {limits: []}\n",
          "quota.yaml":
            "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: quota, namespace: shop}\nspec: {}\n",
        },
        running: app,
        install: ["--least-privilege", "--k8s-allow-namespace=shop,web", "--grant=limitranges"],
        fluxd: ["--sync-garbage-collection", `--registry-insecure-host=${registry.host}`],
      }),
    );
  });
  after(() => started.disposeAsync());

  it("syncs what it was granted, and reports what it wasn't", async () => {
    const log = await fluxd.log();

    assert.ok(await world.kube.get("/api/v1/namespaces/shop/limitranges/limits"));
    assert.ok(await world.kube.get(ingress));
    const failed = log.match(/(?<=err=".*)[\w-]+:\w+\/\w+(?=: )/g);
    assert.deepEqual(new Set(failed), new Set(["shop:resourcequota/quota"]));
    const skipping = / they are skipped" kinds=.*/g;
    const [skipped = ""] = log.match(skipping) ?? [];
    assert.match(skipped, /ResourceQuota/);
    assert.doesNotMatch(
      skipped,
      /[=,](v1\/(ConfigMap|Secret|Service|Pod)|apps\/v1\/Deployment|batch\/v1\/Job)[, ]/,
    );
    const refused = log
      .replaceAll(skipping, "")
      .matchAll(/User \\"system:serviceaccount:[^"]*" cannot \w+ resource \\"([\w-]+)/g);
    assert.deepEqual(new Set([...refused].map(([, kind]) => kind)), new Set(["resourcequotas"]));
  });

  it("lists workloads, and the images of a registry that wants the pull secret", async () => {
    assert.match(await fluxd.fluxctl("list-workloads", "-a"), /\nshop:deployment\/app /);
    await until("the tags", async () => {
      return /'-> 1 /.test(await fluxd.fluxctl("list-images", "-w", "shop:deployment/app"));
    });
  });

  it("prunes", async () => {
    await fluxd.commit({ "config.yaml": null, "kinds.yaml": null });

    await until("the prune", async () => (await world.kube.get(configMapPath("app", "web"))) === undefined);
    assert.equal(await world.kube.get(ingress), undefined);
  });

  it("can do no more", async () => {
    assert.equal(await can("patch", "secrets/flux-git-deploy", fluxd.namespace), true);
    assert.equal(await can("get", "secrets/another", fluxd.namespace), false);
    assert.equal(await can("create", "deployments", fluxd.namespace), false);
    assert.equal(await can("get", "configmaps", "closed"), false);
    assert.equal(await can("create", "pods", "shop", "--subresource=exec"), false);
    assert.equal(await can("create", "rolebindings", "shop"), false);
    assert.equal(await can("impersonate", "serviceaccounts", "shop"), false);
  });

  async function can(
    verb: string,
    what: string,
    where: string,
    ...more: readonly string[]
  ): Promise<boolean> {
    const as = `--as=system:serviceaccount:${fluxd.namespace}:flux`;
    const { exit } = await world.kubectl.run(["auth", "can-i", verb, what, "-n", where, as, ...more]);
    return exit === 0;
  }
});

/** A Deployment whose image is in a registry that asks for a login, and the pull secret that has it. */
function privateApp(registry: string): string {
  const config = JSON.stringify({ auths: { [registry]: { auth: encodeLogin(login) } } });
  return dedent(`
    apiVersion: v1
    kind: Secret
    metadata: {name: pull, namespace: shop}
    type: kubernetes.io/dockerconfigjson
    data: {.dockerconfigjson: ${Buffer.from(config).toString("base64")}}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: app, namespace: shop}
    spec:
      replicas: 0
      selector: {matchLabels: {name: app}}
      template:
        metadata: {labels: {name: app}}
        spec:
          imagePullSecrets: [{name: pull}]
          containers: [{name: main, image: "${registry}/app:1"}]
  `);
}

const metadata = "metadata: {name: app, namespace: shop}";
const pod = "{nodeName: none, containers: [{name: main, image: example.test/app}], restartPolicy: Never}";
const template = `{metadata: {labels: {name: other}}, spec: ${pod}}`;
const serving = template.replace(", restartPolicy: Never", "");
const selector = "{matchLabels: {name: other}}";

/** One of each kind that applications are usually made of, beside those that other files have. */
const otherKinds = [
  `apiVersion: v1\nkind: ServiceAccount\n${metadata}`,
  `apiVersion: v1\nkind: Service\n${metadata}\nspec: {ports: [{port: 80}]}`,
  `apiVersion: v1\nkind: Endpoints\nmetadata: {name: elsewhere, namespace: shop}\nsubsets: []`,
  `apiVersion: v1\nkind: PersistentVolumeClaim\n${metadata}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}`,
  `apiVersion: v1\nkind: Pod\n${metadata}\nspec: ${pod}`,
  `apiVersion: v1\nkind: PodTemplate\n${metadata}\ntemplate: ${template}`,
  `apiVersion: v1\nkind: ReplicationController\n${metadata}\nspec: {replicas: 0, selector: {name: other}, template: ${serving}}`,
  `apiVersion: apps/v1\nkind: DaemonSet\n${metadata}\nspec: {selector: ${selector}, template: ${serving}}`,
  `apiVersion: apps/v1\nkind: ReplicaSet\n${metadata}\nspec: {replicas: 0, selector: ${selector}, template: ${serving}}`,
  `apiVersion: apps/v1\nkind: StatefulSet\n${metadata}\nspec: {replicas: 0, serviceName: app, selector: ${selector}, template: ${serving}}`,
  `apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n${metadata}\nspec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: ReplicaSet, name: app}}`,
  `apiVersion: batch/v1\nkind: CronJob\n${metadata}\nspec: {schedule: "0 0 1 1 *", jobTemplate: {spec: {template: ${template}}}}`,
  `apiVersion: batch/v1\nkind: Job\n${metadata}\nspec: {suspend: true, template: ${template}}`,
  `apiVersion: networking.k8s.io/v1\nkind: Ingress\n${metadata}\nspec: {defaultBackend: {service: {name: app, port: {number: 80}}}}`,
  `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n${metadata}\nspec: {podSelector: {}}`,
  `apiVersion: policy/v1\nkind: PodDisruptionBudget\n${metadata}\nspec: {minAvailable: 1}`,
].join("\n---\n");
