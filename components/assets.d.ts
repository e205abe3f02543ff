/** A style sheet as text, for chunks that bring their own (ssr/build/plugins.mjs, "textStyles"). */
declare module '*.css?text' {
  const text: string;

  // biome-ignore lint/style/noDefaultExport: a file that is text has nothing to name
  export { text as default };
}
