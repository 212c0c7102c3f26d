import type { KubeObject } from "@weir/kube";
import { objectOf, objectsOf, specOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/** A Service is healthy immediately, except a load balancer, which first needs an address. */
export function serviceHealth(live: KubeObject): Health {
  if (specOf(live)["type"] !== "LoadBalancer" || hasAddress(live)) {
    return health("Healthy");
  }
  return health("Progressing", "the load balancer has no address yet");
}

/** True if a load balancer has an address; Services and Ingresses report it in the same field. */
export function hasAddress(live: KubeObject): boolean {
  return objectsOf(objectOf(statusOf(live)["loadBalancer"])["ingress"]).length > 0;
}
