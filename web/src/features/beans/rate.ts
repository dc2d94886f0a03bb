/** So many beans for so much money: a pack, or the wallet's rate. */
export interface BeanRate {
  golds: number;
  price_minor: number;
}

/** What beans cost at a rate, in minor units, rounded up: never shown or charged smaller than it is. */
export function priceAtRate(beans: number, rate: BeanRate): number {
  const golds = BigInt(rate.golds);
  return Number((BigInt(beans) * BigInt(rate.price_minor) + golds - 1n) / golds);
}

/** Price of 1,000 beans in tenths of a minor unit, rounded to the nearest. */
export function tenthsPerThousand(rate: BeanRate): number {
  const golds = BigInt(rate.golds);
  return Number((BigInt(rate.price_minor) * 20_000n + golds) / (2n * golds));
}
