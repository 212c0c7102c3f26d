import type { Finding, Verdict } from "@weir/base";
import type { Paint } from "./paint.ts";

/** How to print findings. */
export interface FindingsStyle {
  readonly paint: Paint;
  /** Symbols on a terminal, words otherwise. */
  readonly marks: boolean;
}

const marks: Readonly<Record<Verdict, string>> = { passed: "✔", warning: "!", failed: "✗" };
const words: Readonly<Record<Verdict, string>> = { passed: "passed", warning: "warning", failed: "failed" };
const colours: Readonly<Record<Verdict, keyof Paint>> = {
  passed: "good",
  warning: "pending",
  failed: "bad",
};

/** Prints a line for each finding, followed by a remedy if there is one. */
export function printFindings(
  findings: readonly Finding[],
  { paint, marks: isScreen }: FindingsStyle,
): string {
  const names = isScreen ? marks : words;
  const verdictWidth = Math.max(...Object.values(names).map((name) => name.length));
  const subjectWidth = Math.max(0, ...findings.map(({ subject }) => subject.length));
  const indent = " ".repeat(verdictWidth + 2);
  return findings
    .map(({ subject, verdict, found, advice }) => {
      const mark = paint[colours[verdict]](names[verdict].padEnd(verdictWidth));
      const [first = "", ...more] = advice === "" ? [] : advice.split("\n");
      const lines =
        first === "" ? [] : [`${indent}What to do: ${first}`, ...more.map((each) => indent + each)];
      return `${[`${mark}  ${subject.padEnd(subjectWidth)}  ${oneLine(found)}`, ...lines].join("\n")}\n`;
    })
    .join("");
}

/** Messages from other programs can contain line breaks. */
function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, " ");
}
