/** As many signs on both sides are cut into words together with those that are asked about. */
const signsAround = 24;
const segmenters = new Map<string, Intl.Segmenter>();

interface Sign {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isSign: boolean;
}

/** Signs that a segmenter joins to words although each is one: "去死吧", "我看". */
const joinedSigns = /^[的了吧吗嘛呢啊呀哦着过我你妳您他她想要都就给来去把也很]*$/u;

/** Whether tokens begin and end where words do, in the scripts that put no space between words. */
export function areWordBorders(tokens: readonly Sign[], start: number, end: number): boolean {
  return isBorder(tokens, start, true) && isBorder(tokens, end, false);
}

/** Whether a word may begin at the token; `isStart` where it is the first of what was found, and not the one behind. */
function isBorder(tokens: readonly Sign[], at: number, isStart: boolean): boolean {
  if (!isJoined(tokens, at)) return true;
  let first = at;
  while (first > Math.max(0, at - signsAround) && isJoined(tokens, first)) first -= 1;
  let last = at;
  while (last + 1 < Math.min(tokens.length, at + signsAround) && isJoined(tokens, last + 1)) last += 1;
  const run = tokens.slice(first, last + 1).map(({ text }) => text);
  const place = run.slice(0, at - first).join("").length;
  for (const { index, segment } of segmenterFor(run[0]!).segment(run.join(""))) {
    if (index === place) return true;
    if (index + segment.length <= place) continue;
    return joinedSigns.test(isStart ? segment.slice(0, place - index) : segment.slice(place - index));
  }
  return false;
}

/** Whether nothing stands between the token and the one before it, both of such a script. */
function isJoined(tokens: readonly Sign[], at: number): boolean {
  const [before, here] = [tokens[at - 1], tokens[at]];
  return Boolean(before?.isSign && here?.isSign) && here!.start === before!.end;
}

function segmenterFor(sign: string): Intl.Segmenter {
  const language = /\p{Script=Thai}/u.test(sign)
    ? "th"
    : /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sign)
      ? "ja"
      : "zh";
  let segmenter = segmenters.get(language);
  if (!segmenter) segmenters.set(language, (segmenter = new Intl.Segmenter(language, { granularity: "word" })));
  return segmenter;
}
