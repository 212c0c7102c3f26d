/** The forms that names and other texts must have, each with the API server's words for what is wrong. */

/** Says what is wrong with a text; nothing where it is right. */
export type TextRule = (value: string) => readonly string[];

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const label1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const qualifiedName = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

const isSubdomain = whole(subdomain);

/** A DNS-1123 label: names of namespaces, containers, volumes. */
export const dnsLabel: TextRule = (value) => [
  ...atMost(63, value),
  ...(whole(label).test(value)
    ? []
    : isSubdomain.test(value)
      ? ["must not contain dots"]
      : [
          withRegex(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
            label,
            "my-name",
            "123-abc",
          ),
        ]),
];

/** A DNS-1123 subdomain: names of most objects. */
export const dnsSubdomain: TextRule = (value) => [
  ...atMost(253, value),
  ...matches(
    isSubdomain,
    value,
    withRegex(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      subdomain,
      "example.com",
    ),
  ),
];

/** A DNS-1035 label: names of services. */
export const dns1035Label: TextRule = (value) => [
  ...atMost(63, value),
  ...matches(
    whole(label1035),
    value,
    withRegex(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
      label1035,
      "my-name",
      "abc-123",
    ),
  ),
];

/** A subdomain that begins with "*.". */
export const wildcardSubdomain: TextRule = (value) => [
  ...atMost(253, value),
  ...matches(
    whole(`\\*\\.${subdomain}`),
    value,
    withRegex(
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
      `\\*\\.${subdomain}`,
      "*.example.com",
    ),
  ),
];

const nameMessage = withRegex(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  qualifiedName,
  "MyName",
  "my.name",
  "123-abc",
);

/** A key of a label or annotation: a name, with a DNS subdomain and a slash before it at will. */
export const qualifiedKey: TextRule = (value) => {
  const parts = value.split("/");
  const name = parts.at(-1) ?? "";
  if (parts.length > 2) {
    const optional = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    return [`a qualified name ${nameMessage} ${optional}`];
  }
  return [
    ...(parts.length === 2 ? prefixFaults(parts[0] ?? "") : []),
    ...(name === "" ? ["name part must be non-empty"] : atMost(63, name).map((text) => `name part ${text}`)),
    ...matches(whole(qualifiedName), name, `name part ${nameMessage}`),
  ];
};

/** The value of a label. */
export const labelValue: TextRule = (value) => [
  ...atMost(63, value),
  ...matches(
    whole(`(${qualifiedName})?`),
    value,
    withRegex(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      `(${qualifiedName})?`,
      "MyValue",
      "my_value",
      "12345",
    ),
  ),
];

/** The name of a port of a container or service target. */
export const portName: TextRule = (value) => [
  ...atMost(15, value),
  ...matches(/^[-a-z0-9]+$/, value, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"),
  ...matches(/[a-z]/, value, "must contain at least one letter (a-z)"),
  ...(value.includes("--") ? ["must not contain consecutive hyphens"] : []),
  ...(/^-|-$/.test(value) ? ["must not begin or end with a hyphen"] : []),
];

/** The name of an environment variable. */
export const envName: TextRule = (value) =>
  value === ""
    ? ["environment variable name must be non-empty"]
    : matches(
        /^[ -<>-~]*$/,
        value,
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      );

/** A key of a ConfigMap or Secret. */
export const configKey: TextRule = (value) => [
  ...atMost(253, value),
  ...matches(
    /^[-._a-zA-Z0-9]+$/,
    value,
    withRegex(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
      "[-._a-zA-Z0-9]+",
      "key.name",
      "KEY_NAME",
      "key-name",
    ),
  ),
  ...parentFolderFaults(value),
];

/** What may stand as one part of a URL path: all that is asked of the names of RBAC objects. */
export const pathSegment: TextRule = (value) => {
  if (value === "." || value === "..") {
    return [`may not be '${value}'`];
  }
  return ["/", "%"].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
};

/** A path without "..", which would lead to a parent folder. */
export const noBackSteps: TextRule = (value) =>
  value.split("/").includes("..") ? ["must not contain '..'"] : [];

/** A relative path that stays below the folder where it starts. */
export const descendingPath: TextRule = (value) => [
  ...(value.startsWith("/") ? ["must be a relative path"] : []),
  ...noBackSteps(value),
];

/** A percentage such as "25%". */
export const percent: TextRule = (value) =>
  matches(
    /^[0-9]+%$/,
    value,
    withRegex(
      "a valid percent string must be a numeric string followed by an ending '%'",
      "[0-9]+%",
      "1%",
      "93%",
    ),
  );

/** A rule for names that are made by appending to a prefix: a dash at the end is good there. */
export function asPrefix(rule: TextRule): TextRule {
  return (value) => rule(value.length > 1 && value.endsWith("-") ? `${value.slice(0, -2)}a` : value);
}

/** A rule that says in one message all that is wrong with a text. */
export function inOneMessage(rule: TextRule): TextRule {
  return (value) => {
    const found = rule(value);
    return found.length === 0 ? [] : [found.join(",")];
  };
}

/** The number is outside of the range, in the API server's words. */
export function rangeMessage(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** A message with the regular expression and examples, as the API server writes it. */
export function withRegex(message: string, regex: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return examples.length === 0
    ? `${message} (regex used for validation is '${regex}')`
    : `${message} (e.g. ${shown}regex used for validation is '${regex}')`;
}

function prefixFaults(prefix: string): readonly string[] {
  return prefix === ""
    ? ["prefix part must be non-empty"]
    : dnsSubdomain(prefix).map((text) => `prefix part ${text}`);
}

function parentFolderFaults(value: string): readonly string[] {
  if (value === "." || value === "..") {
    return [`must not be '${value}'`];
  }
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}

function atMost(length: number, value: string): readonly string[] {
  return Buffer.byteLength(value) > length ? [`must be no more than ${length} characters`] : [];
}

function matches(pattern: RegExp, value: string, message: string): readonly string[] {
  return pattern.test(value) ? [] : [message];
}

function whole(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`);
}
