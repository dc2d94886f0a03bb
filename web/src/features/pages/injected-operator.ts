/** The operator of this installation, as texts name it. */
export type Operator = Readonly<Record<"company" | "email" | "address", string>>;

/** The build writes these placeholders; the server replaces them (`server/src/edge/http/web-app.ts`). */
const placeholders: Operator = { company: "{company}", email: "{email}", address: "{address}" };

/** The operator as the server wrote it into the page, so that the first rendering can name it; null without one. */
export function injectedOperator(): Operator | null {
  if (typeof document === "undefined") return placeholders;
  const told = { company: read("company"), email: read("email"), address: read("address") };
  // Vite's development server leaves the placeholders.
  return told.company === "" || told.company === placeholders.company ? null : told;
}

function read(name: string): string {
  return document.querySelector(`meta[name="operator-${name}"]`)?.getAttribute("content") ?? "";
}
