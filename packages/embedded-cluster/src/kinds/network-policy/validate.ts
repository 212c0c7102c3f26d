import { type FieldError, faults, forbidden, invalid, notSupported, required } from "../../field-errors.ts";
import { nodeAt, numberAt, stringAt, stringsAt, type Tree, treeAt, treesAt } from "../../tree.ts";
import { checkCidr, isStrictSubset, parseCidr } from "../../validate/addresses.ts";
import { Field } from "../../validate/field.ts";
import { portName } from "../../validate/text-rules.ts";
import { below, checkEach, checkLabelSelector, checkPort, checkText } from "../../validate/tree-checks.ts";

/** The spec of a NetworkPolicy. */
export function checkNetworkPolicy(policy: Tree): FieldError[] {
  const spec = treeAt(policy, "spec") ?? {};
  return [
    ...checkLabelSelector("spec.podSelector", treeAt(spec, "podSelector")),
    ...checkRules(spec, "ingress", "from"),
    ...checkRules(spec, "egress", "to"),
    ...checkTypes(stringsAt(spec, "policyTypes")),
  ];
}

function checkRules(spec: Tree, direction: string, peers: string): FieldError[] {
  return checkEach(`spec.${direction}`, treesAt(spec, direction), (path, rule) => [
    ...checkEach(below(path, "ports"), treesAt(rule, "ports"), checkPolicyPort),
    ...checkEach(below(path, peers), treesAt(rule, peers), checkPeer),
  ]);
}

const directions = ["Ingress", "Egress"];

function checkTypes(types: string[]): FieldError[] {
  return types.length > directions.length
    ? [invalid("spec.policyTypes", types, "may not specify more than two policyTypes")]
    : types.flatMap((type, index) =>
        directions.includes(type) ? [] : [notSupported(`spec.policyTypes[${index}]`, type, directions)],
      );
}

const protocols = ["TCP", "UDP", "SCTP"];

function checkPolicyPort(path: string, entry: Tree): FieldError[] {
  const protocol = stringAt(entry, "protocol");
  const errors = protocols.includes(protocol)
    ? []
    : [notSupported(below(path, "protocol"), protocol, protocols)];
  return [...errors, ...checkPorts(path, nodeAt(entry, "port"), numberAt(entry, "endPort"))];
}

function checkPorts(path: string, port: Tree[string], end: number | undefined): FieldError[] {
  const at = below(path, "endPort");
  if (typeof port === "number") {
    const isBefore = end !== undefined && end < port;
    return faults(
      checkPort(below(path, "port"), port),
      isBefore && invalid(at, port, "must be greater than or equal to `port`"),
      end === undefined || checkPort(at, end),
    );
  }
  const why = `may not be specified when \`port\` is ${port === undefined ? "not specified" : "non-numeric"}`;
  return faults(
    end === undefined || invalid(at, end, why),
    typeof port === "string" && checkText(below(path, "port"), port, portName),
  );
}

function checkPeer(path: string, peer: Tree): FieldError[] {
  const block = treeAt(peer, "ipBlock");
  const kinds = ["podSelector", "namespaceSelector", "ipBlock"].filter(
    (field) => nodeAt(peer, field) !== undefined,
  );
  const errors = faults(
    checkLabelSelector(below(path, "podSelector"), treeAt(peer, "podSelector")),
    checkLabelSelector(below(path, "namespaceSelector"), treeAt(peer, "namespaceSelector")),
    block === undefined || checkBlock(below(path, "ipBlock"), block),
  );
  if (kinds.length === 0) {
    return [...errors, required(path, "must specify a peer")];
  }
  return kinds.length > 1 && block !== undefined
    ? [...errors, forbidden(path, "may not specify both ipBlock and another peer")]
    : errors;
}

function checkBlock(path: string, block: Tree): FieldError[] {
  const cidr = stringAt(block, "cidr");
  if (cidr === "") {
    return [required(below(path, "cidr"))];
  }
  const outer = parseCidr(cidr);
  return outer === undefined
    ? checkCidr(Field.named(below(path, "cidr"), cidr))
    : stringsAt(block, "except").flatMap((except, index) => {
        const at = `${below(path, "except")}[${index}]`;
        const inner = parseCidr(except);
        return inner === undefined || isStrictSubset(inner, outer)
          ? checkCidr(Field.named(at, except))
          : [invalid(at, except, "must be a strict subset of `cidr`")];
      });
}
