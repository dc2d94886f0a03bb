import type { FastifyInstance } from "fastify";
import { catalogText } from "#lib/catalog-text.ts";

/** Line drawings with a background of their own, which are visible on any page. */
const drawings = {
  card: '<rect x="13" y="10" width="22" height="16" rx="3"/><path d="M13 15.5h22M17 21.5h5"/>',
  wallet:
    '<path d="M33 14V11a2 2 0 0 0-2-2H16a3 3 0 0 0 0 6h18a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H16a3 3 0 0 1-3-3V12"/><path d="M31 21h.01"/>',
} as const;
type Drawing = keyof typeof drawings;
const drawingOf: Readonly<Record<string, Drawing>> = { "pay.card": "card" };

/** The catalog text of this key, or the name itself if it is a brand. */
export function payName(name: string, language: string): string {
  return name.startsWith("pay.") ? catalogText(language, name) : name;
}

export function payImagePath(name: string): string {
  return imagePath(drawingOf[name] ?? "wallet");
}

export function payImageRoutes(app: FastifyInstance): void {
  for (const drawing of Object.keys(drawings) as Drawing[]) {
    app.get(imagePath(drawing), (_request, reply) =>
      reply.type("image/svg+xml").header("cache-control", "public, max-age=86400").send(svgOf(drawings[drawing])),
    );
  }
}

function imagePath(drawing: Drawing): string {
  return `/pay/images/${drawing}.svg`;
}

function svgOf(lines: string): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 36" width="48" height="36">' +
    '<rect width="48" height="36" rx="8" fill="#4a5568"/>' +
    `<g fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${lines}</g></svg>`
  );
}
