import * as v from "valibot";

/**
 * Field types of multipart forms. Every value travels as text; the server's schema turns it back into what it means,
 * and the client may hand over the plain value. An integer is written without sign, point or exponent tricks.
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

/** A text inside JSON, without NUL characters, which PostgreSQL does not store. The reader of forms refuses them itself. */
export function jsonText(lengthMin: number, lengthMax: number) {
  return v.pipe(v.string(), v.minLength(lengthMin), v.maxLength(lengthMax), v.excludes("\0"));
}

/** A number out of a short list, such as a sex or a source. */
export function formChoice<const Values extends readonly number[]>(values: Values) {
  return v.pipe(formInteger(Math.min(...values), Math.max(...values)), v.picklist(values));
}

/** Internal user id: a positive integer. */
export const formUserId = formInteger(1, Number.MAX_SAFE_INTEGER);

/** Ids from 0 to `idMax`, at most `countMax` and each once, joined by commas; the empty text for none. */
export function formIds(idMax: number, countMax: number) {
  return v.pipe(
    v.string(),
    v.maxLength(countMax * idLengthMax),
    v.transform((text) => {
      const ids = text === "" ? [] : text.split(",").map((id) => (/^\d{1,4}$/.test(id) ? Number(id) : Number.NaN));
      // One that comes again is none.
      return ids.map((id, at) => (ids.indexOf(id) === at ? id : Number.NaN));
    }),
    v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(idMax))),
    v.maxLength(countMax),
  );
}

/** Four digits and the comma. */
const idLengthMax = 5;
