import { resolvePlain, styleOf } from "@weir/yaml/go-yaml";

/** Characters that JSON writes as they are and that YAML 1.1 takes for line breaks or for nothing. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/** A text as a YAML scalar on one line: as it is where it reads back as that text, else in double quotes. */
export function yamlWord(text: string): string {
  const isPlain = styleOf(text, "plain") === "plain" && resolvePlain(text).tag === "str";
  return isPlain ? text : JSON.stringify(text).replace(unprintable, escape);
}

function escape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
