// Starts a TypeScript file as a child of the server, which alone says when it ends: Ctrl-C in a terminal reaches every
// process of it, and what the server still asks is answered first.
import { register } from "tsx/esm/api";

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.once("disconnect", () => process.exit());
register();
await import(process.argv[2]);
