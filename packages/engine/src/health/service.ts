import type { KubeObject } from "@weir/kube";
import { objectOf, objectsOf, specOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/** A Service is healthy at once, but for a load balancer, which has to be given an address. */
export function serviceHealth(live: KubeObject): Health {
  if (specOf(live)["type"] !== "LoadBalancer" || hasAddress(live)) {
    return health("Healthy");
  }
  return health("Progressing", "the load balancer has no address yet");
}

/** True where a load balancer has told its address; Services and Ingresses say it in the same place. */
export function hasAddress(live: KubeObject): boolean {
  return objectsOf(objectOf(statusOf(live)["loadBalancer"])["ingress"]).length > 0;
}
