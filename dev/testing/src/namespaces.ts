import { randomUUID } from "node:crypto";
import type { KubeEyes } from "./kube.ts";

/** Creates a namespace that no other test uses; resolves to its name. */
export async function makeNamespace(kube: KubeEyes): Promise<string> {
  const name = `test-${randomUUID().slice(0, 8)}`;
  await kube.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  return name;
}
