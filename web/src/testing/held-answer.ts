/** The response of a slow server: pending until `give` is called. */
export interface HeldAnswer<Value> {
  readonly answer: Promise<Value>;
  readonly give: (value: Value) => void;
}

export function heldAnswer<Value>(): HeldAnswer<Value> {
  let give: (value: Value) => void = () => undefined;
  const answer = new Promise<Value>((resolve) => {
    give = resolve;
  });
  return { answer, give: (value) => give(value) };
}
