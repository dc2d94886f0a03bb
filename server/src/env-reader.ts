/** Contradictions in the environment, one line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`the settings cannot be used:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/** Typed reading of environment variables that collects every problem before it throws. */
export class EnvReader {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #problems: string[] = [];

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  optional(name: string): string | null {
    const value = this.#environment[name]?.trim();
    return value === undefined || value === "" ? null : value;
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback;
  }

  /** A comma separated list; empty where unset. */
  list(name: string): string[] {
    return this.text(name, "")
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  }

  choice<const Choices extends readonly string[]>(
    name: string,
    choices: Choices,
    fallback: Choices[number],
  ): Choices[number] {
    const value = this.text(name, fallback);
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) this.problem(`${name} is none of ${choices.join(", ")}`);
    return chosen ?? fallback;
  }

  integer(name: string, range: { fallback: number; min: number; max: number }): number {
    const text = this.optional(name);
    if (text === null) return range.fallback;
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= range.min && value <= range.max) return value;
    this.problem(`${name} is not a whole number from ${range.min} to ${range.max}`);
    return range.fallback;
  }

  /** Two settings that only make sense together. */
  together(first: string, second: string): [string, string] | null {
    const [one, two] = [this.optional(first), this.optional(second)];
    if (one !== null && two !== null) return [one, two];
    if (one !== null || two !== null) this.problem(`${first} and ${second} go together: set both or none`);
    return null;
  }

  /** Settings of which either all are there or none. */
  allOf<const Name extends string>(names: readonly Name[]): Record<Name, string> | null {
    const values = names.map((name) => [name, this.optional(name)] as const);
    const present = values.filter((entry): entry is readonly [Name, string] => entry[1] !== null);
    if (present.length === names.length) return Object.fromEntries(present) as Record<Name, string>;
    if (present.length > 0) this.problem(`${names.join(", ")} go together: set all or none`);
    return null;
  }

  require(name: string, why: string): void {
    if (this.optional(name) === null) this.problem(`${name} is missing: ${why}`);
  }

  problem(text: string): void {
    this.#problems.push(text);
  }

  /** @throws ConfigError when anything was wrong. */
  finish(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
  }
}
