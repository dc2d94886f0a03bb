const recentMax = 3;
let recent: readonly number[] = [];

/** Countries chosen on this page, newest first. Kept in memory only: the specification names no place for them. */
export function recentCountries(): readonly number[] {
  return recent;
}

export function rememberCountry(id: number): void {
  if (id > 0) recent = [id, ...recent.filter((other) => other !== id)].slice(0, recentMax);
}
