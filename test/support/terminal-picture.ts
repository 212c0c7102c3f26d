/** Pictures of terminals for the documentation, as SVG: small, sharp at any size, and a change shows in a diff. */

/** The size of a character, in pixels. */
const cell = { width: 8.4, height: 19 };
const margin = 16;

const colors = ["#484f58", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#76e3ea", "#e6edf3"];
const foreground = "#c9d1d9";
const background = "#0d1117";

/** How the characters that follow look. */
interface Style {
  readonly color: string;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly inverse: boolean;
}

const plain: Style = { color: foreground, bold: false, dim: false, inverse: false };

/** What a code changes. */
const changes: Readonly<Record<number, Partial<Style>>> = {
  1: { bold: true },
  2: { dim: true },
  7: { inverse: true },
  22: { bold: false, dim: false },
  27: { inverse: false },
  39: { color: foreground },
  49: {},
};

interface Run {
  readonly text: string;
  readonly style: Style;
}

/**
 * Draws a screen, given its lines with the codes for colors and weights (SGR) that `tmux capture-pane -e` prints. Throws an
 * Error for a code that it can't draw.
 */
export function drawTerminal(screen: string, columns: number): string {
  const lines = screen.trimEnd().split("\n");
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = lines.length * cell.height + 2 * margin;
  let style = plain;
  const drawn = lines.map((line, row) => {
    const runs = runsOf(line, style);
    style = runs.at(-1)?.style ?? style;
    return drawLine(runs, row);
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="${foreground}">\n`,
    `<rect width="${width}" height="${height}" rx="8" fill="${background}"/>\n`,
    ...drawn,
    "</svg>\n",
  ].join("");
}

/** The texts of a line, each with the style that its codes ask for; the last one may be empty. */
function runsOf(line: string, before: Style): readonly Run[] {
  const [first = "", ...rest] = line.split(/\x1b\[([\d;]*)m/);
  const runs: Run[] = [{ text: first, style: before }];
  for (let index = 0; index < rest.length; index += 2) {
    const codes = (rest[index] ?? "").split(";").map(Number);
    const style = codes.reduce(styleAfter, runs.at(-1)?.style ?? before);
    runs.push({ text: rest[index + 1] ?? "", style });
  }
  return runs;
}

function styleAfter(style: Style, code: number): Style {
  if (code === 0) {
    return plain;
  }
  const change = changes[code];
  if (change !== undefined) {
    return { ...style, ...change };
  }
  const isColor = (code >= 30 && code < 38) || (code >= 90 && code < 98);
  if (!isColor) {
    throw new Error(`can't draw the code ${code}`);
  }
  return { ...style, color: colors[code % 10] ?? foreground };
}

function drawLine(runs: readonly Run[], row: number): string {
  const top = margin + row * cell.height;
  let column = 0;
  return runs
    .map(({ text, style }) => {
      const left = margin + column * cell.width;
      const width = text.length * cell.width;
      column += text.length;
      return drawRun({ text, style }, { left, top, width });
    })
    .join("");
}

function drawRun(
  { text, style: { color, bold, dim, inverse } }: Run,
  { left, top, width }: { readonly left: number; readonly top: number; readonly width: number },
): string {
  const box = `x="${left.toFixed(1)}" y="${top}" width="${width.toFixed(1)}" height="${cell.height}"`;
  const behind = inverse ? `<rect ${box} fill="${color}"/>\n` : "";
  if (text.trim() === "") {
    return behind;
  }
  const look = [
    `fill="${inverse ? background : color}"`,
    ...(bold ? ['font-weight="bold"'] : []),
    ...(dim ? ['opacity="0.6"'] : []),
  ];
  // With its length, each text fills its cells, whatever font the reader has.
  const place = `x="${left.toFixed(1)}" y="${top + 14}" textLength="${width.toFixed(1)}" xml:space="preserve"`;
  return `${behind}<text ${place} ${look.join(" ")}>${escaped(text)}</text>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
