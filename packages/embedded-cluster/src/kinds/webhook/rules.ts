/** Webhook configurations. The embedded cluster calls nobody; they are kept as they would be. */

import { type FieldError, faults } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { checkCalledPort, checkLabelSelector, checkNotEmpty, repeats } from "../../validate/checks.ts";
import { Field } from "../../validate/field.ts";
import { dns1035Label, dnsSubdomain, type TextRule } from "../../validate/text-rules.ts";

/** The rules of both kinds of webhook configurations. */
export const webhookRules: KindRules = {
  generation: changesOf("webhooks"),
  unconditionalUpdate: false,
  check: (configuration) => {
    const isTwice = repeats();
    return configuration.at("webhooks").each((hook) => {
      const name = hook.at("name");
      return faults(
        checkHook(hook),
        checkVersions(hook.at("admissionReviewVersions")),
        isTwice(name.text) && name.duplicate(),
      );
    });
  },
};

/** The rules of policies in the language CEL. */
export const admissionPolicyRules: KindRules = { generation: changesOf("spec"), unconditionalUpdate: false };

function checkHook(hook: Field): FieldError[] {
  return [
    ...hook.at("name").needs(hookName),
    ...hook.at("rules").each(checkRule),
    ...hook.all(["failurePolicy", "matchPolicy"], (policy) => policy.check()),
    ...checkSideEffects(hook.at("sideEffects")),
    ...checkTimeout(hook.at("timeoutSeconds")),
    ...hook.all(["namespaceSelector", "objectSelector"], checkLabelSelector),
    ...checkReinvocation(hook),
    ...checkClient(hook.at("clientConfig")),
  ];
}

const hookName: TextRule = (name) => {
  const found = dnsSubdomain(name);
  return found.length > 0 || name.split(".").length > 2
    ? found
    : ["should be a domain with at least three segments separated by dots"];
};

function checkSideEffects(effects: Field): FieldError[] {
  return effects.isSet
    ? effects.oneOf(["None", "NoneOnDryRun"])
    : [effects.required("must specify one of None, NoneOnDryRun")];
}

function checkTimeout(seconds: Field): FieldError[] {
  const isGood = !seconds.isSet || (seconds.number >= 1 && seconds.number <= 30);
  return faults(isGood || seconds.invalid("the timeout value must be between 1 and 30 seconds"));
}

/** Only the schema of mutating webhooks has the field. */
function checkReinvocation({ path, tree }: Field): FieldError[] {
  const policy = Field.named(`${path}.reinvocationPolicy`, tree["reinvocationPolicy"]);
  return policy.isSet ? policy.oneOf(["IfNeeded", "Never"]) : [];
}

function checkRule(rule: Field): FieldError[] {
  return [
    ...checkNotEmpty(rule.at("operations")),
    ...rule.at("operations").each((operation) => operation.oneOf(operation.words)),
    ...checkWild(rule.at("apiGroups"), "API groups"),
    ...checkWild(rule.at("apiVersions"), "API versions"),
    ...checkNotEmpty(rule.at("resources")),
    ...rule.at("scope").oneOf(["*", "Cluster", "Namespaced"]),
  ];
}

function checkWild(list: Field, what: string): FieldError[] {
  const isMixed = list.items.length > 1 && list.texts.includes("*");
  return faults(
    checkNotEmpty(list),
    isMixed && list.invalid(`if '*' is present, must not specify other ${what}`),
  );
}

function checkClient(client: Field): FieldError[] {
  const [service, url] = [client.at("service"), client.at("url")];
  if (service.isSet === url.isSet) {
    return [client.required("exactly one of url or service is required")];
  }
  return url.isSet
    ? checkUrl(url)
    : [
        ...service.all(["name", "namespace"], (name) => name.needs()),
        ...checkCalledPort(service.at("port")),
        ...service.at("path").check(servicePath),
      ];
}

/** A slash, and DNS names with slashes between. */
const servicePath: TextRule = (path) => {
  const segments = path.slice(1).replace(/\/$/, "").split("/");
  const found = segments.flatMap((segment, index) =>
    segment === ""
      ? [`segment[${index}] may not be empty`]
      : dnsSubdomain(segment).map((message) => `segment[${index}]: ${message}`),
  );
  if (path === "/") {
    return [];
  }
  return path.startsWith("/") ? found : ["must start with a '/'", ...found];
};

function checkUrl(field: Field): FieldError[] {
  const url = URL.parse(field.text);
  if (url?.protocol !== "https:") {
    const why = "'https' is the only allowed URL scheme; desired format: https://host[/path]";
    return [field.invalid(why, url?.protocol.slice(0, -1) ?? field.text)];
  }
  const hasUser = url.username !== "" || url.password !== "";
  return faults(
    hasUser && field.invalid("user information is not permitted in the URL", "***"),
    url.hash === "" || field.invalid("fragments are not permitted in the URL", url.hash.slice(1)),
    url.search === "" || field.invalid("query parameters are not permitted in the URL", url.search.slice(1)),
  );
}

const understood = ["v1", "v1beta1"];

function checkVersions(versions: Field): FieldError[] {
  const { texts } = versions;
  if (texts.length === 0) {
    return [versions.required(`must specify one of ${understood.join(", ")}`)];
  }
  return faults(
    versions.each((version, index) =>
      texts.indexOf(version.text) < index
        ? version.invalid("duplicate version")
        : version.follows(dns1035Label),
    ),
    texts.some((version) => understood.includes(version)) ||
      versions.invalid(`must include at least one of ${understood.join(", ")}`),
  );
}
