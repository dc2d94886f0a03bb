import type { ReactNode } from "react";
import type { TextSpan } from "@fava/wire/messages.ts";
import styles from "#ui/MarkedText.module.css";

/** A text with the stretches that were found in it marked: by colour, weight and a line below them. */
export function MarkedText({ text, spans }: { text: string; spans: readonly TextSpan[] }): ReactNode {
  return (
    <bdi className={styles.text} dir="auto" translate="no">
      {markedParts(text, spans).map(({ start, part, isFound }) => (isFound ? <mark key={start}>{part}</mark> : part))}
    </bdi>
  );
}

interface Part {
  readonly start: number;
  readonly part: string;
  readonly isFound: boolean;
}

/** The text in parts, found and not; stretches that overlap become one, and what lies outside the text is left out. */
export function markedParts(text: string, spans: readonly Pick<TextSpan, "start" | "end">[]): Part[] {
  const parts: Part[] = [];
  let done = 0;
  const add = (end: number, isFound: boolean) => {
    if (end <= done) return;
    const last = parts.at(-1);
    const part = text.slice(done, end);
    if (last?.isFound === isFound) parts[parts.length - 1] = { ...last, part: last.part + part };
    else parts.push({ start: done, part, isFound });
    done = end;
  };
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    add(Math.min(start, text.length), false);
    add(Math.min(end, text.length), true);
  }
  add(text.length, false);
  return parts;
}
