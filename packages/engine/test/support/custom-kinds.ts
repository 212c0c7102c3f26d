import assert from "node:assert/strict";
import { isJsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { parseAllDocuments } from "yaml";

/**
 * Definitions of custom resources, and objects of them: with defaults, nullable fields, lists that are sets, maps, and
 * atomic, int-or-string, unknown fields, and embedded objects.
 */
export function customKinds(namespace: string, at: string): readonly KubeObject[] {
  return parseAllDocuments(manifests(namespace, at)).map((document) => {
    const object: unknown = document.toJS();
    assert.ok(isKubeObject(object));
    return object;
  });
}

function isKubeObject(value: unknown): value is KubeObject {
  return isJsonObject(value) && typeof value["kind"] === "string" && isJsonObject(value["metadata"]);
}

function manifests(namespace: string, at: string): string {
  const group = `${at}.example.com`;
  return `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            status: {type: object, x-kubernetes-preserve-unknown-fields: true}
            spec:
              type: object
              default: {}
              properties:
                size: {type: integer, default: 3}
                mode: {type: string, nullable: true, default: fast}
                note: {type: string, nullable: true}
                port: {x-kubernetes-int-or-string: true}
                nested: {type: object, default: {on: true}, properties: {on: {type: boolean, default: true}, off: {type: boolean, default: false}}}
                items:
                  type: array
                  items: {type: object, properties: {name: {type: string}, weight: {type: number, default: 1}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                ports:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [port, protocol]
                  items:
                    type: object
                    required: [port]
                    properties: {port: {type: integer}, protocol: {type: string, default: TCP}, name: {type: string, default: ""}}
                order: {type: array, x-kubernetes-list-type: atomic, items: {type: string}}
                whole: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.${group}}
spec:
  group: ${group}
  scope: Cluster
  names: {kind: Thing, plural: things}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          x-kubernetes-preserve-unknown-fields: true
          properties:
            known: {type: string, default: x}
            inner: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
            limit: {anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true}
---
apiVersion: ${group}/v1
kind: Widget
metadata: {name: full, namespace: ${namespace}, creationTimestamp: null}
spec: {size: 1, mode: null, note: null, port: "80", nested: {}, items: [{name: a}, {name: b, weight: 1.5}]}
status: {}
---
apiVersion: ${group}/v1
kind: Widget
metadata: {name: bare, namespace: ${namespace}}
---
apiVersion: ${group}/v1
kind: Widget
metadata: {name: port, namespace: ${namespace}, labels: {}, annotations: {}}
spec: {port: 80, items: [], nested: {off: false}}
---
apiVersion: ${group}/v1
kind: Gadget
metadata: {name: full, namespace: ${namespace}}
spec: {tags: [b, a], ports: [{port: 80}, {port: 80, protocol: UDP, name: u}], order: [c, a], whole: {b: "", a: x}}
---
apiVersion: ${group}/v1
kind: Gadget
metadata: {name: empty, namespace: ${namespace}}
spec: {tags: [], ports: [], order: [], whole: {}}
---
apiVersion: ${group}/v1
kind: Thing
metadata: {name: thing}
limit: 5
inner: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: "1"}}
anything: {deep: [{a: [1, 2.5, "", null, {}]}], empty: "", zero: 0, no: false}
`;
}
