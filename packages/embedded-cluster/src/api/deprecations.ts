import type { ServedResource } from "../resources/served-resource.ts";

/** What the API server tells everyone who uses these built-in kinds. */
const deprecated: Readonly<Record<string, string>> = {
  "v1 Endpoints": "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  "v1 ComponentStatus": "v1 ComponentStatus is deprecated in v1.19+",
};

/** What a client should know of the kind that it asks for; nothing for almost all kinds. */
export function deprecationsOf({ apiVersion, kind, deprecation }: ServedResource): readonly string[] {
  const text = deprecation ?? deprecated[`${apiVersion} ${kind}`];
  return text === undefined ? [] : [text];
}
