/** A price for a number of beans: of a pack, or the wallet's rate. */
export interface BeanRate {
  golds: number;
  price_minor: number;
}

/** The price of beans at a rate, in minor units, rounded up, so that it never looks or is charged lower. */
export function priceAtRate(beans: number, rate: BeanRate): number {
  const golds = BigInt(rate.golds);
  return Number((BigInt(beans) * BigInt(rate.price_minor) + golds - 1n) / golds);
}

/** The price of 1,000 beans in tenths of a minor unit, rounded to the nearest. */
export function tenthsPerThousand(rate: BeanRate): number {
  const golds = BigInt(rate.golds);
  return Number((BigInt(rate.price_minor) * 20_000n + golds) / (2n * golds));
}
