/**
 * The only conversion from `bigint` to a number (`tools/money.ts`).
 * @throws RangeError above the safe integers, which no limit of the product allows.
 */
export function wireInteger(amount: bigint): number {
  const integer = Number(amount);
  if (!Number.isSafeInteger(integer)) throw new RangeError("an amount is too large for the wire");
  return integer;
}
