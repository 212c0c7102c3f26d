/** What was asked and answered, as Markdown. */

/** A request and its answer, as they went over the wire. */
export interface Exchange {
  readonly title: string;
  readonly says: string;
  readonly request: string;
  readonly answer: string;
}

/** What examples may speak of before it is known: "{git}", "{revision}" and "{job}". */
export type Known = Readonly<Record<string, string>>;

/** Puts in what is known by now. */
export function fill(text: string, known: Known): string {
  return text.replaceAll(/\{(git|revision|job)\}/g, (place, name: string) => known[name] ?? place);
}

const longest = 400;

/** A text that is the same for every run: what is made by chance or time becomes a placeholder. */
export function steady(text: string, places: Readonly<Record<string, string>>): string {
  const placed = Object.entries(places).reduce((rest, [from, to]) => rest.replaceAll(from, to), text);
  return withoutShortRevisions(placed)
    .replaceAll(/(:pod\/[\w-]+)-[a-z0-9]{5}\b/g, "$1-<suffix>")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<job>")
    .replaceAll(/\b[0-9a-f]{40}\b/g, "<revision>")
    .replaceAll(/sha256\.[\w-]{43}/g, "sha256.…")
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, "<time>")
    .replaceAll(/"id": \d{13}/g, '"id": <number>')
    .replaceAll(/[A-Za-z0-9+/=]{200,}/g, (base64) => `${base64.slice(0, 60)}…`);
}

/** The text with a placeholder for each abbreviation of a commit that it names in full. */
function withoutShortRevisions(text: string): string {
  const revisions = new Set(text.match(/\b[0-9a-f]{40}\b/g));
  return [...revisions].reduce(
    (rest, revision) => rest.replaceAll(new RegExp(`\\b${revision.slice(0, 7)}\\b`, "g"), "<revision>"),
    text,
  );
}

/** True for the status of a job that has not ended. */
export function isUnderWay(answer: string): boolean {
  return /"StatusString":"(queued|running)"/.test(answer);
}

/** JSON in lines; what is no JSON stays as it is. */
export function inLines(text: string): string {
  try {
    const pretty = JSON.stringify(JSON.parse(text), undefined, 2);
    return text.length < longest && !text.includes('{"') ? text : pretty;
  } catch {
    return text.trimEnd();
  }
}

/** The exchanges of a chapter. */
export function chapter(title: string, intro: string, exchanges: readonly Exchange[]): string {
  const sections = exchanges.map(
    ({ title, says, request, answer }) =>
      `### ${title}\n\n${says}\n\n\`\`\`sh\n${request}\n\`\`\`\n\n\`\`\`\n${answer}\n\`\`\`\n`,
  );
  return `## ${title}\n\n${intro}\n\n${sections.join("\n")}`;
}
