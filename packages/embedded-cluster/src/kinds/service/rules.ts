import { type FieldError, faults } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { ensureTree, stringAt, type Tree } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
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

function checkUpdate(service: Field, old: Field): FieldError[] {
  const [spec, before] = [service.at("spec"), old.at("spec")];
  const [kind, port] = [spec.at("loadBalancerClass"), spec.at("healthCheckNodePort")];
  const areBoth = (is: (spec: Tree) => boolean): boolean => is(spec.tree) && is(before.tree);
  return faults(
    checkSameAddresses(spec, before),
    areBoth(isBalancer) &&
      !sameValue(spec.tree, before.tree, "loadBalancerClass") &&
      kind.invalid("may not change once set"),
    areBoth(needsHealthCheck) &&
      port.number !== before.at("healthCheckNodePort").number &&
      port.forbidden("field is immutable"),
  );
}
