/** A style sheet as text, for chunks that bring their own (ssr/build/plugins.mjs, "textStyles"). */
declare module '*.css?text' {
  const text: string;

  // biome-ignore lint/style/noDefaultExport: a file that is text has nothing to name
  export { text as default };
}

/** The rows of pages of areas, for their build alone (ssr/build/plugins.mjs, "pageRows"). */
declare module '*/routes.json?areas' {
  const table: { area_pages: { id: string; path: string }[] };

  // biome-ignore lint/style/noDefaultExport: as other JSON
  export { table as default };
}
