export interface MaskedPart {
  readonly text: string;
  readonly isMasked: boolean;
}

/** Divides a line at what was masked in it: a run of dots, bullets or stars that no one writes. */
export function splitMasked(line: string): readonly MaskedPart[] {
  return line
    .split(/([•●*]{2,}(?:[ \u00a0]?[•●*]{2,})*)/u)
    .map((text, index) => ({ text, isMasked: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
