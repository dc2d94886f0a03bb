/** Who runs this installation, as far as texts name them. */
export type Operator = Readonly<Record<"company" | "email" | "address", string>>;

/** What the build writes; the server puts the operator's own in their place (`server/src/edge/http/web-app.ts`). */
const placeholders: Operator = { company: "{company}", email: "{email}", address: "{address}" };

/** The operator as the server wrote them into the page, so that the first rendering can name them; null without. */
export function injectedOperator(): Operator | null {
  if (typeof document === "undefined") return placeholders;
  const told = { company: read("company"), email: read("email"), address: read("address") };
  // Vite's own server fills nothing in.
  return told.company === "" || told.company === placeholders.company ? null : told;
}

function read(name: string): string {
  return document.querySelector(`meta[name="operator-${name}"]`)?.getAttribute("content") ?? "";
}
