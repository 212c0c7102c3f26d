import type { TextFormat } from "./format.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The content of HTML elements and of quoted attributes. */
export const htmlFormat: TextFormat = {
  escape: escapeHtml,
  link: escapeHtml,
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
}
