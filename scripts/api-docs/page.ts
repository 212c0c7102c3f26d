/** Prints requests and responses as Markdown. */

/** A request and its response, as sent over the wire. */
export interface Exchange {
  readonly title: string;
  readonly description: string;
  readonly request: string;
  readonly answer: string;
}

/** Values for placeholders in examples: "{git}", "{revision}", and "{job}". */
export type Known = Readonly<Record<string, string>>;

/** Replaces the placeholders with known values. */
export function fill(text: string, known: Known): string {
  return text.replaceAll(/\{(git|revision|job)\}/g, (place, name: string) => known[name] ?? place);
}

const longest = 400;

/**
 * Makes text the same for every run: replaces random values and times with placeholders. `head` is the newest commit,
 * which the text may contain only abbreviated.
 */
export function steady(text: string, places: Readonly<Record<string, string>>, head: string): string {
  const placed = Object.entries(places).reduce((rest, [from, to]) => rest.replaceAll(from, to), text);
  return withoutShortRevisions(placed, head)
    .replaceAll(/(:pod\/[\w-]+)-[a-z0-9]{5}\b/g, "$1-<suffix>")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<job>")
    .replaceAll(/\b[0-9a-f]{40}\b/g, "<revision>")
    .replaceAll(/("version": ")[0-9a-z]+-\d+"/g, '$1<version>"')
    .replaceAll(/sha256\.[\w-]{43}/g, "sha256.…")
    .replaceAll(/("syncSetName": ")[\w-]{43}"/g, '$1<hash of URL and paths>"')
    .replaceAll(/("next": "<revision>\.\d+)\.\d{13}"/g, '$1.<time>"')
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})/g, "<time>")
    .replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, "<date>")
    .replaceAll(/"id": \d{13}/g, '"id": <number>')
    .replaceAll(/[A-Za-z0-9+/=]{200,}/g, (base64) => `${base64.slice(0, 60)}…`);
}

/** Replaces abbreviations of the head, and of commits that the text also contains in full. */
function withoutShortRevisions(text: string, head: string): string {
  const revisions = new Set([head, ...(text.match(/\b[0-9a-f]{40}\b/g) ?? [])]);
  return [...revisions].reduce(
    (rest, revision) =>
      rest.replaceAll(new RegExp(`\\b${revision.slice(0, 7)}[0-9a-f]{0,32}\\b`, "g"), "<revision>"),
    text,
  );
}

/** True for the status of a job that hasn't ended. */
export function isUnderWay(answer: string): boolean {
  return /"StatusString":"(queued|running)"/.test(answer);
}

/** Formats JSON; other text stays as it is. */
export function inLines(text: string): string {
  try {
    const pretty = JSON.stringify(JSON.parse(text), undefined, 2);
    return text.length < longest && !text.includes('{"') ? text : pretty;
  } catch {
    return text.trimEnd();
  }
}

/** A chapter with its exchanges. */
export function chapter(title: string, intro: string, exchanges: readonly Exchange[]): string {
  const sections = exchanges.map(
    ({ title, description, request, answer }) =>
      `### ${title}\n\n${description}\n\n\`\`\`sh\n${request}\n\`\`\`\n\n\`\`\`\n${answer}\n\`\`\`\n`,
  );
  return `## ${title}\n\n${intro}\n\n${sections.join("\n")}`;
}
