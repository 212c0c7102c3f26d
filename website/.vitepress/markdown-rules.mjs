/** Shows indented code as fenced code is shown. */
export function indentedCode(md) {
  md.core.ruler.push("indented_code", ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === "code_block")) {
      Object.assign(token, { type: "fence", tag: "code", info: "sh" });
    }
  });
}

/** Marks code of a few words, such as a flag, that should stay on one line. */
export function shortCode(md) {
  md.core.ruler.push("short_code", ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === "code_inline" && token.content.length <= 32) {
        token.attrJoin("class", "short");
      }
    }
  });
}

/** Shows code in a line as it is: to Vue, two braces, such as those of a template, would begin an expression. */
export function literalCode(md) {
  md.core.ruler.push("literal_code", ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === "code_inline") {
        token.attrSet("v-pre", "");
      }
    }
  });
}

/** Turns fences of Mermaid into diagrams. */
export function mermaidFences(md) {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index];
    return info.trim() === "mermaid"
      ? `<MermaidDiagram source="${encodeURIComponent(content)}" />\n`
      : fence(tokens, index, ...rest);
  };
}

/**
 * Colors each line to its end, however long that takes. Shiki otherwise stops after half a second, so that a busy machine
 * would build another site.
 */
export const wholeLines = {
  name: "weir:whole-lines",
  preprocess(_code, options) {
    options.tokenizeTimeLimit = 0;
  },
};
