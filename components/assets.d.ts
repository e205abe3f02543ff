/** A style sheet as text, for chunks that bring their own (ssr/build.mjs, "textStyles"). */
declare module '*.css?text' {
  const text: string;
  export { text as default };
}
