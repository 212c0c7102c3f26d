/** What only weir-console needs of `dist/lib`: nothing that contains fluxd and fluxctl alone should carry it. */
export const consoleFiles: readonly string[] = [
  "initdb.wasm",
  "pglite.data",
  "pglite.wasm",
  "start-weir-console.cjs",
  "weir-console.cjs",
  "weir-console.cjs.LEGAL.txt",
];
