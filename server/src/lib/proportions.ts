const confidence = 0.95;
/** Halvings of the interval 0 to 1, as precise as a double. */
const halvings = 60;

/**
 * The upper bound of a proportion at 95 % (Clopper and Pearson 1934, one-sided): the largest share of hits, 0 to 1,
 * under which a random sample of `of` has `hits` or fewer with a probability of 5 %. 1 for an empty sample.
 */
export function shareAtMost(hits: number, of: number): number {
  if (hits >= of) return 1;
  let [low, high] = [hits / of, 1];
  for (let step = 0; step < halvings; step += 1) {
    const middle = (low + high) / 2;
    if (probabilityUpTo(hits, of, middle) > 1 - confidence) low = middle;
    else high = middle;
  }
  return high;
}

/** The binomial probability of at most `hits` hits among `of`, each with probability `share`. */
function probabilityUpTo(hits: number, of: number, share: number): number {
  const logOdds = Math.log(share) - Math.log1p(-share);
  let logTerm = of * Math.log1p(-share);
  let sum = 0;
  for (let count = 0; count <= hits; count += 1) {
    sum += Math.exp(logTerm);
    logTerm += Math.log(of - count) - Math.log(count + 1) + logOdds;
  }
  return sum;
}

/**
 * How many there are in all, if two lookers found `first` and `second` of them and both found `both` (Chapman 1951).
 * Too few if both are likely to miss the same ones.
 */
export function totalByTwoLookers({ first, second, both }: { first: number; second: number; both: number }): number {
  return ((first + 1) * (second + 1)) / (both + 1) - 1;
}
