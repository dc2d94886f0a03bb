/** Which kind of key: each has room of its own. */
export type OneTimeUse = "signInNonce" | "providerToken" | "home";

/** Keys that mean something for a while, and once. Whoever loses one loses a try: never money, never a rule. */
export interface OneTimeKeys {
  /**
   * False where the key is there already and its time is not over.
   *
   * @throws EndpointError 503 where none can be kept at present; of `take`, too.
   */
  add(use: OneTimeUse, key: string, lifeMs: number): Promise<boolean>;
  /** Removes the key; true where it was there and its time was not over. Of two at once one gets it. */
  take(use: OneTimeUse, key: string): Promise<boolean>;
}
