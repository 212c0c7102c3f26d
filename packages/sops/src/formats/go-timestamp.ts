const pattern =
  /^(?<year>[0-9]{4})-(?<month>[0-9]{1,2})-(?<day>[0-9]{1,2})(?:[Tt ]+(?<hour>[0-9]{1,2}):(?<minute>[0-9]{1,2}):(?<second>[0-9]{1,2})(?:[.,](?<fraction>[0-9]+))?(?<zone>Z|[+-][0-9]{2}:[0-9]{2})?)?$/;

/** A timestamp of YAML in the form in which Go prints it, RFC 3339 with up to nine digits after the second. */
export function goTimestamp(text: string): string {
  const { groups = {} } = pattern.exec(text) ?? {};
  const part = (name: string): string => (groups[name] ?? "0").padStart(2, "0");
  const digits = (groups["fraction"] ?? "").slice(0, 9).replace(/0+$/, "");
  const fraction = digits === "" ? "" : `.${digits}`;
  const zone = (groups["zone"] ?? "Z").replace(/^[+-]00:00$/, "Z");
  const date = `${groups["year"] ?? "0000"}-${part("month")}-${part("day")}`;
  return `${date}T${part("hour")}:${part("minute")}:${part("second")}${fraction}${zone}`;
}
