import { Fragment, type ReactNode } from "react";
import { useT, type Key, type MessageValues } from "#lib/i18n.ts";

/**
 * One message with elements inside, written `accept the <terms>Terms</terms>`. A sentence stays one message, because
 * another language orders its parts differently. Tags that are missing in `tags` stay plain text.
 */
export function RichText(props: {
  id: Key;
  values?: MessageValues;
  tags: Readonly<Record<string, (text: string) => ReactNode>>;
}): ReactNode {
  const t = useT();
  return splitTags(t(props.id, props.values)).map((part, index) => (
    <Fragment key={index}>{part.tag === null ? part.text : (props.tags[part.tag]?.(part.text) ?? part.text)}</Fragment>
  ));
}

export type TextPart = { tag: string | null; text: string };

/** Splits `a <b>c</b> d` into its parts; tags do not nest. */
export function splitTags(message: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of message.matchAll(/<([a-z]+)>(.*?)<\/\1>/gs)) {
    if (match.index > from) parts.push({ tag: null, text: message.slice(from, match.index) });
    parts.push({ tag: match[1] ?? null, text: match[2] ?? "" });
    from = match.index + match[0].length;
  }
  if (from < message.length) parts.push({ tag: null, text: message.slice(from) });
  return parts;
}
