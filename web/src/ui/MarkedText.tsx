import type { ReactNode } from "react";
import type { TextSpan } from "@fava/wire/messages.ts";
import { directionOf, textParts } from "#lib/text-parts.ts";
import styles from "#ui/MarkedText.module.css";

/** A text whose findings are marked by colour, weight and underline. */
export function MarkedText({ text, spans }: { text: string; spans: readonly TextSpan[] }): ReactNode {
  return (
    <bdi className={styles.text} dir="auto" translate="no">
      {textParts(text, spans).map(({ start, text: part, finding }) =>
        finding === null ? (
          part
        ) : (
          <mark key={start} dir={directionOf(finding)}>
            {part}
          </mark>
        ),
      )}
    </bdi>
  );
}
