import { parseAllDocuments } from "yaml";
import { uncomment } from "./uncomment.ts";

/**
 * The manifests of an installation whose fluxd knows these host keys: the ConfigMap, and what is commented out for it
 * in the Deployment.
 */
export function withKnownHosts(manifests: string, namespace: string, knownHosts: string): readonly object[] {
  // As kubectl reads it: 0400 is octal.
  const documents = parseAllDocuments(uncomment(manifests, "ssh-config"), { version: "1.1" });
  const objects = documents.map((document) => document.toJS() as object | null);
  const present = objects.filter((object) => object !== null);
  const isNamespace = (object: object): boolean => "kind" in object && object.kind === "Namespace";
  const others = present.filter((object) => !isNamespace(object));
  return [...present.filter(isNamespace), knownHostsConfigMap(namespace, knownHosts), ...others];
}

/** The ConfigMap that those comments name. */
export function knownHostsConfigMap(namespace: string, knownHosts: string): object {
  const metadata = { name: "flux-ssh-config", namespace };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { known_hosts: knownHosts } };
}
