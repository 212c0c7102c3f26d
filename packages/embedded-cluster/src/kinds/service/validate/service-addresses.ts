/** The addresses of a service: its one address, the list of them, their families. */

import { type FieldError, faults } from "../../../field-errors.ts";
import { checkIp, familyOf } from "../../../validate/addresses.ts";
import { repeats } from "../../../validate/checks.ts";
import type { Field } from "../../../validate/field.ts";
import { isHeadless, needsAddress } from "../service-facts.ts";

/** What is wrong with the addresses of a service that has some: of any type but ExternalName. */
export function checkAddresses(spec: Field): FieldError[] {
  const addresses = spec.at("clusterIPs");
  const malformed = addresses.each((address, index) =>
    index === 0 && address.text === "None"
      ? addresses.items.length > 1 && addresses.invalid("'None' must be the first and only value")
      : checkIp(address),
  );
  return faults(
    checkAligned(spec.at("clusterIP").text, addresses),
    checkFamilies(spec.at("ipFamilies")),
    spec.at("ipFamilyPolicy").check(),
    malformed,
    addresses.items.length > 2 && addresses.invalid("may only hold up to 2 values"),
    malformed.length > 0 || checkPair(spec, addresses),
  );
}

function checkAligned(address: string, addresses: Field): FieldError[] {
  const [first] = addresses.texts;
  if (address === "") {
    const why = "must be empty when `clusterIP` is not specified";
    return faults(first !== undefined && addresses.invalid(why));
  }
  if (first === undefined) {
    return [addresses.required()];
  }
  return faults(first === address || addresses.invalid("first value must match `clusterIP`"));
}

function checkFamilies(families: Field): FieldError[] {
  const isTwice = repeats();
  return families.each((family) =>
    faults(family.oneOf(["IPv4", "IPv6"]), isTwice(family.text) && family.duplicate()),
  );
}

function checkPair(spec: Field, addresses: Field): FieldError[] {
  const [first, second] = addresses.texts.map(familyOf);
  const families = spec.at("ipFamilies").texts;
  const areAlike = addresses.items.length > 1 && first === second;
  return faults(
    areAlike && addresses.invalid("may specify no more than one IP for each IP family"),
    isHeadless(spec.tree) ||
      addresses.each((address, index) => {
        const wanted = families[index] ?? familyOf(address.text);
        const why = `expected an ${wanted ?? ""} value as indicated by \`ipFamilies[${index}]\``;
        return wanted === familyOf(address.text) || address.invalid(why);
      }),
  );
}

/** Addresses and families stay what they were; only to and from ExternalName they may go and come. */
export function checkSameAddresses(spec: Field, old: Field): FieldError[] {
  const [isHeadlessNow, wasHeadless] = [isHeadless(spec.tree), isHeadless(old.tree)];
  if (!needsAddress(spec.tree) || !needsAddress(old.tree)) {
    return [];
  }
  return faults(
    (isHeadlessNow && wasHeadless) || checkSameList(spec.at("clusterIPs"), old.at("clusterIPs")),
    isHeadlessNow || wasHeadless || checkSameFamilies(spec.at("ipFamilies"), old.at("ipFamilies")),
  );
}

function checkSameList(addresses: Field, old: Field): FieldError[] {
  if (addresses.items.length === 0 && old.items.length > 0) {
    return [addresses.shownAs(`${addresses.path}[0]`).invalid("primary clusterIP can not be unset", null)];
  }
  return changesIn(addresses, old).map((index) =>
    addresses.shownAs(`${addresses.path}[${index}]`).invalid("may not change once set"),
  );
}

function checkSameFamilies(families: Field, old: Field): FieldError[] {
  const first = families.shownAs(`${families.path}[0]`);
  return changesIn(families, old).map(() => first.invalid("may not change once set", [...families.texts]));
}

/** Where a list differs; of one that grew or shrank only the first item counts. */
function changesIn(list: Field, old: Field): readonly number[] {
  const [now, before] = [list.texts, old.texts];
  const compared = now.length === before.length ? before : before.slice(0, 1);
  return compared.flatMap((item, index) => (now[index] === item ? [] : [index]));
}
