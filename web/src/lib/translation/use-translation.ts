import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { coverMask, type TextSpan } from "@fava/wire/messages.ts";
import { findPersonalData } from "@fava/wire/personal-data.ts";
import { textParts } from "#lib/text-parts.ts";
import {
  download,
  downloads,
  type Offer,
  offerOf,
  type Reader,
  translate,
  type TranslatingBrowser,
} from "./browser-translator.ts";

/** A text of another user. */
interface TranslatedSource {
  readonly text: string;
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
  | { readonly is: "none" | "failed" }
  /** `from`: the language of the text; null while the browser cannot tell. */
  | { readonly is: "offered"; readonly from: string | null }
  /** `share` of the download, 0 to 1; null without one. */
  | { readonly is: "working"; readonly share: number | null }
  | { readonly is: "shown"; readonly from: string; readonly parts: readonly TranslatedPart[] };

interface Translation {
  readonly phase: Phase;
  /** Downloads what is missing, and translates; only right after a press. */
  readonly start: () => void;
  /** Stops a download, or hides a translation that was asked for. */
  readonly cancel: () => void;
}

/**
 * The translation of one text by the browser. `isAutomatic`: without a press, once the browser has downloaded what it
 * needs. Another text or reader needs another component.
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

  async function look(signal: AbortSignal, isWanted: boolean): Promise<void> {
    const offer = await offerOf(browser, wordsOf(source), reader);
    signal.throwIfAborted();
    offered.current = offer;
    if (offer.is !== "ready" || !isWanted) return setPhase(phaseOf(offer));
    const { from } = offer;
    const parts = await translatedParts(source, (text) => translate(browser, text, { from, reader, signal }));
    signal.throwIfAborted();
    setPhase({ is: "shown", from, parts });
  }

  async function pressed(signal: AbortSignal): Promise<void> {
    const onProgress = (share: number) => !signal.aborted && setPhase({ is: "working", share });
    setPhase({ is: "working", share: null });
    const { current: offer } = offered;
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
        setPhase(byPress ? { is: "failed" } : phaseOf(offered.current));
      })
      .finally(() => {
        if (running.current === owner) isPressed.current = false;
      });
  }

  useEffect(() => {
    // A download for another text may be enough for this one.
    if (!isPressed.current && offered.current.is !== "ready") run(false);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `run` is a new function in each rendering
  }, [downloadCount]);
  useEffect(() => () => running.current?.abort(), []);
  return { phase, start: () => run(true), cancel: () => run(false) };
}

function phaseOf(offer: Offer): Phase {
  return offer.is === "downloadable" || offer.is === "ready" ? { is: "offered", from: offer.from } : { is: "none" };
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
