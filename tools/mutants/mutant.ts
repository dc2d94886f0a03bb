/** One line of the product, broken. */
export interface Mutant {
  /** Relative to the root, below `server`. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** What would go wrong. */
  readonly why: string;
  /** Files of tests that should notice, relative to the root. */
  readonly tests: readonly string[];
}
