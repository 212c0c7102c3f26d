/** The code blocks of a page in one language that are below a heading, up to the next one; joined. */
export function codeBelow(page: string, heading: string, language: string): string {
  const start = page.indexOf(`\n## ${heading}\n`);
  if (start === -1) {
    throw new Error(`the page has no heading "${heading}"`);
  }
  const end = page.indexOf("\n## ", start + 1);
  const chapter = page.slice(start, end === -1 ? undefined : end);
  const blocks = [...chapter.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))];
  if (blocks.length === 0) {
    throw new Error(`there is no ${language} below "${heading}"`);
  }
  return blocks.map(([, code = ""]) => code).join("");
}
