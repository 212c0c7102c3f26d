import { resolvePlain, styleOf } from "@weir/yaml/go-yaml";

/** Characters that JSON leaves unescaped and YAML 1.1 treats as line breaks or ignores. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/** A string as a single-line YAML scalar: plain if it's read back unchanged, or else in double quotes. */
export function yamlWord(text: string): string {
  const isPlain = styleOf(text, "plain") === "plain" && resolvePlain(text).tag === "str";
  return isPlain ? text : JSON.stringify(text).replace(unprintable, escape);
}

function escape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
