import { type FieldError, faults, invalid, required } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { isTrueAt, nodeAt, numberAt, stringAt, type Tree, treeAt } from "../../tree.ts";
import { dns1035Label, dnsSubdomain, pathSegment, rangeMessage } from "../../validate/text-rules.ts";
import { checkPort, checkRequiredText, checkText } from "../../validate/tree-checks.ts";

/** The rules of APIServices. */
export const apiServiceRules: KindRules = {
  nameRule: pathSegment,
  check: ({ tree: service }) => {
    const spec = treeAt(service, "spec") ?? {};
    const [group, version] = [stringAt(spec, "group"), stringAt(spec, "version")];
    const name = stringAt(service, "metadata", "name");
    return faults(
      name === `${version}.${group}` ||
        invalid(
          "metadata.name",
          name,
          `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(`${version}.${group}`)}`,
        ),
      group === "" &&
        version !== "v1" &&
        required("spec.group", "only v1 may have an empty group and it better be legacy kube"),
      group === "" || checkText("spec.group", group, dnsSubdomain),
      checkText("spec.version", version, dns1035Label),
      checkPriority(spec, "groupPriorityMinimum", 20_000),
      checkPriority(spec, "versionPriority", 1000),
      checkBackend(spec, treeAt(spec, "service")),
    );
  },
};

function checkPriority(spec: Tree, field: string, most: number): FieldError[] {
  const priority = numberAt(spec, field) ?? 0;
  return priority <= 0 || priority > most
    ? [invalid(`spec.${field}`, priority, `must be positive and less than ${most}`)]
    : [];
}

function checkBackend(spec: Tree, service: Tree | undefined): FieldError[] {
  const isInsecure = isTrueAt(spec, "insecureSkipTLSVerify");
  const bundle = Buffer.byteLength(stringAt(spec, "caBundle"), "base64");
  if (service === undefined) {
    const why = "local APIServices may not have";
    return faults(
      bundle > 0 && invalid("spec.caBundle", `${bundle} bytes`, `${why} a caBundle`),
      isInsecure && invalid("spec.insecureSkipTLSVerify", true, `${why} insecureSkipTLSVerify`),
    );
  }
  const port = nodeAt(service, "port");
  return faults(
    checkRequiredText("spec.service.namespace", stringAt(service, "namespace")),
    checkRequiredText("spec.service.name", stringAt(service, "name")),
    checkPort("spec.service.port", port).map(() =>
      invalid("spec.service.port", port, `port is not valid: ${rangeMessage(1, 65_535)}`),
    ),
    isInsecure &&
      bundle > 0 &&
      invalid("spec.insecureSkipTLSVerify", true, "may not be true if caBundle is present"),
  );
}
