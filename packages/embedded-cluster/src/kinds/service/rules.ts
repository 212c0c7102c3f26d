import { type FieldError, faults, forbidden, invalid } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { ensureTree, nodeAt, numberAt, stringAt, type Tree, treeAt } from "../../tree.ts";
import { dns1035Label } from "../../validate/text-rules.ts";
import { allocateService } from "./allocate-service.ts";
import { alignAddresses, dropUnused, keepAllocated } from "./keep-allocated.ts";
import { isBalancer, needsHealthCheck, sameValue } from "./service-facts.ts";
import { checkService } from "./validate/service.ts";
import { checkSameAddresses } from "./validate/service-addresses.ts";

/** The rules of Services. */
export const serviceRules: KindRules = {
  nameRule: dns1035Label,
  createOnUpdate: true,
  returnsDeleted: true,
  admit: (service, old, { cluster }) => {
    const spec = ensureTree(service, "spec");
    const before = old === undefined ? undefined : ensureTree(old, "spec");
    if (before !== undefined) {
      keepAllocated(spec, before);
    }
    alignAddresses(spec, before);
    allocateService(service, before, cluster.addresses);
  },
  prepareUpdate: (service, old) => dropUnused(service, ensureTree(service, "spec"), ensureTree(old, "spec")),
  check: checkService,
  checkUpdate,
  selectableFields: (service) => ({
    "spec.clusterIP": stringAt(service, "spec", "clusterIP"),
    "spec.type": stringAt(service, "spec", "type"),
  }),
};

function checkUpdate(service: Tree, old: Tree): FieldError[] {
  const spec = treeAt(service, "spec") ?? {};
  const before = treeAt(old, "spec") ?? {};
  const isNewClass = isBalancer(spec) && isBalancer(before) && !sameValue(spec, before, "loadBalancerClass");
  const isNewPort =
    needsHealthCheck(spec) &&
    needsHealthCheck(before) &&
    numberAt(spec, "healthCheckNodePort") !== numberAt(before, "healthCheckNodePort");
  return faults(
    checkSameAddresses(spec, before),
    isNewClass &&
      invalid("spec.loadBalancerClass", nodeAt(spec, "loadBalancerClass"), "may not change once set"),
    isNewPort && forbidden("spec.healthCheckNodePort", "field is immutable"),
  );
}
