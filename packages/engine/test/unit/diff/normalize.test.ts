import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gvkOf, type KubeObject } from "@weir/kube";
import { builtinPatchSchema } from "@weir/kube/patch";
import { kubeObject } from "@weir/testing";
import { lastAppliedAnnotation, withLastApplied } from "../../../src/diff/last-applied.ts";
import { isInSync } from "../../../src/diff/normalize.ts";

describe("isInSync", () => {
  describe("says yes", () => {
    it("where the live object has all that was applied, and more", () => {
      const target = kubeObject`
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              containers: [{name: main, image: "web:1", env: [{name: A, value: "1"}]}]
      `;
      const live = kubeObject`
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, uid: "1", generation: 2}
        spec:
          replicas: 1
          selector: {matchLabels: {app: web}}
          strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}
          template:
            metadata: {labels: {app: web, injected: "yes"}}
            spec:
              containers:
                - {name: proxy, image: "proxy:1"}
                - {name: main, image: "web:1", imagePullPolicy: Always, env: [{name: X, value: x}, {name: A, value: "1"}]}
              restartPolicy: Always
        status: {readyReplicas: 1}
      `;

      assert.ok(inSync(target, live));
    });

    it("where a quantity is spelled in another way", () => {
      const target = kubeObject`
        apiVersion: v1
        kind: Pod
        metadata: {name: a}
        spec: {containers: [{name: a, resources: {limits: {cpu: 1000m, memory: 1024Mi}, requests: {cpu: 0.5}}}]}
      `;
      const live = kubeObject`
        apiVersion: v1
        kind: Pod
        metadata: {name: a}
        spec: {containers: [{name: a, resources: {limits: {cpu: "1", memory: 1Gi}, requests: {cpu: 500m}}}]}
      `;

      assert.ok(inSync(target, live));
    });

    it("where the target states nulls and empty lists that the live object lacks", () => {
      const target = kubeObject`
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: a, creationTimestamp: null}
        spec: {paused: null, template: {metadata: {creationTimestamp: null}, spec: {containers: [{name: a, env: []}]}}}
        status: {}
      `;
      const live = kubeObject`
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: a, creationTimestamp: "2026-11-21T00:00:00Z"}
        spec: {template: {metadata: {}, spec: {containers: [{name: a}]}}}
        status: {replicas: 1}
      `;

      assert.ok(inSync(target, live));
    });

    it("where a part that a patch would replace has the API server's defaults", () => {
      const target = kubeObject`
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: a}
        spec:
          volumeClaimTemplates:
            - metadata: {name: data, creationTimestamp: null}
              spec: {resources: {requests: {storage: 1024Mi}}}
      `;
      const live = kubeObject`
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: a}
        spec:
          volumeClaimTemplates:
            - apiVersion: v1
              kind: PersistentVolumeClaim
              metadata: {name: data}
              spec: {resources: {requests: {storage: 1Gi}}, volumeMode: Filesystem}
              status: {phase: Pending}
      `;

      assert.ok(inSync(target, live));
    });

    it("where a Deployment names its strategy only, and lives with the defaults", () => {
      const target = deployment("{type: RollingUpdate}");

      assert.ok(
        inSync(
          target,
          deployment("{type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}"),
        ),
      );
      assert.ok(
        !inSync(
          target,
          deployment("{type: RollingUpdate, rollingUpdate: {maxSurge: 5, maxUnavailable: 25%}}"),
        ),
      );
    });

    it("where the text of a Secret is among its data", () => {
      const target = kubeObject`
        apiVersion: v1
        kind: Secret
        metadata: {name: a}
        stringData: {password: hunter2}
        data: {other: eA==}
      `;

      assert.ok(inSync(target, secret("{password: aHVudGVyMg==, other: eA==}")));
      assert.ok(!inSync(target, secret("{password: YW5vdGhlcg==, other: eA==}")));
      assert.ok(!inSync(target, secret("{other: eA==}")));
    });

    it("where a map that is always replaced is the same", () => {
      const target = budget("{matchLabels: {a: b}}");

      assert.ok(inSync(target, budget("{matchLabels: {a: b}}")));
      assert.ok(!inSync(target, budget("{matchLabels: {a: b, c: d}}")));
    });

    it("where a custom resource has all that was applied", () => {
      const target = widget("{a: 1, list: [{x: 1}], off: null, map: {off: null}}");

      assert.ok(inSync(target, widget("{a: 1, list: [{x: 1}], b: 2}")));
    });
  });

  describe("says no", () => {
    const drifts: readonly (readonly [string, string, string])[] = [
      [
        "a field has another value",
        "{containers: [{name: a, image: x}]}",
        "{containers: [{name: a, image: y}]}",
      ],
      ["a field is gone", "{containers: [{name: a, image: x}]}", "{containers: [{name: a}]}"],
      ["a field is of another type", "{nodeName: a}", "{nodeName: [a]}"],
      ["an item is gone", "{containers: [{name: a}, {name: b}]}", "{containers: [{name: a}]}"],
      [
        "items changed places",
        "{containers: [{name: a}, {name: b}]}",
        "{containers: [{name: b}, {name: a}]}",
      ],
      [
        "a list without a merge key has more",
        "{tolerations: [{key: a}]}",
        "{tolerations: [{key: a}, {key: b}]}",
      ],
      ["a null has a value", "{nodeName: null}", "{nodeName: a}"],
      ["an empty map is gone", "{volumes: [{name: a, emptyDir: {}}]}", "{volumes: [{name: a}]}"],
      [
        "a volume has a second source",
        "{volumes: [{name: a, emptyDir: {}}]}",
        "{volumes: [{name: a, emptyDir: {}, secret: {}}]}",
      ],
      [
        "an amount is another",
        "{containers: [{name: a, resources: {limits: {cpu: 1}}}]}",
        "{containers: [{name: a, resources: {limits: {cpu: 1m}}}]}",
      ],
      [
        "text that only looks like an amount is another",
        '{containers: [{name: a, env: [{name: N, value: "1"}]}]}',
        '{containers: [{name: a, env: [{name: N, value: "1000m"}]}]}',
      ],
      [
        "one of two items of the same key is gone",
        "{containers: [{name: a, ports: [{containerPort: 53, protocol: UDP}, {containerPort: 53, protocol: TCP}]}]}",
        "{containers: [{name: a, ports: [{containerPort: 53, protocol: UDP}]}]}",
      ],
    ];
    for (const [what, target, live] of drifts) {
      it(`where ${what}`, () => {
        assert.ok(!inSync(pod(target), pod(live)));
        assert.ok(inSync(pod(target), pod(target)));
      });
    }

    it("where something else was applied last, or nothing", () => {
      const target = withLastApplied(pod("{nodeName: a}"));
      const schema = builtinPatchSchema(gvkOf(target));

      assert.ok(!isInSync(target, pod("{nodeName: a}"), schema));
      assert.ok(!isInSync(target, withLastApplied(pod("{nodeName: a, hostname: b}")), schema));
      assert.ok(!isInSync(pod("{nodeName: a}"), target, schema));
    });

    it("where the live object is seen in another version of its API", () => {
      const target = deployment("{type: Recreate}");

      assert.ok(!inSync(target, { ...target, apiVersion: "apps/v1beta1" }));
    });

    it("where a list of a custom resource differs at all", () => {
      assert.ok(!inSync(widget("{list: [{x: 1}]}"), widget("{list: [{x: 1, y: 2}]}")));
      assert.ok(!inSync(widget("{list: []}"), widget("{}")));
      assert.ok(!inSync(widget("{cpu: 1000m}"), widget('{cpu: "1"}')));
      assert.ok(!inSync(widget("{map: {}}"), widget("{}")));
    });
  });
});

/** Compares a target with a live object to which it was applied. */
function inSync(target: KubeObject, live: KubeObject): boolean {
  const applied = withLastApplied(target);
  const text = applied.metadata.annotations?.[lastAppliedAnnotation] ?? "";
  const annotations = { ...live.metadata.annotations, [lastAppliedAnnotation]: text };
  const living = { ...live, metadata: { ...live.metadata, annotations } };
  return isInSync(applied, living, builtinPatchSchema(gvkOf(target)));
}

function pod(spec: string): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: Pod
    metadata: {name: a}
    spec: ${spec}
  `;
}

function deployment(strategy: string): KubeObject {
  return kubeObject`
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: a}
    spec: {strategy: ${strategy}}
  `;
}

function secret(data: string): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: Secret
    metadata: {name: a}
    data: ${data}
  `;
}

function budget(selector: string): KubeObject {
  return kubeObject`
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata: {name: a}
    spec: {selector: ${selector}}
  `;
}

function widget(spec: string): KubeObject {
  return kubeObject`
    apiVersion: example.com/v1
    kind: Widget
    metadata: {name: a}
    spec: ${spec}
  `;
}
