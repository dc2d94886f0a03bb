/** The three parts of a catalog, as `vite/compiled-messages.ts` makes them. */
declare module "*.json?first" {
  const messages: object;
  export { messages as default };
}
declare module "*.json?questions" {
  const messages: object;
  export { messages as default };
}
declare module "*.json?later" {
  const messages: object;
  export { messages as default };
}
