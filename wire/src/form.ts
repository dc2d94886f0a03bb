import * as v from "valibot";

/**
 * Field types of multipart forms. Every value is sent as text; the server's schema parses it, and the client may pass
 * the plain value. An integer is digits with an optional minus: no plus sign, point or exponent.
 */
export function formInteger(min: number, max: number) {
  return v.pipe(
    v.union([v.number(), v.string()]),
    v.transform((value) =>
      typeof value === "number" ? value : /^-?\d{1,16}$/.test(value) ? Number(value) : Number.NaN,
    ),
    v.number(),
    v.safeInteger(),
    v.minValue(min),
    v.maxValue(max),
  );
}

export function formText(lengthMin: number, lengthMax: number) {
  return v.pipe(v.string(), v.minLength(lengthMin), v.maxLength(lengthMax));
}

/** Text inside JSON, without NUL characters, which PostgreSQL cannot store. The form parser rejects them itself. */
export function jsonText(lengthMin: number, lengthMax: number) {
  return v.pipe(v.string(), v.minLength(lengthMin), v.maxLength(lengthMax), v.excludes("\0"));
}

/** One of a few numbers, such as a sex or a source. */
export function formChoice<const Values extends readonly number[]>(values: Values) {
  return v.pipe(formInteger(Math.min(...values), Math.max(...values)), v.picklist(values));
}

/** Internal user id: a positive integer. */
export const formUserId = formInteger(1, Number.MAX_SAFE_INTEGER);

/** Distinct ids from 0 to `idMax`, at most `countMax`, joined by commas; empty for none. */
export function formIds(idMax: number, countMax: number) {
  return v.pipe(
    v.string(),
    v.maxLength(countMax * idLengthMax),
    v.transform((text) => {
      const ids = text === "" ? [] : text.split(",").map((id) => (/^\d{1,4}$/.test(id) ? Number(id) : Number.NaN));
      // A repeated id is invalid.
      return ids.map((id, at) => (ids.indexOf(id) === at ? id : Number.NaN));
    }),
    v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(idMax))),
    v.maxLength(countMax),
  );
}

/** Up to four digits and a comma. */
const idLengthMax = 5;
