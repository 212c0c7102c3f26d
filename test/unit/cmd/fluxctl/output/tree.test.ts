import assert from "node:assert/strict";
import { it } from "node:test";
import { parseResourceId, type ResourceStatus } from "@weir/flux";
import { dedent } from "@weir/testing";
import { plain } from "../../../../../cmd/fluxctl/output/paint.ts";
import { printTree } from "../../../../../cmd/fluxctl/output/tree.ts";

function status(id: string, given: Partial<ResourceStatus> = {}): ResourceStatus {
  return {
    id: parseResourceId(id),
    apiVersion: "v1",
    source: "",
    sync: "",
    health: "",
    message: "",
    children: [],
    ...given,
  };
}

const pods = [
  status("shop:pod/web-1-a", { health: "Healthy" }),
  status("shop:pod/web-1-b", { health: "Degraded", message: "image\ncannot be pulled" }),
];
const resources = [
  status("shop:configmap/a", { sync: "OutOfSync", source: "a.yaml", health: "Missing" }),
  status("shop:deployment/web", {
    sync: "Synced",
    source: "web.yaml",
    health: "Progressing",
    children: [status("shop:replicaset/web-0"), status("shop:replicaset/web-1", { children: pods })],
  }),
];

it("draws who owns whom", () => {
  assert.equal(
    printTree(resources, { headers: true, wide: false, paint: plain }),
    dedent(`
      RESOURCE                  SYNC       HEALTH       MESSAGE
      shop:configmap/a          OutOfSync  Missing
      shop:deployment/web       Synced     Progressing
      |- shop:replicaset/web-0
      '- shop:replicaset/web-1
         |- shop:pod/web-1-a               Healthy
         '- shop:pod/web-1-b               Degraded     image cannot be pulled
    `),
  );
});

it("tells where things come from where it may be wide", () => {
  const [first] = printTree(resources, { headers: false, wide: true, paint: plain }).split("\n");

  assert.equal(first, "shop:configmap/a          OutOfSync  Missing      a.yaml");
});
