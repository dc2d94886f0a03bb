import { foldText } from "@fava/wire/text-folding.ts";

const ofAddresses = /[\p{N}@/_]/u;
const learnt = new Uint8Array(0x1_0000);
const Sign = { other: 1, contact: 2, dot: 3 } as const;
const firstSurrogate = 0xd800;

/** Whether a text has a digit, "@", "/" or "_", or a dot or colon directly before a word. */
export function hasContactSign(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const point = code < firstSurrogate ? code : text.codePointAt(at)!;
    const sign = point > 0xffff ? kindOf(String.fromCodePoint(point)) : (learnt[code] ||= kindOf(text[at]!));
    if (sign === Sign.contact) return true;
    if (sign === Sign.dot && at + 1 < text.length && /[\p{L}\p{N}\ud800-\udfff]/u.test(text[at + 1]!)) return true;
  }
  return false;
}

function kindOf(sign: string): number {
  const folded = foldText(sign);
  if (ofAddresses.test(sign) || ofAddresses.test(folded)) return Sign.contact;
  return folded === "." || folded === ":" ? Sign.dot : Sign.other;
}
