import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { coverMask, type TextSpan } from "@fava/wire/messages.ts";
import { findPersonalData } from "@fava/wire/personal-data.ts";
import { textParts } from "#lib/text-parts.ts";
import {
  download,
  downloads,
  isSpoken,
  type Offer,
  offerOf,
  type Reader,
  translate,
  type TranslatingBrowser,
} from "./browser-translator.ts";
import {
  noteUnderstood,
  serverTranslator,
  type TextPlace,
  translateAtServer,
  understood,
} from "./server-translator.ts";

/** A text of another user. */
interface TranslatedSource {
  readonly text: string;
  readonly place: TextPlace;
  /** Who wrote it; left out where that does not matter. */
  readonly writerId?: number | undefined;
  /** Writer and reader share a language. */
  readonly sharesLanguage?: boolean;
  /** Ranges of the text whose letters the server removed. */
  readonly hidden?: readonly TextSpan[];
  /** Hides contact details that only the translation has, such as a number in words. */
  readonly hidesContacts?: boolean;
}

/** A part of a translation. `isHidden`: the reader does not get what stands here. */
export interface TranslatedPart {
  readonly text: string;
  readonly isHidden: boolean;
}

type Phase =
  | { readonly is: "none" }
  /** `from`: the language of the text; null: unknown. `by`: the operator's translator; null: the browser. */
  | { readonly is: "offered"; readonly from: string | null; readonly by: string | null }
  | { readonly is: "failed"; readonly by: string | null }
  /** `share` of the download, 0 to 1; null without one. */
  | { readonly is: "working"; readonly share: number | null }
  | {
      readonly is: "shown";
      readonly from: string;
      readonly by: string | null;
      readonly parts: readonly TranslatedPart[];
    };

interface Translation {
  readonly phase: Phase;
  /** Downloads what is missing, and translates; only right after a press. */
  readonly start: () => void;
  /** Stops a download, or hides a translation that was asked for. */
  readonly cancel: () => void;
}

/**
 * The translation of one text: by the browser, or else by the operator's translator, after a press. `isAutomatic`: by
 * the browser without a press, once it has downloaded what it needs. Another text or reader needs another component.
 */
export function useTranslation(
  source: TranslatedSource,
  { reader, isAutomatic }: { reader: Reader; isAutomatic: boolean },
): Translation {
  const browser = globalThis as TranslatingBrowser;
  const [phase, setPhase] = useState<Phase>({ is: "none" });
  const offered = useRef<Offer>({ is: "none" });
  const running = useRef<AbortController>(null);
  const isPressed = useRef(false);
  const downloadCount = useStore(downloads, ({ count }) => count);
  const isUnderstood = useStore(understood, ({ users }) => source.writerId !== undefined && users.has(source.writerId));
  const server = serverTranslator();
  const serves = (offer: Offer) =>
    server !== null && offer.is === "unavailable" && (offer.from !== null || !(isUnderstood || source.sharesLanguage));

  function phaseOf(offer: Offer): Phase {
    if (serves(offer) && offer.is === "unavailable") return { is: "offered", from: offer.from, by: server };
    if (offer.is === "downloadable" || offer.is === "ready") return { is: "offered", from: offer.from, by: null };
    return { is: "none" };
  }

  async function look(signal: AbortSignal, isWanted: boolean): Promise<void> {
    const offer = await offerOf(browser, wordsOf(source), reader);
    signal.throwIfAborted();
    offered.current = offer;
    if (offer.is !== "ready" || !isWanted) return setPhase(phaseOf(offer));
    const { from } = offer;
    const parts = await translatedParts(source, (text) => translate(browser, text, { from, reader, signal }));
    signal.throwIfAborted();
    setPhase({ is: "shown", from, by: null, parts });
  }

  async function lookAtServer(signal: AbortSignal): Promise<void> {
    const { from, parts } = await translatedByServer(source, reader, signal);
    signal.throwIfAborted();
    if (from !== null && !isSpoken(from, reader)) return setPhase({ is: "shown", from, by: server, parts });
    if (source.writerId !== undefined) noteUnderstood(source.writerId);
    setPhase({ is: "none" });
  }

  async function pressed(signal: AbortSignal): Promise<void> {
    const onProgress = (share: number) => !signal.aborted && setPhase({ is: "working", share });
    setPhase({ is: "working", share: null });
    const { current: offer } = offered;
    if (serves(offer)) return lookAtServer(signal);
    if (offer.is === "downloadable") await download(browser, offer.from, { reader, signal, onProgress });
    await look(signal, true);
  }

  function run(byPress: boolean): void {
    running.current?.abort();
    const owner = new AbortController();
    running.current = owner;
    isPressed.current = byPress;
    const { signal } = owner;
    void (byPress ? pressed(signal) : look(signal, isAutomatic))
      .catch((error: unknown) => {
        if (signal.aborted) return;
        console.info("a text was not translated", error);
        const by = offered.current.is === "unavailable" ? server : null;
        setPhase(byPress ? { is: "failed", by } : phaseOf(offered.current));
      })
      .finally(() => {
        if (running.current === owner) isPressed.current = false;
      });
  }

  useEffect(() => {
    // What was found out about another text may be enough for this one.
    if (!isPressed.current && phase.is !== "shown") run(false);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `run` is a new function in each rendering; `phase` changes nothing
  }, [downloadCount, isUnderstood]);
  useEffect(() => () => running.current?.abort(), []);
  return { phase, start: () => run(true), cancel: () => run(false) };
}

/** `from`: the language that the server found; null for a text without words. */
async function translatedByServer(
  source: TranslatedSource,
  { language: target }: Reader,
  signal: AbortSignal,
): Promise<{ from: string | null; parts: readonly TranslatedPart[] }> {
  let from: string | null = null;
  const parts = await translatedParts(source, async (text) => {
    const answer = await translateAtServer(text, { place: source.place, target, signal });
    from ??= answer.from;
    return answer.text;
  });
  return { from, parts };
}

function wordsOf({ text, hidden = [] }: TranslatedSource): string {
  return textParts(text, hidden)
    .flatMap((part) => (part.finding === null ? part.text : []))
    .join(" ");
}

/** Translates what stands between the hidden parts, which keep their places. */
function translatedParts(
  { text, hidden = [], hidesContacts = false }: TranslatedSource,
  translated: (text: string) => Promise<string>,
): Promise<readonly TranslatedPart[]> {
  return Promise.all(
    textParts(text, hidden).map(async (part) => {
      if (part.finding !== null) return { text: part.text, isHidden: true };
      const words = part.text.trim();
      if (!/\p{L}/u.test(words)) return { text: part.text, isHidden: false };
      const [before = "", after = ""] = part.text.split(words, 2);
      const found = await translated(words);
      if (hidesContacts && findPersonalData(found).length > 0) return { text: coverMask, isHidden: true };
      return { text: `${before}${found}${after}`, isHidden: false };
    }),
  );
}
