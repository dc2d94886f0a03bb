// Starts a program as a child of the server, which alone says when it ends: Ctrl-C in a terminal reaches every process of
// it, and what the server still asks is answered first. The program is compiled where the server is, and TypeScript else.
const [, , program] = process.argv;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.once("disconnect", () => process.exit());
process.setSourceMapsEnabled(true);
if (program.endsWith(".ts")) (await import("tsx/esm/api")).register();
await import(program);
