/**
 * What a service gets unasked when it is written: its address, the family of it, the ports of nodes. The cluster
 * has IPv4 only.
 */

import { type FieldError, faults, invalid, refuseInvalid } from "../../field-errors.ts";
import { internalError } from "../../status-errors.ts";
import { ensureTree, numberAt, stringAt, stringMapAt, stringsAt, type Tree } from "../../tree.ts";
import { familyOf } from "../../validate/addresses.ts";
import { Field } from "../../validate/field.ts";
import { allocateNodePorts } from "./node-ports.ts";
import type { AddressPool } from "./service-addresses.ts";
import { isHeadless, needsAddress, needsHealthCheck, usesNodePorts } from "./service-facts.ts";
import { checkAddresses } from "./validate/service-addresses.ts";

/** Fills a service in; `old` is undefined for a new one. Throws KubeApiError where it asks for what it cannot get. */
export function allocateService(service: Tree, old: Tree | undefined, pool: AddressPool): void {
  const spec = ensureTree(service, "spec");
  const refuse = (errors: readonly FieldError[]): void =>
    refuseInvalid({ group: "", kind: "Service" }, stringAt(service, "metadata", "name"), errors);
  if (needsAddress(spec)) {
    setPolicy(spec, old);
    refuse(checkAddresses(Field.of(service).at("spec")));
    refuse(fillFamilies(spec));
    refuse(takeAddress(spec, old, pool));
  }
  if (usesNodePorts(spec)) {
    refuse(allocateNodePorts(spec, old, pool));
  }
  takeHealthPort(spec, old, pool);
}

const policy = "ipFamilyPolicy";

/** Headless services without selector are for all families: who writes their endpoints knows which. */
function setPolicy(spec: Tree, old: Tree | undefined): void {
  if (stringAt(spec, policy) === "") {
    const before = stringAt(old, policy);
    const fresh = hasFreeFamilies(spec) ? "RequireDualStack" : "SingleStack";
    spec[policy] = before === "" ? fresh : before;
  }
}

function hasFreeFamilies(spec: Tree): boolean {
  return stringAt(spec, "clusterIP") === "None" && stringMapAt(spec, "selector").size === 0;
}

function fillFamilies(spec: Tree): FieldError[] {
  const chosen = stringAt(spec, policy);
  const errors = [...checkCounts(spec, chosen), ...inferFamilies(spec)];
  if (errors.length > 0) {
    return errors;
  }
  const families = stringsAt(spec, "ipFamilies");
  if (hasFreeFamilies(spec)) {
    const [first = "IPv4"] = families;
    const both = [first, first === "IPv4" ? "IPv6" : "IPv4"];
    spec["ipFamilies"] = families.length > 1 ? families : chosen === "SingleStack" ? [first] : both;
    return [];
  }
  spec["ipFamilies"] = families.length === 0 ? ["IPv4"] : families;
  return [...checkConfigured(chosen, families)];
}

function checkCounts(spec: Tree, chosen: string): FieldError[] {
  const why = (what: string) =>
    `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
  const isDouble = (field: string): boolean =>
    chosen === "SingleStack" && stringsAt(spec, field).length === 2;
  return faults(
    isDouble("clusterIPs") && invalid("spec.ipFamilyPolicy", chosen, why("cluster IPs")),
    isDouble("ipFamilies") && invalid("spec.ipFamilyPolicy", chosen, why("IP families")),
  );
}

/** Addresses that the client chose say which families it wants. */
function inferFamilies(spec: Tree): FieldError[] {
  const addresses = stringsAt(spec, "clusterIPs");
  const families = stringsAt(spec, "ipFamilies");
  const errors: FieldError[] = [];
  for (const [index, address] of addresses.entries()) {
    if (address === "None") {
      break;
    }
    const family = familyOf(address) ?? "IPv4";
    if (index < families.length) {
      continue;
    }
    if (family === "IPv6") {
      const why = `${family} is not configured on this cluster`;
      errors.push(invalid(`spec.clusterIPs[${index}]`, addresses, why));
    } else {
      families.push(family);
      spec["ipFamilies"] = families;
    }
  }
  return errors;
}

function checkConfigured(chosen: string, families: readonly string[]): FieldError[] {
  return faults(
    chosen === "RequireDualStack" &&
      invalid("spec.ipFamilyPolicy", chosen, "this cluster is not configured for dual-stack services"),
    families.flatMap((family, index) =>
      family === "IPv4"
        ? []
        : [invalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")],
    ),
  );
}

/** A new service gets its address, and one that had none so far. */
function takeAddress(spec: Tree, old: Tree | undefined, pool: AddressPool): FieldError[] {
  if (isHeadless(spec) || (old !== undefined && needsAddress(old))) {
    return [];
  }
  const [asked = ""] = stringsAt(spec, "clusterIPs");
  const fault = asked === "" ? undefined : addressFault(asked, pool);
  if (fault !== undefined) {
    const why = `failed to allocate IP ${asked}: ${fault}`;
    return [invalid("spec.clusterIPs", [asked], why)];
  }
  const address = asked === "" ? pool.freeAddress() : asked;
  if (address === undefined) {
    throw internalError("failed to allocate a serviceIP: range is full");
  }
  spec["clusterIP"] = address;
  spec["clusterIPs"] = [address];
  return [];
}

function addressFault(address: string, pool: AddressPool): string | undefined {
  if (!pool.hasAddress(address)) {
    return "the provided network does not match the current range";
  }
  return pool.isAddressTaken(address) ? "provided IP is already allocated" : undefined;
}

function takeHealthPort(spec: Tree, old: Tree | undefined, pool: AddressPool): void {
  const had = old !== undefined && needsHealthCheck(old);
  if (needsHealthCheck(spec) && !had && !numberAt(spec, "healthCheckNodePort")) {
    const port = pool.freePort(new Set());
    if (port === undefined) {
      throw internalError("failed to allocate a HealthCheck NodePort 0: range is full");
    }
    spec["healthCheckNodePort"] = port;
  }
}
