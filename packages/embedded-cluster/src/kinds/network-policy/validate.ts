import { type FieldError, faults } from "../../field-errors.ts";
import { checkCidr, isStrictSubset, parseCidr } from "../../validate/addresses.ts";
import { checkLabelSelector, checkPort } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { portName } from "../../validate/text-rules.ts";

/** The spec of a NetworkPolicy. */
export function checkNetworkPolicy(policy: Field): FieldError[] {
  const spec = policy.at("spec");
  return [
    ...checkLabelSelector(spec.at("podSelector")),
    ...spec.at("ingress").each((rule) => checkRule(rule, "from")),
    ...spec.at("egress").each((rule) => checkRule(rule, "to")),
    ...checkTypes(spec.at("policyTypes")),
  ];
}

function checkRule(rule: Field, peers: string): FieldError[] {
  return [...rule.at("ports").each(checkPolicyPort), ...rule.at(peers).each(checkPeer)];
}

const directions = ["Ingress", "Egress"];

function checkTypes(types: Field): FieldError[] {
  return types.items.length > directions.length
    ? [types.invalid("may not specify more than two policyTypes")]
    : types.each((type) => type.oneOf(directions));
}

function checkPolicyPort(entry: Field): FieldError[] {
  const [port, end] = [entry.at("port"), entry.at("endPort")];
  return [
    ...entry.at("protocol").oneOf(["TCP", "UDP", "SCTP"]),
    ...(typeof port.value === "number" ? checkRange(port, end) : checkNamedPort(port, end)),
  ];
}

function checkRange(port: Field, end: Field): FieldError[] {
  const isBefore = end.isSet && end.number < port.number;
  return faults(
    checkPort(port),
    isBefore && end.invalid("must be greater than or equal to `port`", port.number),
    end.isSet && checkPort(end),
  );
}

function checkNamedPort(port: Field, end: Field): FieldError[] {
  const what = port.isSet ? "non-numeric" : "not specified";
  return faults(
    end.isSet && end.invalid(`may not be specified when \`port\` is ${what}`),
    port.isSet && port.follows(portName),
  );
}

const selectors = ["podSelector", "namespaceSelector"];

function checkPeer(peer: Field): FieldError[] {
  const block = peer.at("ipBlock");
  const isSelected = peer.whichSet(selectors).length > 0;
  return faults(
    peer.all(selectors, checkLabelSelector),
    block.isSet && checkBlock(block),
    isSelected || block.isSet || peer.required("must specify a peer"),
    isSelected && block.isSet && peer.forbidden("may not specify both ipBlock and another peer"),
  );
}

function checkBlock(block: Field): FieldError[] {
  const cidr = block.at("cidr");
  const outer = parseCidr(cidr.text);
  if (outer === undefined) {
    return cidr.text === "" ? [cidr.required()] : checkCidr(cidr);
  }
  return block.at("except").each((except) => {
    const inner = parseCidr(except.text);
    return inner === undefined || isStrictSubset(inner, outer)
      ? checkCidr(except)
      : except.invalid("must be a strict subset of `cidr`");
  });
}
