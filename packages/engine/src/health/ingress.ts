import type { KubeObject } from "@weir/kube";
import { type Health, health } from "./health-status.ts";
import { hasAddress } from "./service.ts";

/** An Ingress is healthy when its controller has assigned it an address. */
export function ingressHealth(live: KubeObject): Health {
  return hasAddress(live) ? health("Healthy") : health("Progressing", "the ingress has no address yet");
}
