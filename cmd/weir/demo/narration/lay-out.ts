import { makeVisible } from "@weir/base";

/** How many lines a text gets; the rest is cut. */
const mostLines = 4;

/**
 * Breaks a text at its blanks into lines of at most `width` characters; a longer word is broken anywhere. A text of more
 * than four lines ends with "…". What a terminal would interpret becomes visible.
 */
export function layOut(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of makeVisible(text)
    .split(" ")
    .flatMap((each) => piecesOf(each, width))) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  const last = lines[mostLines - 1] ?? "";
  return lines.length > mostLines
    ? [...lines.slice(0, mostLines - 1), `${last.slice(0, width - 1)}…`]
    : lines;
}

function piecesOf(word: string, width: number): readonly string[] {
  return word.length <= width ? [word] : (word.match(new RegExp(`.{1,${width}}`, "gu")) ?? []);
}
