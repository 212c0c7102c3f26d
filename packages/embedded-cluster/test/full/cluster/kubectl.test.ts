import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { borrowControlPlane, Kubectl, lacks, printed } from "@weir/testing";
import { startEmbeddedCluster } from "../../../src/server.ts";

/** A command line, and what it reads where it has "-f -". `$ns` stands for the namespace of the scenario. */
type Step = string | readonly [command: string, input: string];

const repository = join(import.meta.dirname, "../../../../../packages/demo/src/demo-repository");

async function manifests(...names: readonly string[]): Promise<string> {
  const texts = await Promise.all(names.map((name) => readFile(join(repository, name), "utf8")));
  return texts.join("\n---\n").replaceAll(/namespace: \S+/g, "namespace: $ns");
}

const shop = await manifests(
  "shop/web.yaml",
  "shop/web-settings.yaml",
  "shop/cart.yaml",
  "shop/nightly-report.yaml",
);
const collector = await manifests("observe/collector.yaml");
const dashboards = (await manifests("observe/dashboards-crd.yaml")).replaceAll("$ns", "default");

const settings = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, labels: { app: web } }
data: { colour: red }
`;

const scenarios: Readonly<Record<string, readonly Step[]>> = {
  "applies all kinds of the demo, and finds them unchanged": [
    ["apply -n $ns -f -", shop],
    ["apply -n $ns -f -", shop],
    ["apply -n $ns -f -", collector],
    ["apply -n $ns -f -", collector],
    ["apply -f -", dashboards],
    ["apply -f -", dashboards],
    ["diff -n $ns -f -", shop],
    ["apply -n $ns --dry-run=server -f -", shop.replaceAll("replicas: 2", "replicas: 4")],
    ["diff -n $ns -f -", shop.replaceAll("replicas: 2", "replicas: 4")],
    ["apply -n $ns -f -", shop.replaceAll("replicas: 2", "replicas: 4")],
    ["delete -n $ns --wait=false -f -", collector],
  ],
  shows: [
    ["apply -n $ns -f -", shop],
    "get deployments,services,configmaps,cronjobs -n $ns",
    "get deployments -n $ns -o wide",
    "get deployments -n $ns -o name",
    "get services -n $ns -o wide --show-labels",
    "get deployments -n $ns -l app=web",
    "get deployments -n $ns -l app=nothing",
    "get deployments -n $ns --field-selector metadata.name=cart",
    "get deploy/web -n $ns -o jsonpath={.spec.replicas}",
    "get deploy -n $ns -o custom-columns=NAME:.metadata.name,IMAGE:.spec.template.spec.containers[*].image",
    "get deploy web -n $ns -o yaml",
    "get deploy missing -n $ns",
    "get gadgets -n $ns",
    "get ns $ns",
    "get deploy -n $ns --sort-by=.metadata.name",
    "get deploy -n $ns --chunk-size=1",
    "get --raw /api/v1/namespaces/$ns/configmaps?labelSelector=none",
  ],
  "creates, labels, annotates and patches": [
    ["create -n $ns -f -", settings],
    ["create -n $ns -f -", settings],
    "create configmap other -n $ns --from-literal=a=b",
    "create secret generic key -n $ns --from-literal=a=b",
    "create deployment made -n $ns --image=example.com/made:1",
    "create namespace $ns",
    "label configmap settings -n $ns tier=front",
    "label configmap settings -n $ns tier=back",
    "label configmap settings -n $ns tier=back --overwrite",
    "label configmap settings -n $ns tier-",
    "annotate configmap settings -n $ns note=one",
    "annotate configmap settings -n $ns note=one",
    'patch configmap settings -n $ns -p {"data":{"colour":"blue"}}',
    'patch configmap settings -n $ns -p {"data":{"colour":"blue"}}',
    'patch configmap settings -n $ns --type=merge -p {"data":{"size":"1"}}',
    'patch configmap settings -n $ns --type=json -p [{"op":"remove","path":"/data/size"}]',
    'patch configmap settings -n $ns --type=json -p [{"op":"remove","path":"/data/size"}]',
    "get configmap settings -n $ns -o jsonpath={.data}",
    "set image deployment/made -n $ns made=example.com/made:2",
    "scale deployment made -n $ns --replicas=3",
    "scale deployment made -n $ns --replicas=4 --current-replicas=1",
    "get deployment made -n $ns",
    ["replace -n $ns -f -", settings.replace("red", "green")],
    ["replace -n $ns -f -", settings.replace("name: settings", "name: missing")],
    "delete configmap settings -n $ns",
    "delete configmap settings -n $ns",
    "delete configmap settings -n $ns --ignore-not-found",
    "delete configmap -n $ns -l app=web",
    "wait configmap/other -n $ns --for=delete --timeout=1s",
    "wait configmap/other -n $ns --for=jsonpath={.data.a}=b --timeout=5s",
    "delete all --all -n $ns --wait=false",
  ],
  "applies on the server": [
    ["apply -n $ns --server-side -f -", settings],
    ["apply -n $ns --server-side -f -", settings],
    ["apply -n $ns --server-side --field-manager=other -f -", settings.replace("red", "blue")],
    [
      "apply -n $ns --server-side --field-manager=other --force-conflicts -f -",
      settings.replace("red", "blue"),
    ],
    "get configmap settings -n $ns -o yaml --show-managed-fields",
  ],
  refuses: [
    ["apply -n $ns -f -", "apiVersion: v1\nkind: Gadget\nmetadata: { name: a }\n"],
    ["apply -n $ns -f -", settings.replace("data:", "date:")],
    ["apply -n $ns -f -", settings.replace("colour: red", "colour: 1")],
    ["apply -n $ns -f -", settings.replace("name: settings", "name: Settings")],
    ["apply -n missing -f -", settings],
  ],
  explains: [
    "api-resources --api-group=apps",
    "api-resources --namespaced=false --verbs=list -o name",
    "api-versions",
    "explain deployment.spec.strategy",
    "explain pods.spec.containers.image",
    "explain gadgets",
    "explain configmap --recursive",
  ],
};

describe("kubectl says of the embedded cluster what it says of a real one", {
  skip: lacks("kubectl") || lacks("Go"),
}, () => {
  const ends = new AsyncDisposableStack();
  let real: Kubectl;
  let embedded: Kubectl;
  before(async () => {
    const cluster = ends.use(await startEmbeddedCluster({ controllerManager: false }));
    const plane = ends.use(await borrowControlPlane());
    embedded = ends.use(await Kubectl.for(cluster.kubeconfig));
    // The certificate stands in a file beside the kubeconfig that tests use.
    const config = await readFile(plane.kubeconfigPath, "utf8");
    const ca = Buffer.from(plane.ca).toString("base64");
    real = ends.use(
      await Kubectl.for(
        config.replace(
          '"certificate-authority":"certs/apiserver.crt"',
          `"certificate-authority-data":"${ca}"`,
        ),
      ),
    );
  });
  after(() => ends.disposeAsync());

  for (const [name, steps] of Object.entries(scenarios)) {
    it(name, async () => {
      const namespace = `test-${randomUUID().slice(0, 8)}`;

      const expected = await play(real, steps, namespace);
      const said = await play(embedded, steps, namespace);

      assert.equal(said, expected);
    });
  }
});

async function play(kubectl: Kubectl, steps: readonly Step[], namespace: string): Promise<string> {
  const told: string[] = [];
  await kubectl.run(["create", "namespace", namespace]);
  for (const step of steps) {
    const [command, input] = typeof step === "string" ? [step] : step;
    const args = command.replaceAll("$ns", namespace).split(" ");
    const result = await kubectl.run(args, input?.replaceAll("$ns", namespace));
    told.push(`$ kubectl ${command}\n${printed(result)}`);
  }
  return told.join("\n");
}
