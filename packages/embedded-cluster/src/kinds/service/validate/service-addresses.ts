/** The addresses of a service: its one address, the list of them, their families. */

import {
  duplicate,
  type FieldError,
  faults,
  invalid,
  notSupported,
  required,
} from "../../../field-errors.ts";
import { stringAt, stringsAt, type Tree } from "../../../tree.ts";
import { checkIp, familyOf } from "../../../validate/addresses.ts";
import { checkEnum } from "../../../validate/checks.ts";

import { isHeadless } from "../service-facts.ts";

const list = "spec.clusterIPs";

/** What is wrong with the addresses of a service that has some: of any type but ExternalName. */
export function checkAddresses(spec: Tree): FieldError[] {
  const addresses = stringsAt(spec, "clusterIPs");
  const malformed = addresses.flatMap((address, index) =>
    index === 0 && address === "None"
      ? addresses.length > 1
        ? [invalid(list, addresses, "'None' must be the first and only value")]
        : []
      : checkIp(`${list}[${index}]`, address),
  );
  return faults(
    checkAligned(stringAt(spec, "clusterIP"), addresses),
    checkFamilies(stringsAt(spec, "ipFamilies")),
    checkEnum("spec", spec, "core.v1.ServiceSpec.ipFamilyPolicy"),
    malformed,
    addresses.length > 2 && invalid(list, addresses, "may only hold up to 2 values"),
    malformed.length > 0 || checkPair(spec, addresses),
  );
}

function checkAligned(address: string, addresses: string[]): FieldError[] {
  if (address === "") {
    return addresses.length === 0
      ? []
      : [invalid(list, addresses, "must be empty when `clusterIP` is not specified")];
  }
  if (addresses.length === 0) {
    return [required(list)];
  }
  return addresses[0] === address ? [] : [invalid(list, addresses, "first value must match `clusterIP`")];
}

function checkFamilies(families: readonly string[]): FieldError[] {
  return families.flatMap((family, index) => {
    const path = `spec.ipFamilies[${index}]`;
    return faults(
      ["IPv4", "IPv6"].includes(family) || notSupported(path, family, ["IPv4", "IPv6"]),
      families.indexOf(family) < index && duplicate(path, family),
    );
  });
}

function checkPair(spec: Tree, addresses: string[]): FieldError[] {
  const [first, second] = addresses.map(familyOf);
  const families = stringsAt(spec, "ipFamilies");
  return faults(
    addresses.length > 1 &&
      first === second &&
      invalid(list, addresses, "may specify no more than one IP for each IP family"),
    isHeadless(spec) ||
      addresses.flatMap((address, index) => {
        const wanted = families[index];
        return wanted === undefined || wanted === familyOf(address)
          ? []
          : [
              invalid(
                `${list}[${index}]`,
                address,
                `expected an ${wanted} value as indicated by \`ipFamilies[${index}]\``,
              ),
            ];
      }),
  );
}

/** Addresses and families stay what they were; only to and from ExternalName they may go and come. */
export function checkSameAddresses(spec: Tree, old: Tree): FieldError[] {
  const isEither = stringAt(spec, "type") === "ExternalName" || stringAt(old, "type") === "ExternalName";
  if (isEither) {
    return [];
  }
  const isBoth = isHeadless(spec) && isHeadless(old);
  return faults(
    isBoth || checkSameList(spec, old),
    isHeadless(spec) || isHeadless(old) || checkSameFamilies(spec, old),
  );
}

function checkSameList(spec: Tree, old: Tree): FieldError[] {
  const now = stringsAt(spec, "clusterIPs");
  const before = stringsAt(old, "clusterIPs");
  if (now.length === 0 && before.length > 0) {
    return [invalid(`${list}[0]`, null, "primary clusterIP can not be unset")];
  }
  const compared = now.length === before.length ? before : before.slice(0, 1);
  return compared.flatMap((address, index) =>
    now[index] === address ? [] : [invalid(`${list}[${index}]`, now, "may not change once set")],
  );
}

function checkSameFamilies(spec: Tree, old: Tree): FieldError[] {
  const now = stringsAt(spec, "ipFamilies");
  const before = stringsAt(old, "ipFamilies");
  const compared = now.length === before.length ? before : before.slice(0, 1);
  return compared.flatMap((family, index) =>
    now[index] === family ? [] : [invalid("spec.ipFamilies[0]", now, "may not change once set")],
  );
}
