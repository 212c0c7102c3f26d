/** Webhook configurations. The embedded cluster calls nobody; they are kept as they would be. */

import { duplicate, type FieldError, faults, invalid, required } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { enumField } from "../../schema/enum-fields.ts";
import {
  nodeAt,
  numberAt,
  stringAt,
  stringsAt,
  type Tree,
  type TreeNode,
  treeAt,
  treesAt,
} from "../../tree.ts";
import { dns1035Label, dnsSubdomain, rangeMessage } from "../../validate/text-rules.ts";
import {
  below,
  checkChoice,
  checkEach,
  checkEnum,
  checkLabelSelector,
  checkPort,
  checkRequiredText,
} from "../../validate/tree-checks.ts";

/** The rules of both kinds of webhook configurations. */
export const webhookRules: KindRules = {
  generation: changesOf("webhooks"),
  unconditionalUpdate: false,
  check: ({ tree: configuration }) => {
    const hooks = treesAt(configuration, "webhooks");
    const names = hooks.map((hook) => stringAt(hook, "name"));
    return checkEach("webhooks", hooks, (path, hook) => {
      const name = stringAt(hook, "name");
      const isTwice = name !== "" && names.indexOf(name) < hooks.indexOf(hook);
      return faults(
        checkHook(path, hook),
        checkVersions(below(path, "admissionReviewVersions"), stringsAt(hook, "admissionReviewVersions")),
        isTwice && duplicate(below(path, "name"), name),
      );
    });
  },
};

/** The rules of policies in the language CEL. */
export const admissionPolicyRules: KindRules = { generation: changesOf("spec"), unconditionalUpdate: false };

function checkHook(path: string, hook: Tree): FieldError[] {
  const name = stringAt(hook, "name");
  const seconds = numberAt(hook, "timeoutSeconds") ?? 10;
  return faults(
    checkHookName(below(path, "name"), name),
    checkEach(below(path, "rules"), treesAt(hook, "rules"), checkRule),
    checkEnum(path, hook, "admissionregistration.v1.MutatingWebhook.failurePolicy"),
    checkEnum(path, hook, "admissionregistration.v1.MutatingWebhook.matchPolicy"),
    checkSideEffects(below(path, "sideEffects"), nodeAt(hook, "sideEffects")),
    (seconds > 30 || seconds < 1) &&
      invalid(below(path, "timeoutSeconds"), seconds, "the timeout value must be between 1 and 30 seconds"),
    checkLabelSelector(below(path, "namespaceSelector"), treeAt(hook, "namespaceSelector")),
    checkLabelSelector(below(path, "objectSelector"), treeAt(hook, "objectSelector")),
    nodeAt(hook, "reinvocationPolicy") === undefined ||
      checkChoice(below(path, "reinvocationPolicy"), stringAt(hook, "reinvocationPolicy"), [
        "IfNeeded",
        "Never",
      ]),
    checkClient(below(path, "clientConfig"), treeAt(hook, "clientConfig")),
  );
}

function checkHookName(path: string, name: string): FieldError[] {
  const why = "should be a domain with at least three segments separated by dots";
  const errors = checkRequiredText(path, name, dnsSubdomain);
  return errors.length === 0 && name.split(".").length < 3 ? [invalid(path, name, why)] : errors;
}

function checkSideEffects(path: string, effects: TreeNode | undefined): FieldError[] {
  const known = ["None", "NoneOnDryRun"];
  return typeof effects === "string"
    ? checkChoice(path, effects, known)
    : [required(path, "must specify one of None, NoneOnDryRun")];
}

function checkRule(path: string, rule: Tree): FieldError[] {
  const list = stringsAt(rule, "operations");
  const operations = enumField("admissionregistration.v1.RuleWithOperations.operations");
  const wild = (field: string, what: string): FieldError[] => {
    const values = stringsAt(rule, field);
    const at = below(path, field);
    const why = `if '*' is present, must not specify other ${what}`;
    return faults(
      values.length === 0 && required(at),
      values.length > 1 && values.includes("*") && invalid(at, values, why),
    );
  };
  return faults(
    list.length === 0 && required(below(path, "operations")),
    list.flatMap((operation, index) =>
      checkChoice(`${below(path, "operations")}[${index}]`, operation, operations.words),
    ),
    wild("apiGroups", "API groups"),
    wild("apiVersions", "API versions"),
    stringsAt(rule, "resources").length === 0 && required(below(path, "resources")),
    checkChoice(below(path, "scope"), stringAt(rule, "scope"), ["*", "Cluster", "Namespaced"]),
  );
}

function checkClient(path: string, client: Tree | undefined): FieldError[] {
  const service = treeAt(client, "service");
  const url = nodeAt(client, "url");
  if ((service === undefined) === (url === undefined)) {
    return [required(path, "exactly one of url or service is required")];
  }
  return service === undefined
    ? checkUrl(below(path, "url"), typeof url === "string" ? url : "")
    : checkService(below(path, "service"), service);
}

function checkService(path: string, service: Tree): FieldError[] {
  const port = nodeAt(service, "port");
  return [
    ...checkRequiredText(below(path, "name"), stringAt(service, "name")),
    ...checkRequiredText(below(path, "namespace"), stringAt(service, "namespace")),
    ...checkPort(below(path, "port"), port).map(() =>
      invalid(below(path, "port"), port, `port is not valid: ${rangeMessage(1, 65_535)}`),
    ),
    ...checkServicePath(below(path, "path"), stringAt(service, "path")),
  ];
}

function checkServicePath(path: string, text: string): FieldError[] {
  if (text === "" || text === "/") {
    return [];
  }
  const start = text.startsWith("/") ? [] : [invalid(path, text, "must start with a '/'")];
  if (text.startsWith("/") && text.includes("//")) {
    return [
      ...start,
      invalid(path, text, `segment[${text.split("//")[0]?.split("/").length ?? 1}] may not be empty`),
    ];
  }
  const segments = text.replace(/\/$/, "").split("/").slice(1);
  return faults(
    start,
    segments.length === 0 && invalid(path, text, "segment[0] may not be empty"),
    segments.flatMap((segment, index) =>
      dnsSubdomain(segment).map((message) => invalid(path, text, `segment[${index}]: ${message}`)),
    ),
  );
}

const form = "; desired format: https://host[/path]";

function checkUrl(path: string, text: string): FieldError[] {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "https:") {
    const scheme = url === null ? text : url.protocol.slice(0, -1);
    return [invalid(path, scheme, `'https' is the only allowed URL scheme${form}`)];
  }
  return faults(
    (url.username === "" && url.password === "") ||
      invalid(path, "***", "user information is not permitted in the URL"),
    url.hash === "" || invalid(path, url.hash.slice(1), "fragments are not permitted in the URL"),
    url.search === "" || invalid(path, url.search.slice(1), "query parameters are not permitted in the URL"),
  );
}

const understood = ["v1", "v1beta1"];

function checkVersions(path: string, versions: string[]): FieldError[] {
  if (versions.length === 0) {
    return [required(path, `must specify one of ${understood.join(", ")}`)];
  }
  const isKnown = versions.some((version) => understood.includes(version));
  return faults(
    versions.flatMap((version, index) =>
      versions.indexOf(version) < index
        ? [invalid(`${path}[${index}]`, version, "duplicate version")]
        : dns1035Label(version).map((message) => invalid(`${path}[${index}]`, version, message)),
    ),
    isKnown || invalid(path, versions, `must include at least one of ${understood.join(", ")}`),
  );
}
