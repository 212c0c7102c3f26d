import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { invariant, isJsonObject } from "@weir/base";
import { type ApiResource, gvkOf, type KubeObject, resourcePath } from "@weir/kube";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import { createThreeWayStrategicPatch, strategicMergePatchType } from "@weir/kube/patch";
import { createDiscovery, type Discovery, type RestClient } from "@weir/kube/rest";
import {
  type BorrowedControlPlane,
  borrowControlPlane,
  freshNamespace,
  missing,
  schemaOf,
} from "@weir/testing";
import { parseAllDocuments } from "yaml";
import { asJson } from "../../../../src/diff/as-json.ts";
import { lastAppliedOf, withLastApplied } from "../../../../src/diff/last-applied.ts";
import { isInSync } from "../../../../src/diff/normalize.ts";

/** Manifests as people write them, in ways that the API server stores in another form. */
const manifests = `
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, creationTimestamp: null}, spec: {
  strategy: {type: RollingUpdate}, selector: {matchLabels: {a: b}}, template: {
    metadata: {creationTimestamp: null, labels: {a: b}}, spec: {
      containers: [{name: c, image: x, env: [], livenessProbe: {httpGet: {path: /, port: 80}},
        resources: {limits: {cpu: 1000m, memory: 1024Mi}, requests: {cpu: 1}},
        ports: [{containerPort: 53, protocol: UDP}, {containerPort: 53, protocol: TCP}]}],
      volumes: [
        {name: p, projected: {sources: [{serviceAccountToken: {path: t}},
          {downwardAPI: {items: [{path: l, fieldRef: {fieldPath: metadata.labels}}]}}]}},
        {name: d, downwardAPI: {items: [{path: l, fieldRef: {fieldPath: metadata.labels}}]}},
        {name: e, emptyDir: {sizeLimit: 1024Mi}}]}}}, status: {}}
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {
  serviceName: db, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {
    containers: [{name: c, image: x}]}}, volumeClaimTemplates: [{metadata: {name: data, creationTimestamp: null},
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1024Mi}}}, status: {}}]}}
---
{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent}, spec: {
  selector: {matchLabels: {a: b}}, updateStrategy: {type: RollingUpdate}, template: {metadata: {labels: {a: b}},
    spec: {tolerations: [{operator: Exists}], containers: [{name: c, image: x}]}}}}
---
{apiVersion: v1, kind: Service, metadata: {name: dns}, spec: {
  ports: [{name: u, port: 53, protocol: UDP}, {name: t, port: 53, protocol: TCP}], selector: {a: b}},
  status: {loadBalancer: {}}}
---
{apiVersion: v1, kind: Secret, metadata: {name: keys}, data: {a: YQ==}, stringData: {b: x}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: conf}, data: {a: "<&>"}}
---
{apiVersion: v1, kind: ResourceQuota, metadata: {name: quota}, spec: {hard: {cpu: 1000m, memory: 2048Mi, pods: 10}}}
---
{apiVersion: v1, kind: LimitRange, metadata: {name: limits}, spec: {
  limits: [{type: Container, default: {cpu: 1000m}, defaultRequest: {cpu: 0.1}}]}}
---
{apiVersion: batch/v1, kind: CronJob, metadata: {name: tick}, spec: {schedule: "*/5 * * * *", jobTemplate: {
  metadata: {creationTimestamp: null}, spec: {template: {metadata: {creationTimestamp: null}, spec: {
    restartPolicy: OnFailure, containers: [{name: c, image: x, resources: {limits: {cpu: "0.5"}}}]}}}}}}
---
{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: scale}, spec: {
  maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, metrics: [{type: Pods,
    pods: {metric: {name: x}, target: {type: AverageValue, averageValue: 1000m}}}]}}
---
{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: net}, spec: {podSelector: {},
  ingress: [{ports: [{port: 80}], from: [{podSelector: {}}]}], egress: [{ports: [{port: 53, protocol: UDP}]}]}}
---
{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: in}, spec: {tls: [], rules: [{host: a.example,
  http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: x, port: {number: 80}}}}]}}]}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: budget, finalizers: [b.io/x, a.io/y]},
  spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: bind},
  roleRef: {kind: ClusterRole, name: view, apiGroup: rbac.authorization.k8s.io},
  subjects: [{kind: User, name: u}, {kind: Group, name: g}, {kind: ServiceAccount, name: s, namespace: default}]}
---
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: hooks},
  webhooks: [{name: a.b.example.com, sideEffects: None, admissionReviewVersions: [v1], failurePolicy: Ignore,
    clientConfig: {service: {name: x, namespace: default}}, rules: [{apiGroups: [x.example.com],
      apiVersions: [v1], operations: [CREATE], resources: [foos]}]}]}
`;

describe("what a real API server keeps of an applied object", { skip: missing() }, () => {
  let plane: BorrowedControlPlane;
  let client: RestClient;
  let discovery: Discovery;
  let namespace: string;
  before(async () => {
    plane = await borrowControlPlane();
    const credentials = await loadKubeConfig({ kubeconfig: plane.kubeconfigPath, env: {} });
    client = createRestClient({ credentials, userAgent: "weir/test" });
    discovery = createDiscovery(client);
    namespace = await freshNamespace(plane);
  });
  after(async () => {
    await client.close();
    await plane.stop();
  });

  for (const document of parseAllDocuments(manifests)) {
    const manifest: unknown = document.toJS();
    invariant(isKubeObject(manifest), "a manifest is an object");
    it(`is in sync with its manifest: ${manifest.kind}`, async () => {
      const resource = await resourceOf(manifest);
      const target = withLastApplied(placed(manifest, resource));
      const schema = schemaOf(manifest.apiVersion, manifest.kind);
      await send("POST", resourcePath(resource, namespace), target);
      const path = resourcePath(resource, namespace, manifest.metadata.name);
      const live = await send("GET", path);

      assert.ok(isInSync(target, live, schema));

      // What kubectl would send all the same, the server takes without a change.
      const patch = createThreeWayStrategicPatch(
        { original: lastAppliedOf(live), modified: asJson(target), current: asJson(live) },
        schema,
      );
      const after = await send("PATCH", path, patch, strategicMergePatchType);

      assert.deepEqual(withoutVersion(after), withoutVersion(live));
    });
  }

  async function resourceOf(manifest: KubeObject): Promise<ApiResource> {
    const resource = await discovery.resourceFor(gvkOf(manifest));
    invariant(resource !== undefined, `${manifest.kind} is served`);
    return resource;
  }

  function placed(manifest: KubeObject, { namespaced }: ApiResource): KubeObject {
    return namespaced ? { ...manifest, metadata: { ...manifest.metadata, namespace } } : manifest;
  }

  async function send(
    method: "GET" | "POST" | "PATCH",
    path: string,
    body?: object,
    contentType = "application/json",
  ): Promise<KubeObject> {
    const answer = await client.json({ method, path, contentType, ...(body === undefined ? {} : { body }) });
    invariant(isKubeObject(answer), `${method} ${path} answers with an object`);
    return answer;
  }
});

function isKubeObject(value: unknown): value is KubeObject {
  return isJsonObject(value) && typeof value["kind"] === "string" && isJsonObject(value["metadata"]);
}

/** A first write may give an object a new version although nothing in it changes. */
function withoutVersion(object: KubeObject): KubeObject {
  const metadata = { ...object.metadata };
  Reflect.deleteProperty(metadata, "resourceVersion");
  Reflect.deleteProperty(metadata, "managedFields");
  return { ...object, metadata };
}
