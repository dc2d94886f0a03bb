import type { PageContent } from "#lib/page-content.ts";

const wordsPerMinute = 220;
/** Chinese is counted in characters, because it has no spaces between words. */
const charactersPerMinute = 400;

/** Whole minutes that reading a page takes, at least 1. */
export function readingMinutes(page: PageContent): number {
  const texts = [
    ...page.short,
    ...page.sections.flatMap((section) => [
      section.heading,
      ...section.blocks.flatMap((block) => {
        if (block.kind === "paragraph") return [block.text];
        return block.kind === "list" ? block.items : [...block.head, ...block.rows.flat()];
      }),
    ]),
  ];
  const whole = texts.join(" ");
  const characters = whole.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = whole.replaceAll(/\p{Script=Han}/gu, " ").match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / wordsPerMinute + characters / charactersPerMinute));
}
