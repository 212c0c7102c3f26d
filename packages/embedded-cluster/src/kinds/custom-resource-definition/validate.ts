import { type FieldError, faults } from "../../field-errors.ts";
import { isTree, type TreeNode } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import { dns1035Label, dnsSubdomain, inOneMessage, type TextRule } from "../../validate/text-rules.ts";
import { checkSharedParts, checkVersions } from "./validate-versions.ts";

/** The name of a definition: that of its resource and its group. */
export function checkName(definition: Field): FieldError[] {
  const [name, spec] = [definition.at("metadata.name"), definition.at("spec")];
  const isGood = name.text === `${spec.at("names.plural").text}.${spec.at("group").text}`;
  return faults(isGood || name.invalid('must be spec.names.plural+"."+spec.group'));
}

/** All of a definition but its name. */
export function checkDefinition(definition: Field): FieldError[] {
  const spec = definition.at("spec");
  const [scope, versions] = [spec.at("scope"), spec.at("versions")];
  return faults(
    spec.at("group").needs(groupName),
    scope.text === "" ? scope.required() : scope.oneOf(["Cluster", "Namespaced"]),
    versions.each((version) => {
      const schema = version.at("schema.openAPIV3Schema");
      return schema.isSet || schema.required();
    }),
    checkDefaultsAllowed(spec),
    checkVersions(versions),
    checkNames(spec.at("names")),
    checkSharedParts(versions),
    checkStored(definition),
    checkApproval(definition),
    checkPruning(spec.at("preserveUnknownFields")),
  );
}

const groupName: TextRule = (group) => {
  const found = inOneMessage(dnsSubdomain)(group);
  return found.length > 0 || group.includes(".") ? found : ["should be a domain with at least one dot"];
};

/** Where all unknown fields are kept, no field can be missing. */
function checkDefaultsAllowed(spec: Field): FieldError[] {
  const preserve = spec.at("preserveUnknownFields");
  const hasDefaults = spec.at("versions").items.some((version) => holdsDefault(version.at("schema").value));
  const why = "must be false in order to use defaults in the schema";
  return faults(preserve.isTrue && hasDefaults && preserve.invalid(why));
}

function holdsDefault(schema: TreeNode | undefined): boolean {
  return isTree(schema)
    ? schema["default"] !== undefined || Object.values(schema).some(holdsDefault)
    : Array.isArray(schema) && schema.some(holdsDefault);
}

function checkPruning(preserve: Field): FieldError[] {
  const why =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return faults(preserve.isTrue && preserve.invalid(why));
}

function checkNames(names: Field): FieldError[] {
  const [kind, listKind] = [names.at("kind"), names.at("listKind")];
  const isSame = kind.text !== "" && kind.text === listKind.text;
  return faults(
    names.all(["plural", "singular", "kind", "listKind"], (name) => name.needs()),
    names.all(["plural", "singular"], (name) => name.follows(label)),
    names.all(["kind", "listKind"], (name) => name.follows(mixedCaseLabel)),
    names.at("shortNames").each((name) => name.follows(label)),
    isSame && listKind.invalid("kind and listKind may not be the same"),
    names.at("categories").each((name) => name.follows(label)),
  );
}

/** Empty, or a DNS-1035 label. */
const label: TextRule = (name) => (name === "" ? [] : inOneMessage(dns1035Label)(name));

const mixedCaseLabel: TextRule = (name) =>
  label(name.toLowerCase()).map((why) => `may have mixed case, but should otherwise match: ${why}`);

/** Versions in which objects may still be kept must stay, and the one in which new ones are kept is one of them. */
function checkStored(definition: Field): FieldError[] {
  const [stored, versions] = [definition.at("status.storedVersions"), definition.at("spec.versions")];
  const names = versions.items.map((version) => version.at("name").text);
  if (stored.items.length === 0) {
    return [stored.invalid("must have at least one stored version", null)];
  }
  return faults(
    versions.each((version) => {
      const name = version.at("name").text;
      const isListed = !version.at("storage").isTrue || stored.texts.includes(name);
      return isListed || stored.invalid(`must have the storage version ${name}`);
    }),
    stored.each((name) => names.includes(name.text) || name.invalid(missingVersion(name.text))),
  );
}

function missingVersion(name: string): string {
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}

const approval = "api-approved.kubernetes.io";

/** Groups of Kubernetes itself are not for everybody. */
function checkApproval(definition: Field): FieldError[] {
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(definition.at("spec.group").text);
  const note = definition.at("metadata.annotations").key(approval);
  const see = "see https://github.com/kubernetes/enhancements/pull/1111";
  const need = `protected groups must have approval annotation "${approval}"`;
  if (!isProtected || note.text.startsWith("unapproved") || URL.canParse(note.text)) {
    return [];
  }
  return note.text === ""
    ? [note.required(`${need}, ${see}`)]
    : [note.invalid(`${need} with either a URL or a reason starting with "unapproved", ${see}`)];
}
