import { readFileSync } from "node:fs";
import { slug } from "github-slugger";
import { defineConfig } from "vitepress";
import { indentedCode, literalCode, mermaidFences, shortCode, wholeLines } from "./markdown-rules.mjs";

/** The version, and the chapters of docs/README.md; written when the site is built. */
const { version, chapters } = JSON.parse(readFileSync(new URL("site.json", import.meta.url), "utf8"));

export default defineConfig({
  title: "Weir",
  description: "A drop-in for Flux v1: fluxd and fluxctl on a GitOps engine of its own",
  lang: "en",
  srcDir: "pages",
  // Where the site is below its host's root, e.g. /weir/.
  base: process.env.DOCS_BASE ?? "/",
  // One page after the other: the search index would otherwise be in the order in which files were read.
  buildConcurrency: 1,
  vue: {
    features: {
      // The names of styles: otherwise, they depend on where the theme is installed, and the site on who builds it.
      componentIdGenerator: (path, source, _isProduction, hash) =>
        hash(path.replace(/^.*\/node_modules\//, "") + source),
    },
  },
  markdown: {
    // The same anchors as on a Git host, so that links work in both places.
    anchor: { slugify: (text) => slug(text) },
    linkify: false,
    codeTransformers: [wholeLines],
    config(md) {
      md.use(indentedCode).use(literalCode).use(shortCode).use(mermaidFences);
    },
  },
  themeConfig: {
    search: { provider: "local", options: { detailedView: true } },
    outline: [2, 3],
    nav: [{ text: `Version ${version}`, link: "/changelog" }],
    sidebar: chapters.map((chapter) => ({ ...chapter, collapsed: false })),
    docFooter: { prev: false, next: false },
    externalLinkIcon: true,
  },
});
