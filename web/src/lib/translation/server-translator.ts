import { createStore } from "zustand";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminTextTranslate, textTranslate } from "@fava/wire/endpoints/texts.ts";
import { request } from "#lib/api/request.ts";
import type { Language } from "#lib/languages.ts";
import { currentUser } from "#lib/session.ts";

/** Where a text stands: the server looks messages up itself. */
export type TextPlace = { readonly of: "line" | "desk" } | { readonly of: "message"; readonly id: string };

/** Users who wrote in a language of the reader: without a language detector, their texts have no offer. */
export const understood = createStore<{ users: ReadonlySet<number> }>(() => ({ users: new Set() }));

export function noteUnderstood(userId: number): void {
  understood.setState(({ users }) => ({ users: new Set(users).add(userId) }));
}

/** Name of the operator's translator, which the server writes into the page; null: none. */
export function serverTranslator(): string | null {
  const name = document.querySelector('meta[name="translator"]')?.getAttribute("content") ?? "";
  // Vite's development server leaves the placeholder.
  return name === "" || name.startsWith("{") ? null : name;
}

/** Translates a text by the operator's translator. @throws RequestFailure */
export async function translateAtServer(
  text: string,
  { place, target, signal }: { place: TextPlace; target: Language; signal: AbortSignal },
): Promise<OutputOf<typeof textTranslate>> {
  const user = currentUser();
  if (!user) throw new Error("nobody is signed in");
  const about = { user_id: user.user_id, target };
  const options = { quiet: true, signal };
  if (place.of === "desk") return request(adminTextTranslate, { ...about, text }, options);
  const what = place.of === "message" ? { message_id: place.id } : { text };
  return request(textTranslate, { ...about, ...what }, options);
}
